import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import Codecs

/// HEIC at a reduced size.
@Suite(
  .enabled(
    if: !HEIFLibraries.heic.isEmpty && LoadedLibrary("libde265") != nil,
    "SKIPPED: libheif has loaded no libde265"))
struct HEIFReductionTests {
  private let reader = HEIFReader()

  private func heic(_ image: RasterImage, _ spelling: String = "heic:preset=ultrafast") throws -> [UInt8] {
    let variant = try CodecRegistry.standard.variant(spelling)
    let quality = try #require(Quality(thousandths: 600))
    return try HEICCodec().encode(
      image, EncodeSettings(variant: variant, quality: quality, traits: HEICCodec().traits))
  }

  /// The mean and the largest difference from the means of squares of the whole picture, in levels.
  private func differences(_ bytes: [UInt8], _ wanted: Int) throws -> (mean: Double, most: Int) {
    let limits = ReadLimits(maximumPixels: 50_000_000)
    let small = try #require(reader.decode(bytes, .scaled(longestSide: wanted), limits: limits).raster)
    let whole = try #require(reader.decode(bytes, .full, limits: limits).raster)
    let side = (whole.width + small.width - 1) / small.width
    #expect(max(small.width, small.height) >= wanted && small.profile == whole.profile)
    #expect(
      small.width == (whole.width + side - 1) / side && small.height == (whole.height + side - 1) / side)
    return try whole.differences(of: small, side: side)
  }

  /// Frames and grids, with whole and partial squares at the edges. Only the loop filters make a difference.
  @Test(arguments: [
    ("heic:preset=ultrafast", 256, 128), ("heic:preset=ultrafast,grid=64", 256, 320),
    ("heic:preset=ultrafast,grid=64", 250, 331), ("heic:preset=ultrafast", 251, 131),
  ])
  func reducedPicturesLookLikeTheWhole(spelling: String, width: Int, height: Int) throws {
    let bytes = try heic(try #require(SyntheticImage.waves(width: width, height: height)), spelling)
    for factor in [2, 4, 8] {
      let found = try differences(bytes, max(width, height) / factor / (factor > 2 ? 2 : 1))
      #expect(found.mean < 2 && found.most < 40, "1/\(factor): \(found)")
    }
  }

  @Test func theSmallestThatIsLargeEnoughIsTaken() throws {
    let bytes = try heic(try #require(SyntheticImage.waves(width: 256, height: 128)))
    for (wanted, width) in [(16, 32), (17, 64), (32, 64), (33, 128), (128, 128)] {
      let image = try reader.decode(bytes, .scaled(longestSide: wanted), limits: ReadLimits()).raster
      #expect(image?.width == width && image?.height == width / 2, "\(wanted)")
    }
    #expect(throws: CodecError.unsupported("half the picture's size is not enough")) {
      try reader.decode(bytes, .scaled(longestSide: 129), limits: ReadLimits())
    }
  }

  @Test(arguments: ["depth=10", "chroma=444"]) func otherSamplesAreDecodedWhole(setting: String) throws {
    let image = try #require(SyntheticImage.waves(width: 256, height: 128))
    let bytes = try heic(image, "heic:preset=ultrafast,\(setting)")
    let error = #expect(throws: CodecError.self) {
      try reader.decode(bytes, .scaled(longestSide: 32), limits: ReadLimits())
    }
    guard case .unsupported = error else { throw CodecError.malformed("\(String(describing: error))") }
  }

  @Test func aCutTileIsAFault() throws {
    let bytes = try heic(
      try #require(SyntheticImage.waves(width: 256, height: 128)), "heic:preset=ultrafast,grid=64")
    #expect(throws: CodecError.self) {
      try reader.decode(Array(bytes.dropLast(40)), .scaled(longestSide: 32), limits: ReadLimits())
    }
  }

  /// Phones' grids, rotated or not, cut at the edges or cropped.
  @Test(
    .enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.reason)),
    arguments: [
      "device/arrow.heic", "device/IMG_2927.HEIC", "device/Issue_437_dotnet.heic", "heif/C007.heic",
    ])
  func phonesPicturesAreUpright(file: String) throws {
    let found = try differences(try SharedFolder.bytes("inputs/\(file)"), 320)
    #expect(found.mean < 1 && found.most < 20, "\(found)")
  }
}
