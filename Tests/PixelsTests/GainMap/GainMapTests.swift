import Testing

@testable import Pixels

/// Gain maps applied to small pictures, compared with the code values of libavif 1.4.2 (`avifRGBImageApplyGainMap`).
struct GainMapTests {
  private static let (width, height) = (4, 2)

  struct Example: Sendable, CustomStringConvertible {
    var description: String
    var profile: ColorProfile
    var alternate: ColorProfile?
    var headrooms: (base: Double, alternate: Double, shown: Double)
    var usesBaseColours = true
    var codes: [Int]
  }

  private static func metadata(_ example: Example) throws -> GainMapMetadata {
    let channels = (0..<3).map { index in
      var channel = GainMapMetadata.Channel()
      (channel.minimum, channel.maximum) = ([-0.5, -0.25, 0][index], [2.5, 2, 3][index])
      channel.gamma = [1, 0.75, 1.5][index]
      channel.baseOffset = [1.0 / 64, 1.0 / 32, 0][index]
      channel.alternateOffset = [1.0 / 64, 0, 1.0 / 128][index]
      return channel
    }
    return try GainMapMetadata(
      .iso, channels: channels, baseHeadroom: example.headrooms.base,
      alternateHeadroom: example.headrooms.alternate, usesBaseColours: example.usesBaseColours)
  }

  private static func values(_ step: Int, _ channelStep: Int, _ start: Int) -> [UInt8] {
    (0..<(width * height)).flatMap { pixel in
      (0..<3).map { UInt8((pixel * step + $0 * channelStep + start) % 256) }
    }
  }

