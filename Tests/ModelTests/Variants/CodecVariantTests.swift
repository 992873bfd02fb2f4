import Model
import Testing

@Suite struct CodecVariantTests {
  @Test func namesAreSortedByKey() {
    let variant = CodecVariant(codec: "heic", settings: ["preset": "medium", "chroma": "444"])
    #expect(variant.name == "heic:chroma=444,preset=medium")
    #expect(CodecVariant(codec: "jpeg").name == "jpeg")
  }

  @Test func preparationIsSpelledForTheKey() {
    #expect(Preparation().canonicalSpelling == "alpha=on-ffffff depth=8 downscale=1")
    #expect(
      Preparation(keepsAlpha: true, maximumBitDepth: 10, downscale: 2).canonicalSpelling
        == "alpha=kept depth=10 downscale=2")
    #expect(Preparation(background: [0, 10, 255]).canonicalSpelling.contains("on-000aff"))
  }
}
