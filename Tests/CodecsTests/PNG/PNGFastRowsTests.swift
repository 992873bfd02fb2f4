import CPNGShim
import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// Rows read without libpng equal libpng's, in every layout and depth, with every filter, or the fast reader gives up.
@Suite struct PNGFastRowsTests {
  private static let channels: [UInt8: Int] = [0: 1, 4: 2, 2: 3, 6: 4]

  /// A picture of noise. Any bytes are a valid filtered row.
  private struct NoisePNG {
    let width: Int
    let height: Int
    let colorType: UInt8
    let bitDepth: UInt8
    private(set) var imageData: [UInt8] = []
    private(set) var head: [UInt8]

    var stride: Int { width * (channels[colorType] ?? 0) * Int(bitDepth) / 8 }

    init(colorType: UInt8, bitDepth: UInt8, using generator: inout SeededGenerator) {
      (self.colorType, self.bitDepth) = (colorType, bitDepth)
      width = .random(in: 1...70, using: &generator)
      height = .random(in: 1...40, using: &generator)
      let header =
        PNGFile.bytes(UInt32(width)) + PNGFile.bytes(UInt32(height)) + [bitDepth, colorType, 0, 0, 0]
      head = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + PNGFile.chunk("IHDR", header)
      var rows: [UInt8] = []
      for _ in 0..<height {
        rows.append(.random(in: 0...4, using: &generator))
        for _ in 0..<stride { rows.append(.random(in: 0...255, using: &generator)) }
      }
      var left = PNGFile.stored(rows)[...]
      while !left.isEmpty {
        let count = min(left.count, .random(in: 0...3000, using: &generator))
        imageData += PNGFile.chunk("IDAT", Array(left.prefix(count)))
        left = left.dropFirst(count)
      }
      if Bool.random(using: &generator) { imageData += PNGFile.chunk("IDAT", []) }
    }

    /// The rows without libpng; nil if the fast reader gives up.
    func fastRows(_ data: [UInt8]) -> [UInt8]? {
      let distance = (channels[colorType] ?? 0) * Int(bitDepth) / 8
      var rows = hb_png_rows(
        height: UInt32(height), stride: stride, distance: Int32(distance), swaps: bitDepth == 16 ? 1 : 0)
      var pixels = [UInt8](repeating: 0, count: stride * height)
      return hb_png_read_fast(data, data.count, &rows, &pixels) == 1 ? pixels : nil
    }

    /// The pixels from libpng. A chunk with a wrong checksum, which libpng forgives, keeps the fast reader away.
    func slowRows(_ data: [UInt8]) throws -> [UInt8] {
      let end = PNGFile.chunk("IEND", [])
      let file = head + data.dropLast(end.count) + PNGFile.chunk("teSt", [1], breakingChecksum: true) + end
      return switch try PNGReader().read(file, limits: ReadLimits()).image.samples {
      case .bytes(let bytes): bytes
      case .words(let words): words.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
      }
    }
  }

  private var isInstalled: Bool {
    var generator = SeededGenerator(seed: 1)
    let picture = NoisePNG(colorType: 0, bitDepth: 8, using: &generator)
    return picture.fastRows(picture.imageData + PNGFile.chunk("IEND", [])) != nil
  }

  @Test(arguments: [0, 2, 4, 6] as [UInt8], [8, 16] as [UInt8])
  func rowsAreThoseOfLibpng(colorType: UInt8, bitDepth: UInt8) throws {
    try #require(isInstalled, "ISA-L is missing: scripts/setup installs it")
    var generator = SeededGenerator(seed: UInt64(colorType) << 8 | UInt64(bitDepth))
    for _ in 0..<20 {
      let picture = NoisePNG(colorType: colorType, bitDepth: bitDepth, using: &generator)
      let data = picture.imageData + PNGFile.chunk("IEND", [])
      #expect(try picture.fastRows(data) == picture.slowRows(data))
    }
  }

