import CodecKit
import Foundation
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

@Suite struct TIFFReaderTests {
  private static let reader = TIFFReader()

  typealias Page = TIFFFile.Page

  /// Samples that differ from each other as much as their bits allow.
  static func samples(_ width: Int, _ height: Int, channels: Int, bits: Int = 8) -> [Int] {
    (0..<width * height * channels).map { ($0 * 2_654_435_761 >> 7) & ((1 << bits) - 1) }
  }

  static func page(_ width: Int, _ height: Int, channels: Int, bits: Int = 8, photometric: Int) -> Page {
    var page = Page(
      width: width, height: height, samples: samples(width, height, channels: channels, bits: bits),
      photometric: photometric)
    page.bits = bits
    return page
  }

  static func read(_ file: [UInt8], _ limits: ReadLimits = ReadLimits()) throws -> SourceImage {
    try reader.read(file, limits: limits)
  }

  static func values(_ image: RasterImage) -> [Int] {
    switch image.samples {
    case .bytes(let bytes): bytes.map(Int.init)
    case .words(let words): words.map(Int.init)
    }
  }

  /// The message with which a file is refused.
  static func refusal(_ file: [UInt8]) -> String? {
    do {
      _ = try reader.header(of: file)
      _ = try read(file)
      return nil
    } catch { return "\(error)" }
  }

  private func stretched(_ samples: [Int], bits: Int) -> [Int] {
    bits < 8 ? samples.map { $0 * 255 / ((1 << bits) - 1) } : samples
  }

  /// Every way to store the same picture.
  private func ways(_ page: Page) -> [(Page, isBigEndian: Bool, isBig: Bool)] {
    var pages: [Page] = []
    for isSeparate in page.samplesPerPixel > 1 ? [false, true] : [false] {
      for isPackBits in [false, true] {
        var page = page
        (page.isSeparate, page.isPackBits) = (isSeparate, isPackBits)
        pages.append(page)
        page.rowsPerStrip = 5
        pages.append(page)
        page.tile = (16, 32)
        pages.append(page)
      }
    }
    return pages.flatMap { page in
      [(page, false, false), (page, true, false), (page, false, true), (page, true, true)]
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16])
  func readsGray(bits: Int) throws {
    for (page, isBigEndian, isBig) in ways(Self.page(37, 41, channels: 1, bits: bits, photometric: 1)) {
      let file = TIFFFile.file(page, isBigEndian: isBigEndian, isBig: isBig)
      let source = try Self.read(file)
      #expect(Self.values(source.image) == stretched(page.samples, bits: bits))
      #expect(source.image.format == PixelFormat(layout: .gray, bitDepth: max(8, bits)))
      #expect(source.notes.isEmpty && source.orientation == .up && source.image.profile == .sRGB)
      let header = try Self.reader.header(of: file)
      #expect((header.width, header.height, header.bitDepth) == (37, 41, bits))
      #expect(header.layout == .gray && !header.isLossy && header.format == "tiff")
    }
  }

  @Test(arguments: [1, 8, 16])
  func zeroMayBeWhite(bits: Int) throws {
    let page = Self.page(21, 9, channels: 1, bits: bits, photometric: 0)
    let maximum = (1 << bits) - 1
    let image = try Self.read(TIFFFile.file(page)).image
    #expect(Self.values(image) == stretched(page.samples.map { maximum - $0 }, bits: bits))
  }

  @Test(arguments: [4, 8, 12, 16])
  func readsColour(bits: Int) throws {
    for (page, isBigEndian, isBig) in ways(Self.page(37, 41, channels: 3, bits: bits, photometric: 2)) {
      let image = try Self.read(TIFFFile.file(page, isBigEndian: isBigEndian, isBig: isBig)).image
      #expect(Self.values(image) == stretched(page.samples, bits: bits))
      #expect(image.format == PixelFormat(layout: .rgb, bitDepth: max(8, bits)))
    }
  }

