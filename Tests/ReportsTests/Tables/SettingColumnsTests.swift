import Model
import Store
import Testing

@testable import Analysis
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
    (CodecVariant(codec: "avif"), "heif-enc -A -q 74 -p threads=1"),
    (CodecVariant(codec: "heic", settings: ["x265:aq-mode": "0"]), "heif-enc -q 74 -p x265:aq-mode=0"),
    // Other people's results may contain any text.
    (
      CodecVariant(codec: "heic", settings: ["preset": "a b", "x265:a": "1; rm -rf ~"]),
      "heif-enc -q 74 -p preset='a b' -p 'x265:a=1; rm -rf ~'"
    ),
    // A setting without an option in the program is not replaced by another one.
    (CodecVariant(codec: "heic", settings: ["depth": "10"]), nil),
    (CodecVariant(codec: "null"), nil),
  ])
  func aQualityIsSpeltForOtherPrograms(variant: CodecVariant, command: String?) {
    #expect(SettingColumns.command(variant, quality: 0.7351) == command)
  }

  @Test(arguments: [
    (CodecVariant(codec: "avif"), "avifenc -q 74 -y 420 -d 8 -s 6 -a tune=ssim"),
    (
      CodecVariant(codec: "avif", settings: ["chroma": "444", "depth": "10", "speed": "4", "tune": "psnr"]),
      "avifenc -q 74 -y 444 -d 10 -s 4 -a tune=psnr"
    ),
    (CodecVariant(codec: "avif", settings: ["threads": "4"]), nil),
    (CodecVariant(codec: "avif", settings: ["lossless": "true"]), nil),
    (CodecVariant(codec: "avif", build: "new"), nil),
    (CodecVariant(codec: "heic"), nil),
  ])
  func avifIsSpeltForASecondProgram(variant: CodecVariant, command: String?) {
    #expect(SettingColumns.alternative(variant, quality: 0.7351) == command)
  }

  @Test func theSecondProgramIsNamedOnceForAVariant() {
    let avif = CodecVariant(codec: "avif")
    let settings = [(70.0, 0.62), (80.0, 0.71)].flatMap { target, quality -> [QualitySetting] in
      [CodecVariant(codec: "jpeg"), avif].map {
        QualitySetting(
          variant: $0, target: target, images: 6, outOf: 6, quality: quality, lowest: 0.1, highest: 0.9)
      }
    }
    let sentences = SettingColumns.alternatives(settings, nil, near: 80)
    #expect(sentences.count == 1)
    #expect(sentences[0].contains("avifenc -q 71 ") && sentences[0].contains("score 80"))
  }

  @Test("each named program's requirements and additions are noted once")
  func notes() {
    let variants = ["heic", "jpeg", "avif", "webp", "null"].map { CodecVariant(codec: $0) }
    let notes = SettingColumns.notes(variants + variants)
    #expect(notes.count == 2)
    #expect(notes[0].hasPrefix("heif-enc also copies") && notes[1].hasPrefix("cjpeg does not read PNG"))
    #expect(notes.allSatisfy { $0.contains("profiles") })
    let jxl = SettingColumns.notes([CodecVariant(codec: "jxl")])
    #expect(jxl.count == 1 && jxl[0].contains("reads a PNG’s gAMA"))
    // No command is printed for it, so there is no note.
    #expect(SettingColumns.notes([CodecVariant(codec: "heic", settings: ["depth": "10"])]).isEmpty)
  }

  @Test(
    "missed scores are reported, and commands are printed only if nine in ten images reach the score")
  func unreached() {
    func cells(_ unreached: Int, quality: Double?) -> [String] {
      let setting = QualitySetting(
        variant: CodecVariant(codec: "heic"), target: 90, images: 12, outOf: 12, unreached: unreached,
        quality: quality,
        lowest: 0.5, highest: unreached == 0 ? 0.8 : nil)
      return SettingColumns.all(headline: nil).dropFirst(2).map { $0.cell(setting).display }
    }
    #expect(cells(0, quality: 0.68) == ["0.68", "0.50", "0.80", "12", "heif-enc -q 68"])
    #expect(cells(1, quality: 0.68)[2] == "–, 1 image does not reach it")
    #expect(cells(7, quality: nil) == ["", "0.50", "–, 7 images do not reach it", "12", ""])
  }

  @Test("one image has one quality and no range")
  func oneImage() {
    let names = SettingColumns.all(headline: nil, isOfOneImage: true).map(\.name)
    #expect(names == ["target", "variant", "quality", "command"])
    #expect(SettingColumns.all(headline: nil).map(\.name).contains("quality_lowest"))
    #expect(!SettingColumns.explanation(nil, isOfOneImage: true).contains("median"))
  }
}