  @Test func brokenFilesAreLeftToLibpng() throws {
    var generator = SeededGenerator(seed: 7)
    for round in 0..<300 {
      let picture = NoisePNG(colorType: 2, bitDepth: 8, using: &generator)
      var data = picture.imageData + PNGFile.chunk("IEND", [])
      if round % 3 == 0 {
        data = Array(data.prefix(.random(in: 0..<data.count, using: &generator)))
      } else {
        data[.random(in: 0..<data.count, using: &generator)] ^=
          1 << UInt8.random(in: 0...7, using: &generator)
      }
      #expect(picture.fastRows(data) == nil)
    }
  }

  @Test func whatIsNotPlainIsLeftToLibpng() throws {
    var generator = SeededGenerator(seed: 9)
    let picture = NoisePNG(colorType: 2, bitDepth: 8, using: &generator)
    let end = PNGFile.chunk("IEND", [])
    #expect(picture.fastRows(picture.imageData) == nil, "no end")
    #expect(picture.fastRows(picture.imageData + PNGFile.chunk("eXIf", [1]) + end) != nil)
    #expect(picture.fastRows(picture.imageData + PNGFile.chunk("PLTE", [1, 2, 3]) + end) == nil)
    #expect(picture.fastRows(picture.imageData + PNGFile.chunk("tRNS", [1]) + end) == nil)
    #expect(
      picture.fastRows(picture.imageData + PNGFile.chunk("eXIf", [1], breakingChecksum: true) + end) == nil)
    #expect(picture.fastRows(picture.imageData + picture.imageData + end) == nil)
    #expect(picture.fastRows([]) == nil)
    let other = NoisePNG(colorType: 6, bitDepth: 16, using: &generator)
    #expect(picture.fastRows(other.imageData + end) == nil, "rows of another size")
  }
}

extension PNGFastRowsTests {
  @Test(arguments: ChannelLayout.allCases, [(1, 1), (37, 23), (700, 400)])
  func previewsAreWhatLibpngReads(layout: ChannelLayout, size: (width: Int, height: Int)) throws {
    for bitDepth in [8, 16] {
      let image = try #require(
        SyntheticImage.waves(width: size.width, height: size.height, layout: layout, bitDepth: bitDepth))
      let file = try PNGWriter().preview(image)
      #expect(try PNGReader().read(file, limits: ReadLimits()).image == image)
      let end = PNGFile.chunk("IEND", [])
      try #require(file.suffix(end.count).elementsEqual(end))
      let unusual = file.dropLast(end.count) + PNGFile.chunk("teSt", [1], breakingChecksum: true) + end
      let slow = try PNGReader().read(Array(unusual), limits: ReadLimits())
      #expect(slow.image == image)
    }
  }

  @Test(arguments: [(1, 1), (37, 23), (700, 400)], [1, 2, 255, 256])
  func picturesOfFewColoursAreWhatLibpngReads(size: (width: Int, height: Int), colours: Int) throws {
    var generator = SeededGenerator(seed: 4)
    let picture = try #require(
      IndexedPicture(
        width: size.width, height: size.height,
        palette: (0..<3 * colours).map { _ in .random(in: 0...255, using: &generator) },
        indices: (0..<size.width * size.height).map { UInt8($0 / 3 % colours) }))
    let file = try PNGWriter().preview(picture)
    #expect(try PNGReader().read(file, limits: ReadLimits()).image == picture.raster)
  }

  /// Phones write bytes after a profile's end, which libpng does not accept.
  @Test func bytesBehindAProfileAreLeftOut() throws {
    let icc = try #require(ColorProfiles.icc(primaries: .displayP3, transfer: .sRGB))
    func file(_ profile: [UInt8]) throws -> [UInt8] {
      let waves = try #require(SyntheticImage.waves(width: 20, height: 10))
      let image = RasterImage(
        width: 20, height: 10, format: waves.format, profile: .icc(profile), samples: waves.samples)
      return try PNGWriter().write(try #require(image))
    }
    let plain = try file(icc)
    #expect(try file(icc + [0, 0]) == plain && file(icc + [UInt8](repeating: 9, count: 300)) == plain)
    // A profile that ends too early is still refused.
    #expect(throws: CodecError.self) { try file(icc.dropLast(200)) }
  }
}
