import Metrics
import Pixels
import TestSupport
import Testing

struct ReducedReferenceTests {
  /// A thumbnail moved by half a pixel still shows the same picture.
  @Test func aMovedThumbnailIsFoundOut() throws {
    let picture = try #require(SyntheticImage.waves(width: 256, height: 192))
    let moved = try picture.reduced(toWidth: 64, height: 48, by: .lanczos, movedBy: (-0.5, 0.5))
    let suite = try MetricSuite(["ssimulacra2"])
    let reference = try ReducedReference(.init(width: 64, height: 48), of: picture, suite)
    let plain = try #require(try reference.prepared.score(moved)["ssimulacra2"])
    let aligned = try #require(try reference.alignedScore(of: moved, picture))
    #expect(aligned > 95)
    #expect(plain < aligned - 10)
    #expect(reference.ceiling ?? 0 < 100)
    // A thumbnail often has no alpha.
    let transparent = picture.withAlpha()
    let other = try ReducedReference(.init(width: 64, height: 48), of: transparent, suite)
    #expect(try other.alignedScore(of: moved, transparent) ?? 0 > 95)
  }

  /// JPEG files from a camera's black-and-white mode have gray pictures and thumbnails with colours.
  @Test func aGrayPictureIsAlignedWithColours() throws {
    let gray = try #require(SyntheticImage.waves(width: 256, height: 192, layout: .gray))
    let moved = try gray.reduced(toWidth: 64, height: 48, by: .lanczos, movedBy: (-0.5, 0.5))
    guard case .bytes(let bytes) = moved.samples else {
      Issue.record("8 bits")
      return
    }
    let coloured = try #require(
      RasterImage(width: 64, height: 48, layout: .rgb, bytes: bytes.flatMap { [$0, $0, $0] }))
    let suite = try MetricSuite(["ssimulacra2"])
    let reference = try ReducedReference(.init(width: 64, height: 48), of: gray, suite)
    let plain = try #require(try reference.prepared.score(coloured)["ssimulacra2"])
    let aligned = try #require(try reference.alignedScore(of: coloured, gray))
    #expect(aligned > 95 && plain < aligned - 3)
  }
}
