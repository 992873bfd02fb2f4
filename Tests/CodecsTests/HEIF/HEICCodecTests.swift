import CodecKit
import Codecs
import Model
import Pixels
import TestSupport
import Testing

/// Sizes that codecs get wrong: below a coding unit, odd, or one pixel thin.
let awkwardSizes = [(1, 1), (1, 17), (17, 1), (2, 2), (31, 32), (63, 65), (64, 64), (101, 70)]

struct HEICCodecTests {
  let codec = HEICCodec()

  @Test(arguments: awkwardSizes, ChannelLayout.allCases)
  func keepsSizeAndChannels(size: (Int, Int), layout: ChannelLayout) throws {
    let image = try #require(SyntheticImage.waves(width: size.0, height: size.1, layout: layout))
    let decoded = try roundTrip(image, through: codec, native: 90)
    #expect((decoded.width, decoded.height) == size)
    #expect(decoded.format == image.format)
    #expect(meanDifference(image, decoded) < 0.06)
  }

  @Test(arguments: ChannelLayout.allCases, [(8, "8"), (8, "10"), (10, "10")])
  func losesNothingWhenLossless(layout: ChannelLayout, depths: (Int, String)) throws {
    let image = try #require(
      SyntheticImage.waves(width: 101, height: 70, layout: layout, bitDepth: depths.0))
    let decoded = try roundTrip(
      image, through: codec, native: 50, ["lossless": "true", "depth": depths.1])
    #expect(decoded.format.bitDepth == Int(depths.1))
    if decoded.format == image.format {
      #expect(decoded.samples == image.samples)
    } else if case .bytes(let bytes) = image.samples {
      #expect(decoded.samples == .words(bytes.map { UInt16((Double($0) * 1023 / 255).rounded()) }))
    }
  }

  @Test func encodesTenBits() throws {
    let image = try #require(SyntheticImage.waves(width: 96, height: 64, bitDepth: 10))
    let decoded = try roundTrip(image, through: codec, native: 95, ["depth": "10", "chroma": "444"])
    #expect(decoded.format == image.format)
    #expect(meanDifference(image, decoded) < 0.02)
  }

  @Test func refusesSamplesDeeperThanTheSetting() throws {
    let image = try #require(SyntheticImage.waves(width: 8, height: 8, bitDepth: 12))
    #expect(throws: CodecError.unsupported("samples of 12 bits do not fit depth=8")) {
      try codec.encode(image, settings(of: codec, native: 50))
    }
  }

  /// x265 would encode it, and the decoder would find only 464 columns.
  @Test func refusesSidesThatAreTooLong() throws {
    let side = codec.support(for: CodecVariant(codec: "heic")).maximumSide + 1
    let image = try #require(
      RasterImage(width: side, height: 1, layout: .gray, bytes: [UInt8](repeating: 0, count: side)))
    #expect(throws: CodecError.unsupported("libheif does not accept sides of more than 32767 pixels")) {
      try codec.encode(image, settings(of: codec, native: 50))
    }
  }

  @Test func embedsTheProfile() throws {
    let profile = ColorProfile.icc((0..<600).map { UInt8(truncatingIfNeeded: $0 * 7) })
    let image = try #require(SyntheticImage.waves(width: 32, height: 32)).tagged(profile)
    #expect(try roundTrip(image, through: codec, native: 50).profile == profile)
    #expect(try roundTrip(image.tagged(.sRGB), through: codec, native: 50).profile == .sRGB)
  }

  @Test func givesTheSameBytesForEveryNumberOfThreads() throws {
    let image = try #require(SyntheticImage.waves(width: 200, height: 150))
    let files = try ["0", "1", "2"].map {
      try codec.encode(image, settings(of: codec, native: 60, ["threads": $0]))
    }
    #expect(Set(files).count == 1)
  }

  @Test func followsQualityPresetAndChroma() throws {
    let image = try #require(SyntheticImage.waves(width: 200, height: 150))
    func size(_ quality: Int, _ values: [String: String] = [:]) throws -> Int {
      try codec.encode(image, settings(of: codec, native: quality, values)).count
    }
    #expect(try size(30) < size(60))
    #expect(try size(60) != size(60, ["chroma": "444"]))
    #expect(try size(60) != size(60, ["preset": "ultrafast"]))
    #expect(try size(60) != size(60, ["x265:psy-rd": "0", "x265:psy-rdoq": "0"]))
  }

  @Test(
    arguments: [
      (["x265:nonsense": "1"], "x265 has no parameter “nonsense”"),
      (["x265:aq-mode": "banana"], "does not accept “banana” for “aq-mode”"),
      (["x265:crf": "20"], "the sweep's quality decides that"),
      (["x265:no-lossless": "1"], "use lossless=true"),
      (["x265:pools": "4"], "use threads=N"),
      (["x265:ctu": "17"], "does not start with this combination of parameters"),
      (["chroma-offset": "-3", "x265:cbqpoffs": "1"], "leave one out"),
    ])
  func refusesSettings(values: [String: String], reason: String) {
    do throws(CodecError) {
      try codec.validate(CodecVariant(codec: "heic", settings: values))
      Issue.record("accepted \(values)")
    } catch {
      guard case .invalidSetting(let text) = error else {
        Issue.record("not a usage error: \(error)")
        return
      }
      #expect(text.contains(reason))
    }
  }

  /// x265's message with its parameters is not in the file, so the bytes show that a parameter reached it.
  @Test(arguments: [("x265:aq-mode", "3"), ("x265:no-wpp", "1"), ("x265:psy-rd", "0")])
  func handsParametersToX265(key: String, value: String) throws {
    try codec.validate(CodecVariant(codec: "heic", settings: [key: value]))
    let image = try #require(SyntheticImage.waves(width: 192, height: 128))
    let quality = try #require(Quality(thousandths: 500))
    let files = try [[:], [key: value]].map { settings in
      try codec.encode(
        image,
        EncodeSettings(
          variant: CodecVariant(codec: "heic", settings: settings), quality: quality, traits: codec.traits))
    }
    #expect(files[0] != files[1])
  }

  /// In 4:4:4, x265 lowers chroma's quality by itself. The setting's default equals that.
  @Test func chromaOffsets() throws {
    let image = try #require(SyntheticImage.waves(width: 192, height: 128))
    func file(_ settings: [String: String]) throws -> [UInt8] {
      try codec.encode(
        image,
        EncodeSettings(
          variant: CodecVariant(
            codec: "heic", settings: settings.merging(["preset": "fast"]) { own, _ in own }),
          quality: 0.5, traits: codec.traits))
    }
    let whole = try file(["chroma": "444"])
    #expect(try whole == file(["chroma": "444", "chroma-offset": "6"]))
    #expect(try file(["chroma": "444", "chroma-offset": "2"]).count > whole.count)
    let half = try file([:])
    #expect(try file(["chroma-offset": "-3"]).count > half.count)
    #expect(
      try file(["chroma-offset": "-3"]) == file(["x265:cbqpoffs": "-3", "x265:crqpoffs": "-3"]))
  }

  /// x265 reports what libheif and x265 set by themselves: what the default's name says, and chroma in 4:4:4.
  @Test(
    arguments: [
      (
        [:],
        ["Main Still Picture profile", "AQ: mode / str / qg-size / cu-tree: 1 / 1.0", "rd=4 psy-rd=1.00"]
      ),
      (["chroma": "444"], ["Main 4:4:4", "Cb/Cr QP Offset: 6 / 6"]),
      (["chroma": "444", "chroma-offset": "2"], ["Cb/Cr QP Offset: 2 / 2"]),
      (["depth": "10", "x265:psy-rd": "0"], ["Main 10", "psy-rdoq=1.00"]),
    ] as [([String: String], [String])])
  func settingsAsRun(values: [String: String], words: [String]) throws {
    let image = try #require(SyntheticImage.waves(width: 64, height: 64))
    let settings = try settings(of: codec, native: 50, values)
    let reported = try #require(try codec.encodeReporting(image, settings))
    #expect(try reported.file == codec.encode(image, settings))
    for word in words { #expect(reported.settings.contains(word), "\(reported.settings)") }
    if values.isEmpty {
      #expect(codec.traits.defaults.contains("slow with libheif’s aq-mode 1 and psy-rd 1"))
    }
    #expect(reported.settings.contains("psy-rd=1.00") != values.keys.contains("x265:psy-rd"))
  }

  @Test func refusesBytesOfNoImage() {
    #expect(throws: CodecError.self) { try codec.decode([]) }
    #expect(throws: CodecError.self) { try codec.decode([UInt8](repeating: 0, count: 100)) }
  }

  /// A run may allow more pixels than readers do by default, and must be able to read what it encodes.
  @Test func decodingKnowsNoLimitUnderTheLongestSide() {
    let bytes = HEIFSyntheticFile.single(width: 30_000, height: 30_000).bytes
    do throws(CodecError) {
      _ = try codec.decode(bytes)
      Issue.record("decoded a file without image data")
    } catch {
      if case .limitExceeded(let reason) = error { Issue.record("\(reason)") }
    }
  }

  @Test func namesItsLibraries() {
    let libraries = codec.traits.libraries
    #expect(libraries.map(\.name) == ["libheif", "x265", "libde265"])
    #expect(libraries.allSatisfy { $0.version.first?.isNumber == true })
  }
}
