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
  }
}