  private static func base(_ profile: ColorProfile) throws -> RasterImage {
    let bytes = values(37, 91, 11)
    guard case .light = profile else {
      return try #require(
        RasterImage(width: width, height: height, layout: .rgb, profile: profile, bytes: bytes))
    }
    return try #require(
      RasterImage(
        width: width, height: height, format: PixelFormat(layout: .rgb, bitDepth: 16), profile: profile,
        samples: .words(bytes.map { UInt16($0) * 160 })))
  }

  private static func codes(_ image: RasterImage) -> [Int] {
    guard case .words(let samples) = image.samples else { return [] }
    return samples.map(Int.init)
  }

  static let examples: [Example] = [
    Example(
      description: "sRGB at a part of the headroom", profile: .sRGB, headrooms: (0, 2.5, 1),
      codes: [
        22602, 26064, 35384, 26925, 30227, 39234, 29299, 33897, 19869, 33666, 37675, 25559, 37719, 41262,
        28857, 30953, 22164, 29099, 34776, 26182, 33902, 24747, 28001, 37836,
      ]),
    Example(
      description: "sRGB above the headroom", profile: .sRGB, headrooms: (0, 2.5, 4),
      codes: [
        23650, 26073, 38762, 29169, 31292, 44400, 31478, 36075, 22299, 37586, 41497, 30775, 43488, 46907,
        32943, 30348, 21986, 32524, 35918, 27291, 39115, 28742, 30578, 44700,
      ]),
    Example(
      description: "gains in the primaries of Display P3",
      profile: ColorProfiles.profile(primaries: 12, transfer: 13, for: .rgb) ?? .sRGB,
      headrooms: (0, 2.5, 2),
      codes: [
        22219, 26233, 38184, 27441, 31088, 43228, 29145, 35468, 14461, 35005, 40323, 25876, 40503, 45111,
        26357, 31534, 21326, 31764, 36542, 26225, 37797, 26471, 29868, 42967,
      ]),
    Example(
      description: "gains in the primaries of the other rendition", profile: .sRGB,
      alternate: ColorProfiles.profile(primaries: 9, transfer: 8, for: .rgb), headrooms: (0, 2.5, 2),
      usesBaseColours: false,
      codes: [
        19868, 25930, 37685, 26084, 30716, 42773, 30623, 35375, 25631, 36415, 40219, 31904, 41853, 45014,
        28340, 30088, 22432, 31517, 35149, 26876, 37543, 25150, 29464, 42465,
      ]),
    Example(
      description: "a PQ base made darker", profile: .light(.pq), headrooms: (2.5, 0, 1),
      codes: [
        8321, 20523, 27500, 5383, 23377, 31715, 9876, 26986, 0, 15116, 30850, 0, 19730, 34726, 8109, 32232,
        17543, 15304, 36383, 17543, 20333, 0, 18718, 24913,
      ]),
  ]

  /// libavif computes in single precision, and derives matrices from rounded primaries.
  @Test(arguments: examples)
  func picturesAreThoseOfLibavif(example: Example) throws {
    let bytes = Self.values(53, 29, 7)
    let map = try #require(RasterImage(width: Self.width, height: Self.height, layout: .rgb, bytes: bytes))
    let gainMap = GainMap(try Self.metadata(example), image: map, alternateProfile: example.alternate)
    let applied = try gainMap.applied(to: Self.base(example.profile), headroom: example.headrooms.shown)
    #expect(applied.profile == .light(.pq))
    let differences = zip(Self.codes(applied), example.codes).map { abs($0 - $1) }
    #expect(differences.count == 24)
    #expect(differences.max() ?? .max <= 6, "\(Self.codes(applied))")
  }

  /// Samples coded with BT.709: 0.5 is light 0.2598.
  @Test func applesFormulaIsItsOwn() throws {
    var channel = GainMapMetadata.Channel()
    (channel.maximum, channel.baseOffset, channel.alternateOffset) = (2, 0, 0)
    let metadata = try GainMapMetadata(.apple, channels: [channel], baseHeadroom: 0, alternateHeadroom: 2)
    let base = try #require(RasterImage(width: 1, height: 1, layout: .gray, bytes: [255]))
    let format = PixelFormat(layout: .gray, bitDepth: 16)
    let image = try #require(
      RasterImage(width: 1, height: 1, format: format, samples: .words([UInt16(0x8000)])))
    let map = GainMap(metadata, image: image)
    for (headroom, factor) in [(0.0, 1.0), (1, 1.2597), (2, 1.7790), (5, 1.7790)] {
      let code = Self.codes(try map.applied(to: base, headroom: headroom))[0]
      let expected = TransferFunction.pq.encoded(203 * factor / 10_000) * 65535
      #expect(abs(Double(code) - expected) < 4, "\(headroom)")
    }
  }

  /// A map of two samples on a base of four columns: a quarter and three quarters.
  @Test func samplesBetweenThoseOfTheMapAreInterpolated() throws {
    var channel = GainMapMetadata.Channel()
    (channel.baseOffset, channel.alternateOffset) = (0, 0)
    let metadata = try GainMapMetadata(.iso, channels: [channel], baseHeadroom: 0, alternateHeadroom: 1)
    let base = try #require(
      RasterImage(width: 4, height: 1, layout: .gray, bytes: [128, 128, 128, 128]))
    let image = try #require(RasterImage(width: 2, height: 1, layout: .gray, bytes: [0, 255]))
    let codes = Self.codes(try GainMap(metadata, image: image).applied(to: base, headroom: 1))
    let light = SRGBCurve.table(maximum: 255)[128]
    let expected = [0, 0.25, 0.75, 1].map { stops in
      TransferFunction.pq.encoded(Double(light) * 203 / 10_000 * (pow2(stops))) * 65535
    }
    for (x, code) in expected.enumerated() { #expect(abs(Double(codes[3 * x]) - code) < 2, "\(x)") }
  }

  private func pow2(_ stops: Double) -> Double { [0: 1, 0.25: 1.189207, 0.75: 1.681793, 1: 2][stops] ?? 0 }

  @Test(arguments: [
    (2, 0, "minimum is not finite"), (0, 1, "gamma is 0"), (-1, 2, "minimum is above its maximum"),
    (100, 3, "maximum is above 64"),
  ])
  func impossibleValuesAreRefusedByName(value: Double, place: Int, reason: String) {
    var channel = GainMapMetadata.Channel()
    switch place {
    case 0: channel.minimum = -.infinity
    case 1: channel.gamma = value
    case 2: channel.maximum = value
    default: channel.maximum = value
    }
    #expect {
      _ = try GainMapMetadata(.iso, channels: [channel], baseHeadroom: 0, alternateHeadroom: 1)
    } throws: {
      ($0 as? PixelError)?.description.contains(reason) == true
    }
  }

  @Test(arguments: [Double.infinity, .nan, -1, 65]) func impossibleHeadroomsAreRefused(headroom: Double) {
    #expect(throws: PixelError.self) {
      try GainMapMetadata(.iso, channels: [.init()], baseHeadroom: 0, alternateHeadroom: headroom)
    }
  }
}