  @Test(arguments: [1, 4, 8])
  func readsPalettes(bits: Int) throws {
    let colours = (0..<3 << bits).map { ($0 * 37) & 255 }
    for factor in [1, 256, 257] {
      for (page, isBigEndian, isBig) in ways(Self.page(19, 33, channels: 1, bits: bits, photometric: 3)) {
        var page = page
        page.tags[320] = .shorts(colours.map { $0 * factor })
        let image = try Self.read(TIFFFile.file(page, isBigEndian: isBigEndian, isBig: isBig)).image
        #expect(image.format == PixelFormat(layout: .rgb))
        #expect(
          Self.values(image) == page.samples.flatMap { index in (0..<3).map { colours[$0 << bits + index] } })
      }
    }
  }

  @Test(arguments: [8, 16])
  func alphaIsStraight(bits: Int) throws {
    let full = (1 << bits) - 1
    var page = Page(
      width: 3, height: 1, samples: [full / 4, 0, full / 2, full / 2, 9, 9, 9, 0, 7, 8, 9, full],
      photometric: 2)
    page.bits = bits
    page.tags[338] = .shorts([2])
    #expect(Self.values(try Self.read(TIFFFile.file(page)).image) == page.samples)
    page.tags[338] = .shorts([1])
    let image = try Self.read(TIFFFile.file(page)).image
    #expect(image.format.layout == .rgba)
    #expect(Self.values(image) == [bits == 8 ? 126 : 32_766, 0, full, full / 2, 0, 0, 0, 0, 7, 8, 9, full])
  }

  @Test(arguments: [1, 2])
  func indicesOfAPaletteAreNotDividedByAlpha(kind: Int) throws {
    let colours = (0..<3 << 8).map { ($0 * 37) & 255 }
    var page = Page(width: 2, height: 1, samples: [9, 128, 40, 255], photometric: 3)
    page.tags[320] = .shorts(colours.map { $0 * 257 })
    page.tags[338] = .shorts([kind])
    let image = try Self.read(TIFFFile.file(page)).image
    func colour(_ index: Int) -> [Int] { (0..<3).map { colours[$0 << 8 + index] } }
    #expect(image.format == PixelFormat(layout: .rgba))
    #expect(Self.values(image) == colour(9) + [128] + colour(40) + [255])
  }

  @Test func extraSamplesAreSaid() throws {
    var page = Self.page(5, 4, channels: 6, photometric: 2)
    page.tags[338] = .shorts([0, 2, 0])
    let source = try Self.read(TIFFFile.file(page))
    #expect(source.notes == ["2 extra samples per pixel ignored"])
    #expect(source.image.format.layout == .rgba)
    #expect(
      Self.values(source.image)
        == page.samples.indices.filter { [0, 1, 2, 4].contains($0 % 6) }.map { page.samples[$0] })
  }

  @Test func cmykIsConverted() throws {
    let page = Page(width: 2, height: 1, samples: [0, 0, 0, 0, 255, 0, 0, 0], photometric: 5)
    let source = try Self.read(TIFFFile.file(page))
    #expect(source.image.samples == .bytes([255, 255, 255, 0, 255, 255]))
    #expect(source.notes == ["CMYK converted to RGB without a profile"])
    var deep = Page(width: 1, height: 1, samples: [65_535, 0, 0, 0, 128 * 257], photometric: 5)
    deep.bits = 16
    deep.tags[338] = .shorts([2])
    #expect(try Self.read(TIFFFile.file(deep)).image.samples == .bytes([0, 255, 255, 128]))
  }

  @Test func orientationsAreTold() throws {
    for number in 0...9 {
      var page = Self.page(5, 4, channels: 1, photometric: 1)
      page.tags[274] = .shorts([number])
      #expect(try Self.read(TIFFFile.file(page)).orientation == Orientation(rawValue: number) ?? .up)
    }
  }

  @Test func profilesComeBackByteForByte() throws {
    let icc = try #require(TestProfiles.displayP3?.iccBytes)
    var page = Self.page(5, 4, channels: 3, photometric: 2)
    page.tags[34675] = .bytes(icc)
    #expect(try Self.read(TIFFFile.file(page)).image.profile == .icc(icc))
  }

  @Test func statementsOfColourAreMadeIntoAProfile() throws {
    var page = Self.page(5, 4, channels: 3, photometric: 2)
    let p3 = [(680, 1000), (320, 1000), (265, 1000), (690, 1000), (150, 1000), (60, 1000)]
    page.tags[318] = .rationals([(3127, 10_000), (3290, 10_000)])
    page.tags[319] = .rationals(p3)
    let wide = try Self.read(TIFFFile.file(page))
    #expect(wide.image.profile.title == "RGB Display P3, sRGB")
    #expect(wide.notes == ["PrimaryChromaticities/TransferFunction converted to an ICC profile"])
    page.tags[319] = .rationals([(640, 1000), (330, 1000), (300, 1000), (600, 1000), (150, 1000), (60, 1000)])
    #expect(try Self.read(TIFFFile.file(page)).image.profile == .sRGB)
    page.tags[301] = .shorts((0..<256).map { $0 * 257 })
    #expect(try Self.read(TIFFFile.file(page)).image.profile.title == "RGB BT.709, linear")
    page.tags[301] = .shorts((0..<256).map { $0 < 128 ? 0 : 65_535 })
    #expect(try Self.read(TIFFFile.file(page)).notes == ["TransferFunction of an unknown shape ignored"])
  }

  @Test func whatIsNotSupportedIsNamed() {
    func refusal(_ change: (inout Page) -> Void) -> String {
      var page = Self.page(5, 4, channels: 3, photometric: 2)
      change(&page)
      return Self.refusal(TIFFFile.file(page)) ?? "read"
    }
    let depth = "; convert it to 8 or 16 bits per sample first"
    let vips = "; convert it first: vips copy FILE.tif FILE.png"
    #expect(
      refusal { $0.tags = [258: .shorts([32, 32, 32]), 339: .shorts([3, 3, 3])] }
        == "TIFF with 32-bit floating-point samples\(depth)")
    #expect(refusal { $0.tags[258] = .shorts([32, 32, 32]) } == "TIFF with 32 bits per sample\(depth)")
    #expect(refusal { $0.tags[339] = .shorts([2, 2, 2]) } == "TIFF with signed samples\(depth)")
    #expect(
      refusal { $0.tags[258] = .shorts([5, 6, 5]) }
        == "TIFF with samples of different depths (5, 6, 5 bits)\(depth)")
    #expect(refusal { $0.tags[259] = .shorts([33005]) } == "TIFF with JPEG 2000 compression\(vips)")
    #expect(refusal { $0.tags[259] = .shorts([4711]) } == "TIFF with the compression 4711\(vips)")
    #expect(
      refusal { $0.photometric = 8 }
        == "TIFF in CIELab; convert it first: vips colourspace FILE.tif FILE.png srgb")
    #expect(refusal { $0.photometric = 5 } == "CMYK TIFF with 3 samples per pixel")
    #expect(
      refusal {
        ($0.photometric, $0.isSeparate) = (6, true)
        $0.tags[259] = .shorts([7])
      } == "YCbCr TIFF with JPEG compression of separate planes\(vips)")
    #expect(
      refusal {
        $0.photometric = 3
        $0.tags[259] = .shorts([6])
      } == "TIFF with old-style JPEG compression of palette, 3 samples of 8 bits\(vips)")
  }

  /// One sample for each pixel, where libtiff's raster has three.
  @Test func grayOldStyleJPEGIsRead() throws {
    let jpeg = [UInt8](
      try #require(
        Data(
          base64Encoded: """
            /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAx\
            NDQ0Hyc5PTgyPC4zNDL/wAALCAAQABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAABAf/xAAYEAACAwAAAAAAAAAAAAAAAAAAAgZj\
            of/aAAgBAQAAPwCdJDq8EJDq8LykOrwQkOrw/9k=
            """)))
    var page = Self.page(16, 16, channels: 1, photometric: 1)
    // The only strip begins after the 8 bytes of the file's header.
    (page.data, page.tags) = (
      [jpeg], [259: .shorts([6]), 513: .longs([8]), 514: .longs([jpeg.count])]
    )
    let source = try Self.read(TIFFFile.file(page))
    #expect(source.image.format.layout == .gray)
    #expect(
      try Self.values(source.image) == Self.values(JPEGReader().read(jpeg, limits: ReadLimits()).image))
  }

  /// The message has the share of strips or tiles that cannot be decoded, and nothing is shown in their place.
  @Test func damageIsNamedWithItsShare() throws {
    for tile in [nil, (16, 16)] as [(width: Int, height: Int)?] {
      var page = Self.page(32, 64, channels: 3, photometric: 2)
      (page.tile, page.rowsPerStrip, page.isPackBits) = (tile, 16, true)
      let sizes = TIFFFile.sizes(of: page)
      page.tags[tile == nil ? 279 : 325] = .longs(sizes.enumerated().map { $0 == 1 ? 1 : $1 })
      let refusal = try #require(Self.refusal(TIFFFile.file(page)))
      #expect(
        refusal.hasPrefix(
          tile == nil
            ? "truncated or damaged TIFF: 25 % of the picture is missing (1 of 4 strips;"
            : "truncated or damaged TIFF: 13 % of the picture is missing (1 of 8 tiles;"), "\(refusal)")
    }
    var single = Self.page(32, 64, channels: 3, photometric: 2)
    (single.isPackBits, single.rowsPerStrip) = (true, 1)
    let rows = TIFFFile.sizes(of: single).prefix(48)
    single.rowsPerStrip = 64
    single.tags[279] = .longs([rows.reduce(0, +)])
    let broken = TIFFFile.file(single)
    let refusal = try #require(Self.refusal(broken))
    #expect(
      refusal.hasPrefix("truncated or damaged TIFF: 25 % of the picture is missing (the rows from 49 on;"))
  }

  /// Cut off anywhere, or with random bytes changed, a file is read or refused, and nothing else happens.
  @Test func damagedFilesAreReadOrRefused() throws {
    var generator = SeededGenerator(seed: 11)
    for (page, isBigEndian, isBig) in ways(Self.page(19, 23, channels: 3, photometric: 2)).prefix(12) {
      let file = TIFFFile.file(page, isBigEndian: isBigEndian, isBig: isBig)
      // The directory is at the end, so a truncated file lacks it.
      for length in stride(from: 0, to: file.count, by: 97) {
        #expect(Self.refusal(Array(file.prefix(length))) != nil, "the first \(length) bytes")
      }
      for count in [1, 3, 20] {
        let directory = file.suffix(300)
        let broken = file.dropLast(300) + Array(directory).damaged(at: count, using: &generator)
        _ = Self.refusal(Array(broken))
        _ = try? Self.reader.contents(of: Array(broken))
      }
    }
  }

  @Test func contentsAreCounted() throws {
    var page = Self.page(5, 4, channels: 3, bits: 16, photometric: 2)
    page.tags[700] = .bytes([UInt8](repeating: 60, count: 100))
    page.tags[33723] = .bytes([UInt8](repeating: 28, count: 40))
    page.tags[271] = .text("Canon")
    page.tags[272] = .text("Canon EOS R5")
    page.tags[305] = .text("VueScan")
    var preview = Self.page(2, 2, channels: 3, photometric: 2)
    preview.tags[254] = .longs([1])
    let contents = try Self.reader.contents(of: TIFFFile().file([page, preview]))
    #expect(contents.bytes(of: .xmp) == 100 && contents.bytes(of: .iptc) == 40)
    #expect(contents.bytes(of: .thumbnail) == 12 && contents.shares[.deepSamples] != nil)
    #expect(contents.making.camera == "Canon EOS R5" && contents.making.software == "VueScan")
  }

  @Test func pixelLimitHoldsBeforeDecoding() throws {
    let file = TIFFFile.file(Self.page(50, 40, channels: 1, photometric: 1))
    #expect(throws: CodecError.self) { try Self.read(file, ReadLimits(maximumPixels: 1_999)) }
    var huge = Self.page(5, 4, channels: 1, photometric: 1)
    huge.tile = (16, 16)
    huge.tags[322] = .longs([1 << 20])
    huge.tags[323] = .longs([1 << 20])
    #expect(Self.refusal(TIFFFile.file(huge))?.contains("tiles of 1048576×1048576 pixels") == true)
  }
}
