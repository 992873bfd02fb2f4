import Model
import Testing

@testable import Analysis
@testable import HeicBenchKit

struct ConversionProjectionTests {
  private func file(_ bytes: Int, _ outcome: TriedConversion.Outcome) -> TriedConversion {
    TriedConversion(image: "a", fileBytes: bytes, pixels: 1000, outcome: outcome)
  }

  @Test func whatCannotBeConvertedStaysAsItIs() throws {
    let files = [
      file(100, .converted(bytes: 40, seconds: 2)), file(100, .converted(bytes: 150, seconds: 3)),
      file(100, .outOfReach), file(100, .impossible("too large")), file(100, .failed("it crashed")),
    ]
    let projection = ConversionProjection(
      CodecVariant(codec: "heic"), score: 90, files: files,
      kinds: [FileKind(count: 10, bytes: 1000, pixels: 10_000)])
    #expect(projection.bytes.map { $0.total.rounded() } == 980)
    #expect(projection.bytesWhereSmaller.map { $0.total.rounded() } == 880)
    #expect(projection.seconds.map { $0.total.rounded() } == 10)
    #expect(
      [projection.converted, projection.smaller, projection.outOfReach, projection.failed] == [2, 1, 1, 1])
  }

  @Test func noneOfASampleIsNotNoneOfAll() {
    let files = [Int](1...12).map { file(100 * $0, .converted(bytes: 200 * $0, seconds: 1)) }
    func most(_ count: Int) -> Double {
      ConversionProjection(
        CodecVariant(codec: "heic"), score: 90, files: files,
        kinds: [FileKind(count: count, bytes: 100_000, pixels: 1)]
      ).mostSmaller
    }
    #expect(abs(most(500) - 0.2209) < 1e-4)
    #expect(most(12) == 0)
  }

  /// Where one kind is seen as densely as the other nothing changes; where it is not, the rarely seen one may hide more.
  @Test func noneOfSeveralKindsIsNotNoneOfAll() {
    func most(_ first: (all: Int, seen: Int), _ second: (all: Int, seen: Int)) -> Double {
      let kinds = [first, second]
      let files = kinds.enumerated().flatMap { kind, part in
        (0..<part.seen).map { _ in
          TriedConversion(
            image: "a", fileBytes: 100, pixels: 1, outcome: .converted(bytes: 200, seconds: 1), kind: kind)
        }
      }
      return ConversionProjection(
        CodecVariant(codec: "heic"), score: 90, files: files,
        kinds: kinds.map { FileKind(count: $0.all, bytes: 1000, pixels: 1) }
      ).mostSmaller
    }
    #expect(abs(most((300, 9), (100, 3)) - 0.2209) < 1e-4)
    // By hand: 1 − q is λ·n/N with q of the second at 1, so that all of it is the first's: 0.9 · (1 − 0.05^(1/10)).
    #expect(abs(most((360, 10), (2, 2)) - 360 / 362 * 0.2589) < 1e-4)
    #expect(most((360, 6), (40, 6)) > most((360, 11), (40, 1)))
    #expect(most((5, 5), (4, 4)) == 0)
  }
}
