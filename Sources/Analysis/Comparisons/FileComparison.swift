package import Model
import Pixels

/// Bytes of lossy source files against a variant's bytes for the same pixels at one score: the answer to “should I
/// convert my JPEGs?”. Scores are against the original file, so a conversion adds its loss to the file's own.
package struct FileComparison: Sendable, Hashable {
  package var variant: CodecVariant
  /// Score of the headline metric; infinite for lossless recompression, the other answer to the same question.
  package var target: Double
  package var images = 0
  package var outOf = 0
  package var fileBytes = 0
  package var bytes = 0.0
  package var larger = 0

  mutating func add(fileBytes: Int, bytes: Double) {
    images += 1
    self.fileBytes +|= fileBytes
    self.bytes += bytes
    if bytes > Double(fileBytes) { larger += 1 }
  }

  package var changePercent: Double? { fileBytes > 0 ? (bytes / Double(fileBytes) - 1) * 100 : nil }
}

/// The comparison at equal quality numbers: the naive answer, shown beside the right one.
package struct EqualQualityContrast: Sendable, Hashable {
  package var variant: CodecVariant
  package var reference: CodecVariant
  package var points = 0
  package var bytes = 0
  package var referenceBytes = 0
  /// Headline scores of both variants over the points with a score on both sides.
  var scores = Mean()
  var referenceScores = Mean()
  package var shared = SharedPoints()

  package var score: Double? { scores.value }
  package var referenceScore: Double? { referenceScores.value }
  package var changePercent: Double { (Double(bytes) / Double(referenceBytes) - 1) * 100 }

  /// Adds a quality of an image. Scores of identical images, which are at the metric's `cap`, do not count in means.
  mutating func add(_ sample: PointSample, _ reference: PointSample, headline: Int?, cap: Double) {
    shared.add(sample, reference)
    guard !sample.isRefined, !reference.isRefined else { return }
    points += 1
    bytes +|= sample.bytes
    referenceBytes +|= reference.bytes
    guard let headline, let score = sample.scores[headline], let other = reference.scores[headline],
      score.isFinite, other.isFinite, max(score, other) < cap
    else { return }
    scores.add(score)
    referenceScores.add(other)
  }
}

/// The points of two variants at equal qualities of the same images, refined ones included.
package struct SharedPoints: Sendable, Hashable {
  package private(set) var count = 0
  package var images = 0
  private var equal = 0
  /// CPU milliseconds where both are known.
  private var cpu = OperationTable<Double>()
  private var otherCPU = OperationTable<Double>()

  /// True if both variants make the same files, as far as bytes and scores can tell.
  package var areEqual: Bool { count > 0 && equal == count }

  mutating func add(_ sample: PointSample, _ other: PointSample) {
    count += 1
    let isScored = sample.scores.contains { $0 != nil }
    if isScored, sample.bytes == other.bytes, sample.scores == other.scores { equal += 1 }
    for operation in TimedOperation.allCases {
      guard let time = sample.cpu[operation], let otherTime = other.cpu[operation] else { continue }
      cpu[operation, default: 0] += time
      otherCPU[operation, default: 0] += otherTime
    }
  }

  /// CPU time of all points against the other variant's.
  package func cpuRatio(_ operation: TimedOperation) -> Double? {
    guard let time = cpu[operation], let other = otherCPU[operation], other > 0 else { return nil }
    return time / other
  }
}
