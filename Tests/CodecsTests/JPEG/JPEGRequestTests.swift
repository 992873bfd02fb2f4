import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

struct JPEGRequestTests {
  let reader = JPEGReader()

  static let variants = ["jpeg", "jpeg:chroma=422", "jpeg:chroma=444", "jpeg:progressive=true"]

  private func file(_ variant: String, width: Int, height: Int) throws -> [UInt8] {
    let image = try #require(SyntheticImage.waves(width: width, height: height))
    let variant = try CodecRegistry.standard.variant(variant)
    let codec = JPEGCodec()
    let quality = try #require(Quality(thousandths: 800))
    return try codec.encode(
      image, EncodeSettings(variant: variant, quality: quality, traits: codec.traits))
  }

  /// Every pixel of a region equals the whole picture's, wherever the region begins.
  @Test(arguments: variants) func regionsAreExact(variant: String) throws {
    let bytes = try file(variant, width: 259, height: 131)
    let whole = try #require(reader.decode(bytes, .full, limits: ReadLimits()).raster)
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<60 {
      let region = PixelRegionTesting.region(in: whole, &generator)
      let part = try reader.decode(bytes, .region(region), limits: ReadLimits())
      #expect(part.raster == whole.cropped(to: region), "\(region)")
      #expect(part.region == region)
    }
  }

  private static let jpegtran = OutsideTool("jpegtran")

  /// Rows between restart markers decode without the rows above them: with markers at every row of units, at every
  /// third row, and several in a row.
  @Test(
    .enabled(if: jpegtran.path != nil, "SKIPPED: needs jpegtran (package libjpeg-turbo-progs)"),
    arguments: ["jpeg", "jpeg:chroma=422", "jpeg:chroma=444"], ["1", "3", "17B", "4B"])
  func bandsBetweenRestartMarkersAreExact(variant: String, interval: String) throws {
    // 17 units in a row at 4:2:0 and 4:2:2, 34 at 4:4:4.
    let plain = try file(variant, width: 270, height: 331)
    let bytes = try Self.jpegtran.output(
      of: plain, named: "in.jpg", as: "out.jpg", ["-restart", interval, "-outfile", "{out}", "{in}"])
    let whole = try #require(reader.decode(plain, .full, limits: ReadLimits()).raster)
    var generator = SeededGenerator(seed: 14)
    for _ in 0..<40 {
      let region = PixelRegionTesting.region(in: whole, largest: 90, &generator)
      let part = try reader.decode(bytes, .region(region), limits: ReadLimits())
      #expect(part.raster == whole.cropped(to: region), "\(region)")
      let isBand = part.notes.contains("only the rows between restart markers")
      // Four units do not end with the row, and a band must have rows to leave out.
      #expect(isBand == (interval != "4B"), "\(region) \(part.notes)")
    }
  }

  @Test(.enabled(if: jpegtran.path != nil, "SKIPPED: needs jpegtran (package libjpeg-turbo-progs)"))
  func damagedRestartMarkersAreNotReliedOn() throws {
    let plain = try file("jpeg", width: 270, height: 331)
    var bytes = try Self.jpegtran.output(
      of: plain, named: "in.jpg", as: "out.jpg", ["-restart", "1", "-outfile", "{out}", "{in}"])
    let third = try #require(
      bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD2 })
    bytes[third + 1] = 0xD5
    let region = PixelRegion(x: 10, y: 200, width: 40, height: 40)
    let part = try? reader.decode(bytes, .region(region), limits: ReadLimits())
    #expect(part?.notes.contains("only the rows between restart markers") != true)
  }

  @Test func aRegionAtTheTopReadsLittleOfTheFile() throws {
    let bytes = try file("jpeg", width: 640, height: 1280)
    let region = PixelRegion(x: 0, y: 0, width: 64, height: 64)
    let part = try reader.decode(bytes, .region(region), limits: ReadLimits())
    #expect(part.touchedBytes < bytes.count / 4)
  }

  @Test func theSmallestLargeEnoughScaleIsTaken() throws {
    let bytes = try file("jpeg", width: 259, height: 131)
    for (wanted, width, height) in [(33, 33, 17), (34, 65, 33), (65, 65, 33), (66, 130, 66), (130, 130, 66)] {
      let image = try reader.decode(bytes, .scaled(longestSide: wanted), limits: ReadLimits()).raster
      #expect(image?.width == width && image?.height == height, "\(wanted)")
    }
    #expect(throws: CodecError.unsupported("half the picture's size is not enough")) {
      try reader.decode(bytes, .scaled(longestSide: 131), limits: ReadLimits())
    }
  }

  /// Without noise, the reduced picture is close to the mean of the pixels.
  @Test func aReducedPictureLooksLikeTheWhole() throws {
    let bytes = try file("jpeg", width: 256, height: 128)
    let whole = try #require(reader.decode(bytes, .full, limits: ReadLimits()).raster)
    let reduced = try #require(
      reader.decode(bytes, .scaled(longestSide: 64), limits: ReadLimits()).raster)
    let expected = try whole.reduced(toWidth: 64, height: 32)
    let (a, b) = (try reduced.samples.eightBits(), try expected.samples.eightBits())
    let mean = zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } / a.count
    #expect(mean <= 6)
  }

  @Test func planesHaveTheSizesAtWhichTheyAreCoded() throws {
    let bytes = try file("jpeg", width: 259, height: 131)
    guard case .planes(let planes) = try reader.decode(bytes, .ycbcr, limits: ReadLimits()).pixels else {
      Issue.record("no planes")
      return
    }
    #expect(planes.map(\.width) == [259, 130, 130])
    #expect(planes.map(\.height) == [131, 66, 66])
    // A gray decode gives luma, which equals the mean of the resulting red, green and blue.
    let whole = try #require(reader.decode(bytes, .full, limits: ReadLimits()).raster)
    let (luma, rgb) = (try planes[0].samples.eightBits(), try whole.samples.eightBits())
    let far = luma.indices.count { index in
      let (r, g, b) = (Int(rgb[3 * index]), Int(rgb[3 * index + 1]), Int(rgb[3 * index + 2]))
      return abs((299 * r + 587 * g + 114 * b) / 1000 - Int(luma[index])) > 6
    }
    #expect(far < luma.count / 50)
  }

  @Test func filesWithoutThumbnailOrTilesSaySo() throws {
    let bytes = try file("jpeg", width: 64, height: 64)
    #expect(throws: CodecError.unsupported("there is no embedded thumbnail")) {
      try reader.decode(bytes, .thumbnail(longestSide: 32), limits: ReadLimits())
    }
    #expect(throws: CodecError.unsupported("the picture is not coded in tiles")) {
      try reader.decode(bytes, .firstTile, limits: ReadLimits())
    }
    #expect(throws: CodecError.unsupported("the region is not inside the picture")) {
      let region = PixelRegion(x: 1, y: 0, width: 64, height: 64)
      return try reader.decode(bytes, .region(region), limits: ReadLimits())
    }
  }
}

/// Random rectangles for tests.
enum PixelRegionTesting {
  static func region(
    in image: RasterImage, largest: Int = .max, _ generator: inout SeededGenerator
  ) -> PixelRegion {
    let width = Int.random(in: 1...min(image.width, largest), using: &generator)
    let height = Int.random(in: 1...min(image.height, largest), using: &generator)
    return PixelRegion(
      x: Int.random(in: 0...(image.width - width), using: &generator),
      y: Int.random(in: 0...(image.height - height), using: &generator), width: width, height: height)
  }
}
