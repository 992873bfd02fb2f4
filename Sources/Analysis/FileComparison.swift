package import Model

/// Bytes of lossy source files against a variant's bytes for the same pixels at one score: the answer to “should I
/// convert my JPEGs?”. Scores are against the original file, so a conversion adds its loss to the file's own.
package struct FileComparison: Sendable, Hashable {
  package var variant: CodecVariant
  /// Score of the headline metric; infinite after lossless packing, the other answer to the same question.
  package var target: Double
  package var images = 0
  package var outOf = 0
  package var fileBytes = 0
  package var bytes = 0.0
  package var larger = 0

  mutating func add(fileBytes: Int, bytes: Double) {
    images += 1
    self.fileBytes = saturatingSum(self.fileBytes, fileBytes)
    self.bytes += bytes
    if bytes > Double(fileBytes) { larger += 1 }
  }

  package var changePercent: Double? { fileBytes > 0 ? (bytes / Double(fileBytes) - 1) * 100 : nil }
}

/// Comparison at equal quality numbers: the naive answer, beside the right one.
package struct EqualQualityContrast: Sendable, Hashable {
  package var variant: CodecVariant
  package var reference: CodecVariant
  package var points = 0
  package var bytes = 0
  package var referenceBytes = 0
  /// Headline scores of both over the points with a score on both sides.
  var scores = Mean()
  var referenceScores = Mean()
  package var matchedChangePercent: Double?
  package var matchedTarget: Double?

  package var score: Double? { scores.value }
  package var referenceScore: Double? { referenceScores.value }
  package var changePercent: Double { (Double(bytes) / Double(referenceBytes) - 1) * 100 }

  mutating func add(_ sample: PointSample, _ reference: PointSample, headline: Int?) {
    points += 1
    bytes = saturatingSum(bytes, sample.bytes)
    referenceBytes = saturatingSum(referenceBytes, reference.bytes)
    guard let headline, let score = sample.scores[headline], let other = reference.scores[headline],
      score.isFinite, other.isFinite
    else { return }
    scores.add(score)
    referenceScores.add(other)
  }
}
