import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

@Suite struct PNGReaderTests {
  private let reader = PNGReader()

  private func read(_ bytes: [UInt8], _ limits: ReadLimits = ReadLimits()) throws -> SourceImage {
    try reader.read(bytes, limits: limits)
  }

  private func gamma(_ value: UInt32) -> (name: String, body: [UInt8]) { ("gAMA", PNGFile.bytes(value)) }

  private func chromaticities(_ values: [UInt32]) -> (name: String, body: [UInt8]) {
    ("cHRM", values.flatMap(PNGFile.bytes))
  }

  private static let sRGBPrimaries: [UInt32] = [31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000]
  private static let p3Primaries: [UInt32] = [31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000]

  @Test(arguments: ChannelLayout.allCases, [8, 10, 12, 16])
  func whatTheWriterWritesComesBack(layout: ChannelLayout, bitDepth: Int) throws {
    let image = try #require(SyntheticImage.waves(width: 37, height: 23, layout: layout, bitDepth: bitDepth))
    let file = try PNGWriter().write(image)
    #expect(try PNGWriter().write(image) == file)
    let source = try read(file)
    #expect(source.notes.isEmpty && source.orientation == .up && source.image.profile == .sRGB)
    #expect(source.image.format == PixelFormat(layout: layout, bitDepth: bitDepth == 8 ? 8 : 16))
    if bitDepth == 8 || bitDepth == 16 {
      #expect(source.image == image)
    } else if case .words(let stored) = source.image.samples, case .words(let original) = image.samples {
      #expect(stored.map { $0 >> UInt16(16 - bitDepth) } == original)
    }
    let header = try reader.header(of: file)
    #expect(header.width == 37 && header.height == 23 && header.layout == layout && !header.isLossy)
  }

  @Test func profilesComeBackByteForByte() throws {
    for (layout, profile) in [
      (ChannelLayout.rgba, TestProfiles.displayP3), (.grayAlpha, TestProfiles.linearGray),
    ] {
      let image = try #require(SyntheticPixels.image(layout)).tagged(try #require(profile))
      #expect(try read(PNGWriter().write(image)).image == image)
    }
  }

  @Test func gammaAndPrimariesOfSRGBNeedNoProfile() throws {
    #expect(try read(PNGFile.with([])).image.profile == .sRGB)
    #expect(try read(PNGFile.with([gamma(45455)])).image.profile == .sRGB)
    let both = try PNGFile.with([gamma(45455), chromaticities(Self.sRGBPrimaries)])
    #expect(try read(both).image.profile == .sRGB)
  }

  @Test func otherGammaAndPrimariesBecomeAProfile() throws {
    let linear = try read(PNGFile.with([gamma(100_000)]))
    #expect(linear.image.profile.title == "RGB BT.709, linear")
    #expect(linear.notes == ["gAMA/cHRM converted to an ICC profile"])
    let wide = try read(PNGFile.with([gamma(45455), chromaticities(Self.p3Primaries)]))
    #expect(wide.image.profile.title == "RGB Display P3, sRGB")
    let gray = try read(PNGFile.with([gamma(55556), chromaticities(Self.p3Primaries)], layout: .gray))
    #expect(gray.image.profile.title == "Gray gamma 1.8")
  }

  @Test(arguments: [0, 1, 9_999, 2_000_000, 0xFFFF_FFFF] as [UInt32])
  func senselessGammaIsIgnored(value: UInt32) throws {
    let source = try read(PNGFile.with([gamma(value)]))
    #expect(source.image.profile == .sRGB)
    #expect(source.notes == ["invalid gAMA/cHRM ignored"])
  }

  @Test func senselessPrimariesAreIgnored() throws {
    let flat = try PNGFile.with([chromaticities([UInt32](repeating: 30000, count: 8))])
    #expect(try read(flat).image.profile == .sRGB)
  }

  @Test func precedenceFollowsTheStandard() throws {
    let sRGB: (name: String, body: [UInt8]) = ("sRGB", [0])
    let codePoints: (name: String, body: [UInt8]) = ("cICP", [9, 8, 0, 1])
    #expect(try read(PNGFile.with([sRGB, gamma(100_000)])).image.profile == .sRGB)
    #expect(try read(PNGFile.with([codePoints, sRGB])).image.profile.title == "RGB BT.2020, linear")
    #expect(try read(PNGFile.with([("cICP", [0, 13, 0, 1]), gamma(100_000)])).image.profile.title != "sRGB")
  }

