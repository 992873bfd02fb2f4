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
      sample: ConversionSample(of: files, count: 10, bytes: 1000, pixels: 10_000))
    #expect(projection.bytes.map { $0.total.rounded() } == 980)
    #expect(projection.bytesWhereSmaller.map { $0.total.rounded() } == 880)
    #expect(projection.seconds.map { $0.total.rounded() } == 10)
    #expect(abs(projection.smallerShare - 0.2) < 1e-9)
    #expect(
      [projection.converted, projection.smaller, projection.outOfReach.count, projection.failed] == [
        2, 1, 1, 1,
      ])
    let beyond = ConversionProjection(
      CodecVariant(codec: "heic"), score: 90, setting: .outOfReach, files: files, sample: nil)
    #expect([beyond.bytes, beyond.bytesWhereSmaller, beyond.seconds].allSatisfy { $0 == nil })
  }

  @Test func noneOfASampleIsNotNoneOfAll() {
    var files = [Int](1...12).map { file(100 * $0, .converted(bytes: 200 * $0, seconds: 1)) }
    func most(_ count: Int) -> Double {
      ConversionProjection(
        CodecVariant(codec: "heic"), score: 90, files: files,
        sample: ConversionSample(of: files, count: count, bytes: 100_000, pixels: 1)
      ).mostSmaller
    }
    #expect(abs(most(500) - 0.2209) < 1e-4)
    #expect(most(12) == 0)
    // A failed encode shows nothing, which leaves six files.
    for number in 0..<6 { files[number].outcome = .failed("it crashed") }
    #expect(abs(most(500) - 0.3930) < 1e-4)
  }
}

extension ConversionSample {
  /// Files that were each drawn once, by size.
  init(of files: [TriedConversion], count: Int, bytes: Int, pixels: Double) {
    self.init(
      files: Array(files.indices), chances: files.map { Double($0.fileBytes) / Double(bytes) / 2 },
      draws: files.count,
      count: count, bytes: bytes, pixels: pixels)
  }
}
