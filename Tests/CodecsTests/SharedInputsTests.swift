import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

/// The readers, with other people's deliberately awkward files.
@Suite(.enabled(if: SharedFolder.isPresent, "\(SharedFolder.reason)")) struct SharedInputsTests {
  private static let registry = CodecRegistry.standard

  static func files(below folder: String) -> [String] {
    let all = try? FileManager.default.subpathsOfDirectory(atPath: "\(SharedFolder.path)/\(folder)")
    return (all ?? []).sorted().map { "\(folder)/\($0)" }
  }

  @Test(arguments: ["pngsuite", "exif", "misc"].flatMap { files(below: "inputs/\($0)") })
  func everyValidFileIsRead(file: String) throws {
    let bytes = try SharedFolder.bytes(file)
    let reader = try #require(Self.registry.reader(for: bytes))
    let header = try reader.header(of: bytes)
    let image = try reader.read(bytes, limits: ReadLimits()).image
    #expect(image.width == header.width && image.height == header.height)
    #expect(image.format.layout == header.layout)
    #expect(image.format.bitDepth == max(8, header.bitDepth))
  }

  @Test(arguments: [
    ("pngsuite/basi0g16.png", 32, ChannelLayout.gray, 16), ("pngsuite/s39n3p04.png", 39, .rgb, 8),
    ("pngsuite/tbwn3p08.png", 32, .rgba, 8), ("pngsuite/tbgn2c16.png", 32, .rgba, 16),
    ("pngsuite/basn4a08.png", 32, .grayAlpha, 8), ("exif/Landscape_6.jpg", 1200, .rgb, 8),
    ("misc/cymk.jpg", 600, .rgb, 8), ("misc/down_sampled_grayscale_prog.jpg", 900, .gray, 8),
    ("misc/monkey16.ppm", 149, .rgb, 16),
  ])
  func sizesAndLayoutsAreThoseOfTheFiles(file: String, width: Int, layout: ChannelLayout, depth: Int) throws {
    let bytes = try SharedFolder.bytes("inputs/\(file)")
    let image = try #require(Self.registry.reader(for: bytes)).read(bytes, limits: ReadLimits()).image
    #expect(image.width == width)
    #expect(image.format == PixelFormat(layout: layout, bitDepth: depth))
  }

  @Test(arguments: [1, 3, 6, 8]) func orientationsAreRead(value: Int) throws {
    let source = try JPEGReader().read(
      try SharedFolder.bytes("inputs/exif/Landscape_\(value).jpg"), limits: ReadLimits())
    #expect(source.orientation.rawValue == value)
  }

  @Test func aCMYKProfileIsUsed() throws {
    let source = try JPEGReader().read(
      try SharedFolder.bytes("inputs/misc/Kiara_limited_progressive_four_components.jpg"),
      limits: ReadLimits())
    #expect(source.notes == ["CMYK converted to sRGB through its ICC profile"])
  }

  /// One of libjpeg-turbo's test images in two formats, where the JPEG was made from the other at quality 75.
  @Test func decodedPixelsAreThePictures() throws {
    let original = try PNMReader().read(
      try SharedFolder.bytes("inputs/misc/testorig.ppm"), limits: ReadLimits())
    let decoded = try JPEGReader().read(
      try SharedFolder.bytes("inputs/misc/testorig.jpg"), limits: ReadLimits())
    let (a, b) = (try original.image.samples.eightBits(), try decoded.image.samples.eightBits())
    try #require(a.count == b.count)
    let mean = zip(a, b).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) } * 10 / a.count
    #expect(mean < 50, "mean difference of \(Double(mean) / 10) levels")
  }

  @Test(arguments: files(below: "hostile")) func hostileFilesAreErrorsOrImages(file: String) throws {
    let bytes = try SharedFolder.bytes(file)
    let limits = ReadLimits(maximumPixels: 50_000_000)
    for reader in Self.registry.readers {
      _ = try? reader.header(of: bytes)
      guard let source = try? reader.read(bytes, limits: limits) else { continue }
      #expect(source.image.pixelCount <= limits.maximumPixels)
    }
  }

  /// Every byte of a PNG is covered by a checksum, so none of these is an image.
  @Test(arguments: [
    ("inputs/exif/Landscape_1.jpg", true), ("inputs/misc/testorig.ppm", true),
    ("inputs/pngsuite/basi6a16.png", false),
  ])
  func mutationsAreErrorsOrImages(file: String, areImages: Bool) throws {
    let original = try SharedFolder.bytes(file)
    let reader = try #require(Self.registry.reader(for: original))
    var generator = SeededGenerator(seed: 11)
    let limits = ReadLimits(maximumPixels: 10_000_000, maximumScans: 50)
    var (images, errors) = (0, 0)
    for _ in 0..<60 {
      var bytes = original
      // Damage matters most in headers, which are at the beginning.
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let end = Bool.random(using: &generator) ? bytes.count : min(bytes.count, 700)
        bytes[Int.random(in: 0..<end, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      let header = try? reader.header(of: bytes)
      do {
        let image = try reader.read(bytes, limits: limits).image
        #expect(header != nil && (1...limits.maximumPixels).contains(image.width * image.height))
        images += 1
      } catch {
        errors += 1
      }
    }
    #expect((images > 0) == areImages && errors > 0, "\(images) images, \(errors) errors")
    #expect(images + errors == 60)
  }
}