  /// The expected samples are (v − 16) · 255 / 219; alpha stays.
  @Test func samplesOfLimitedRangeAreExpanded() throws {
    let ofHDR = ReadLimits(light: HDRViewing(source: .file))
    let cases: [(points: [UInt8], limits: ReadLimits)] = [([1, 13], ReadLimits()), ([9, 16], ofHDR)]
    for (points, limits) in cases {
      let image = try read(PNGFile.with([("cICP", points + [0, 0])], layout: .rgba), limits).image
      #expect(
        image.samples
          == .bytes([0, 0, 16, 45, 51, 69, 86, 105, 121, 139, 156, 165, 191, 208, 226, 225]))
    }
    // The ends of the range, and its middle.
    let header = PNGFile.bytes(3) + PNGFile.bytes(1) + [16, 0, 0, 0, 0]
    let chunks: [(String, [UInt8])] = [
      ("IHDR", header), ("cICP", [1, 13, 0, 0]),
      ("IDAT", PNGFile.stored([0, 0x10, 0, 0xEB, 0, 0x7D, 0x80])), ("IEND", []),
    ]
    let gray = try read(PNGChunks.signature + chunks.flatMap { PNGFile.chunk($0.0, $0.1) }).image
    #expect(gray.samples == .words([0, 65_535, 32_768]))
  }

  @Test func damagedColourChunksCountForNothing() throws {
    let file = try PNGFile.with([gamma(100_000)], breakingChecksums: true)
    #expect(try read(file).image.profile == .sRGB)
  }

  @Test func exifTurnsThePicture() throws {
    let exif: [UInt8] = Array("MM\0*\0\0\0\u{8}\0\u{1}\u{1}\u{12}\0\u{3}\0\0\0\u{1}\0\u{6}\0\0".utf8)
    #expect(try read(PNGFile.with([("eXIf", exif)])).orientation == .right)
    let other = exif.dropLast(3) + [1, 0, 0]
    #expect(try read(PNGFile.with([("eXIf", exif), ("eXIf", Array(other))])).orientation == .right)
    #expect(try read(PNGFile.with([("eXIf", Array(other)), ("eXIf", exif)])).orientation == .up)
  }

  /// libpng ignores transparency that comes before the palette or has the wrong length.
  @Test func transparencyThatIsLeftOutIsSaid() throws {
    func file(_ chunks: [(String, [UInt8])]) -> [UInt8] {
      let kind: [UInt8] = [8, 3, 0, 0, 0]
      let all: [(String, [UInt8])] =
        [("IHDR", PNGFile.bytes(2) + PNGFile.bytes(1) + kind)] + chunks
        + [("IDAT", PNGFile.stored([0, 0, 1])), ("IEND", [])]
      return PNGChunks.signature + all.flatMap { PNGFile.chunk($0.0, $0.1) }
    }
    let palette: (String, [UInt8]) = ("PLTE", [10, 20, 30, 40, 50, 60])
    let right = try read(file([palette, ("tRNS", [0, 128])]))
    #expect(right.image.format.layout == .rgba && right.notes.isEmpty)
    let cases: [(chunks: [(String, [UInt8])], cause: String)] = [
      ([("tRNS", [0, 128]), palette], "comes before the palette"),
      ([palette, ("tRNS", [0, 128, 7])], "has the wrong length"),
    ]
    for (chunks, cause) in cases {
      let source = try read(file(chunks))
      #expect(source.image.format.layout == .rgb)
      #expect(source.notes.first == "transparency left out: tRNS \(cause)")
      #expect(try reader.header(of: file(chunks)).layout == .rgb)
    }
    let rgb = try read(PNGFile.with([("tRNS", [0, 0, 0, 15, 0, 30]), palette]))
    #expect(rgb.image.format.layout == .rgb)
    #expect(rgb.notes.first == "transparency left out: tRNS comes before the palette")
  }

  @Test func transparencyOfOneColourBecomesAlpha() throws {
    let file = try PNGFile.with([("tRNS", [0, 0, 0, 15, 0, 30])])
    #expect(try reader.header(of: file).layout == .rgba)
    let image = try read(file).image
    #expect(image.format.layout == .rgba)
    #expect(try Array(image.samples.eightBits().prefix(8)) == [0, 15, 30, 0, 45, 60, 75, 255])
  }

  @Test func aBombIsRefusedByItsHeader() {
    let bomb = PNGFile.header(width: 60_000, height: 60_000)
    #expect { _ = try read(bomb) } throws: { error in
      if case CodecError.limitExceeded = error { true } else { false }
    }
    let largest = PNGFile.header(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF)
    #expect(throws: CodecError.self) { try read(largest, ReadLimits(maximumPixels: .max)) }
  }

  @Test func damageIsAnErrorNotHalfAnImage() throws {
    let file = try PNGWriter().write(try #require(SyntheticImage.waves(width: 64, height: 64)))
    for length in [0, 7, 8, 20, 33, 60, file.count / 2, file.count - 13, file.count - 1] {
      #expect(throws: CodecError.self, "\(length) bytes") { try read(Array(file.prefix(length))) }
    }
    var damaged = file
    damaged[file.count / 2] ^= 1
    #expect(throws: CodecError.self) { try read(damaged) }
  }
}
