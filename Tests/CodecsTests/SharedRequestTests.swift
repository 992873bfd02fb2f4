import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import TestSupport
import Testing

/// Every way to read other people's files gives the pixels of the whole picture, or a reason.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.reason)))
struct SharedRequestTests {
  private static let registry = CodecRegistry.standard
  private static let limits = ReadLimits(maximumPixels: 50_000_000)

  private static func files(below folder: String) -> [String] {
    let all = try? FileManager.default.subpathsOfDirectory(atPath: "\(SharedFolder.path)/\(folder)")
    return (all ?? []).filter { $0.contains(".") }.sorted().map { "\(folder)/\($0)" }
  }

  /// Regions at random places equal the whole picture's: rotated and upright grids, Exif orientations, CMYK, odd
  /// sampling factors, and pictures that must be decoded whole.
  @Test(arguments: [
    "device/arrow.heic", "device/IMG_2927.HEIC", "device/Issue_437_dotnet.heic", "heif/C007.heic",
    "device/cheers_1440x960.heic",
    "avif/kodim23_yuv420_8bpc.avif", "exif/Landscape_1.jpg", "exif/Landscape_3.jpg", "exif/Landscape_6.jpg",
    "exif/Landscape_8.jpg", "misc/cymk.jpg", "misc/weid_sampling_factors.jpg", "misc/testorig.jpg",
    "misc/down_sampled_grayscale_prog.jpg", "misc/fox410.jpg", "pngsuite/basi6a16.png",
  ])
  func regionsAreExact(file: String) throws {
    let bytes = try SharedFolder.bytes("inputs/\(file)")
    let reader = try #require(Self.registry.reader(for: bytes))
    let whole = try #require(reader.decode(bytes, .full, limits: Self.limits).raster)
    var generator = SeededGenerator(seed: 13)
    for _ in 0..<5 {
      let region = PixelRegionTesting.region(in: whole, largest: 700, &generator)
      let part = try reader.decode(bytes, .region(region), limits: Self.limits)
      #expect(part.raster == whole.cropped(to: region), "\(region)")
    }
  }

  /// The last row and column of tiles are padded, which must not show.
  @Test(arguments: ["device/arrow.heic", "device/Issue_437_dotnet.heic"])
  func cornersOfGridsAreExact(file: String) throws {
    let bytes = try SharedFolder.bytes("inputs/\(file)")
    let reader = HEIFReader()
    let whole = try #require(reader.decode(bytes, .full, limits: Self.limits).raster)
    for (x, y) in [
      (0, 0), (whole.width - 40, 0), (0, whole.height - 30), (whole.width - 40, whole.height - 30),
    ] {
      let region = PixelRegion(x: x, y: y, width: 40, height: 30)
      let part = try reader.decode(bytes, .region(region), limits: Self.limits)
      #expect(part.raster == whole.cropped(to: region))
      #expect(part.touchedBytes < bytes.count / 4)
    }
    let first = try reader.decode(bytes, .firstTile, limits: Self.limits)
    let region = try #require(first.region)
    #expect(region.x == 0 && region.y == 0)
    #expect(first.raster == whole.cropped(to: region))
  }

  @Test func aPhonesThumbnailIsUpright() throws {
    let bytes = try SharedFolder.bytes("inputs/device/arrow.heic")
    let result = try HEIFReader().decode(bytes, .thumbnail(longestSide: 320), limits: Self.limits)
    let image = try #require(result.raster)
    #expect((image.width, image.height) == (240, 320))
    #expect(result.touchedBytes < 20_000)
    #expect(image.profile.needsEmbedding)
  }

  /// Its stated height is one row more than libheif 1.15 decodes; newer versions refuse it.
  @Test func aThumbnailOfAnotherSizeThanStatedIsNoTrap() throws {
    let bytes = try SharedFolder.bytes("inputs/device/Issue_437_dotnet.heic")
    let result = Result { try HEIFReader().decode(bytes, .thumbnail(longestSide: 320), limits: Self.limits) }
    switch result {
    case .success(let pixels): #expect(pixels.raster?.width == 512)
    case .failure(let error): #expect("\(error)".contains("skipped"))
    }
  }

  @Test func theThumbnailOfExifDataIsTaken() throws {
    let bytes = try SharedFolder.bytes("inputs/misc/fox410.jpg")
    let result = try JPEGReader().decode(bytes, .thumbnail(longestSide: 160), limits: Self.limits)
    let image = try #require(result.raster)
    #expect((image.width, image.height) == (189, 252))
    #expect(result.touchedBytes < bytes.count / 4)
  }

  private static func requests(_ side: Int) -> [DecodePart] {
    [
      .full, .ycbcr, .scaled(longestSide: side), .thumbnail(longestSide: side), .firstTile,
      .region(PixelRegion(x: 0, y: 0, width: 1, height: 1)),
      .region(PixelRegion(x: 5, y: 3, width: side, height: side)),
    ]
  }

  @Test(arguments: files(below: "inputs")) func everyFileComesOutOrHasAReason(file: String) throws {
    let bytes = try SharedFolder.bytes(file)
    let reader = try #require(Self.registry.reader(for: bytes))
    for request in Self.requests(17) {
      let result = Result { try reader.decode(bytes, request, limits: Self.limits) }
      switch result {
      case .success(let pixels): #expect((1...bytes.count).contains(pixels.touchedBytes), "\(request)")
      case .failure(CodecError.library(let name, let message)):
        Issue.record("\(request): \(name): \(message)")
      case .failure(let error): #expect(!"\(error)".isEmpty)
      }
    }
  }

  @Test(arguments: files(below: "hostile")) func hostileFilesNeverTrap(file: String) throws {
    let bytes = try SharedFolder.bytes(file)
    for reader in Self.registry.readers where reader.recognises(bytes) {
      for request in Self.requests(17) {
        guard let result = try? reader.decode(bytes, request, limits: Self.limits) else { continue }
        if let image = result.raster { #expect(image.pixelCount <= Self.limits.maximumPixels) }
      }
    }
  }

  @Test(arguments: ["device/arrow.heic", "device/cheers_1440x960.heic", "misc/fox410.jpg"])
  func mutatedHeadersNeverTrap(file: String) throws {
    let original = try SharedFolder.bytes("inputs/\(file)")
    let reader = try #require(Self.registry.reader(for: original))
    var generator = SeededGenerator(seed: 29)
    let small: [DecodePart] = [
      .thumbnail(longestSide: 160), .firstTile, .region(PixelRegion(x: 500, y: 500, width: 30, height: 30)),
    ]
    let limit = 20_000_000
    var (images, errors) = (0, 0)
    for _ in 0..<60 {
      let count = Int.random(in: 1...6, using: &generator)
      let bytes = original.damaged(at: count, before: min(original.count, 4_000), using: &generator)
      for request in small {
        do {
          let pixels = try reader.decode(bytes, request, limits: ReadLimits(maximumPixels: limit))
          let image = try #require(pixels.raster)
          #expect((1...limit).contains(image.width * image.height))
          images += 1
        } catch is CodecError {
          errors += 1
        }
      }
    }
    #expect(images > 0 && errors > 0 && images + errors == 180, "\(images) images, \(errors) errors")
  }
}
