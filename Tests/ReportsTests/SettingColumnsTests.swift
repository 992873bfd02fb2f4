import Analysis
import Model
import Store
import Testing

@testable import Reports

@Suite struct SettingColumnsTests {
  @Test(arguments: [
    (CodecVariant(codec: "jpeg"), "cjpeg -quality 74"),
    (CodecVariant(codec: "jpeg", settings: ["progressive": "true"]), "cjpeg -quality 74 -progressive"),
    (CodecVariant(codec: "heic"), "heif-enc -q 74"),
    (
      CodecVariant(codec: "heic", settings: ["preset": "fast", "chroma": "444"]),
      "heif-enc -q 74 -p chroma=444 -p preset=fast"
    ),
    (CodecVariant(codec: "avif"), "heif-enc -A -q 74"),
    // What no option of the program stands for is not spelt as something else.
    (CodecVariant(codec: "heic", settings: ["x265:aq-mode": "0"]), nil),
    (CodecVariant(codec: "null"), nil),
  ])
  func aQualityIsSpeltForOtherPrograms(variant: CodecVariant, command: String?) {
    #expect(SettingColumns.command(variant, quality: 0.7351) == command)
  }

  @Test("of one image there is one quality, and nothing between which it lies")
  func oneImage() {
    let names = SettingColumns.all(headline: nil, isOfOneImage: true).map(\.name)
    #expect(names == ["target", "variant", "quality_median", "command"])
    #expect(SettingColumns.all(headline: nil).map(\.name).contains("quality_lowest"))
    #expect(!SettingColumns.explanation(nil, isOfOneImage: true).contains("median"))
  }
}
