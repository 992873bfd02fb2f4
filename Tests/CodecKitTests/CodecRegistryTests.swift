import CodecKit
import Model
import Pixels
import Testing

/// A codec that only has settings.
private struct SpelledCodec: ImageCodec {
  var traits = CodecTraits(
    id: "spell", title: "Spell", fileExtension: "spl", libraries: [LibraryVersion(name: "l", version: "1")],
    nativeQuality: 1...100,
    settings: [
      SettingSpecification(
        key: "chroma", values: .choice(["420", "444"]), defaultValue: "420", summary: "Subsampling."),
      SettingSpecification(key: "threads", values: .integer(0...64), defaultValue: "1", summary: "Threads."),
      SettingSpecification(key: "progressive", values: .flag, defaultValue: "false", summary: "Scans."),
      .choice("encoder", ["a", "b"], "a", "The encoder."),
      .choice("tune", ["iq", "ssim"], "iq", "The aim of a.").beside("encoder", "a"),
      .choice("tune", ["psnr", "iq"], "psnr", "The aim of b.").beside("encoder", "b"),
      .integer("speed", 0...9, "6", "The speed of a.").beside("encoder", "a"),
      .flag("exact", "Without loss.").beside("encoder", "a"),
      SettingSpecification(
        key: "x265:*", values: .passThrough(prefix: "x265:"), defaultValue: "", summary: "Passed on."),
    ])
  func support(for variant: CodecVariant) -> PixelSupport {
    PixelSupport(alpha: false, maximumBitDepth: 8, maximumSide: 1000)
  }
  func validate(_ variant: CodecVariant) throws(CodecError) {
    if variant.settings["x265:bad"] != nil { throw .invalidSetting("x265 knows no bad") }
  }
  func encode(_ image: RasterImage, _ settings: EncodeSettings) throws(CodecError) -> [UInt8] { [] }
  func decode(_ bytes: [UInt8]) throws(CodecError) -> RasterImage { throw .malformed("none") }
}

private struct NoWriter: ImageWriter {
  func write(_ image: RasterImage) throws(CodecError) -> [UInt8] { [] }
}

@Suite struct CodecRegistryTests {
  private let registry = CodecRegistry(codecs: [SpelledCodec()], readers: [], writer: NoWriter())

  @Test(arguments: [
    ("spell", "spell"), ("spell:chroma=420", "spell"), ("spell:threads=01", "spell"),
    ("spell:progressive", "spell:progressive=true"), ("spell:progressive=false", "spell"),
    ("spell:threads=4,chroma=444", "spell:chroma=444,threads=4"),
    ("spell:tune=iq", "spell"), ("spell:encoder=a,speed=6", "spell"),
    ("spell:encoder=b,tune=psnr", "spell:encoder=b"),
    // One encoder's default is not the other's.
    ("spell:encoder=b,tune=iq", "spell:encoder=b,tune=iq"),
    ("spell:tune=iq,encoder=b", "spell:encoder=b,tune=iq"),
    ("spell:encoder=b,exact=false", "spell:encoder=b"),
    ("spell:x265:psy-rd=0,chroma=444", "spell:chroma=444,x265:psy-rd=0"),
  ])
  func canonicalises(spelling: String, name: String) throws {
    #expect(try registry.variant(spelling).name == name)
  }

  @Test(arguments: [
    ("spel", "did you mean “spell”"), ("spell:croma=444", "did you mean “chroma”"),
    ("spell:chroma=422", "420 or 444"), ("spell:threads=99", "0 to 64"), ("spell:threads=x", "0 to 64"),
    ("spell:chroma=444,chroma=444", "given twice"), ("spell:", "has no setting"), ("", "available: spell"),
    ("spell:x265:psy-rd", "needs a value"), ("spell:x265:bad=1", "x265 knows no bad"),
    ("spell:progressive=yes", "true or false"),
    // A setting that does not apply is refused even if its value is the default.
    (
      "spell:encoder=b,speed=6",
      "speed applies only with encoder=a; with encoder=b, these apply: chroma, threads"
    ),
    ("spell:encoder=b,exact", "exact applies only with encoder=a"),
    ("spell:encoder=b,tune=ssim", "tune takes psnr or iq with encoder=b, not “ssim”"),
  ])
  func refusalsSayWhatIsAllowed(spelling: String, hint: String) {
    let error = #expect(throws: CodecError.self) { try registry.variant(spelling) }
    #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
  }

  /// A program may add its codecs in several calls.
  @Test func addedCodecsStayWhenOthersAreAdded() {
    var (first, second) = (SpelledCodec(), SpelledCodec())
    (first.traits.id, second.traits.id) = ("first", "second")
    let added = registry.adding([first]).adding([second]).adding([first])
    #expect(added.codecs.map(\.traits.id) == ["spell", "second", "first"])
  }

  @Test func settingsFallBackToDefaults() throws {
    let variant = try registry.variant("spell:threads=4,x265:b=2,x265:a=1")
    let settings = EncodeSettings(
      variant: variant, quality: try #require(Quality("0.5")), traits: SpelledCodec().traits)
    #expect(settings["chroma"] == "420")
    #expect(settings.integer("threads") == 4)
    #expect(!settings.flag("progressive"))
    #expect(settings.nativeQuality == 50)
    #expect(settings.passedThrough(prefix: "x265:").map(\.key) == ["a", "b"])
  }
}
