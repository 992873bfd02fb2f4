import Metrics
package import Model
import Store

/// Contradictions within a sweep's own figures: checks that need no reference.
package struct SanityReport: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// All qualities gave files of the same size, though they are at least 0.1 apart.
    case qualityHasNoEffect
    /// A higher quality gave a file over 1 % smaller.
    case sizeFalls
    /// A higher quality gave a score that is lower by more than 0.3 on the curve scale.
    case scoreFalls
    case repeatsDiffer
    case duplicatePoint
    /// A program gave the same score to different files at qualities at least 0.1 apart.
    case scoreStandsStill
  }

  package enum Evidence: Sendable, Hashable {
    case sameBytes(Int, qualities: Int)
    /// Bytes after those of a lower quality, or of an earlier row of the same point.
    case bytes(Int, after: Int)
    /// The headline metric's score, after that of a lower quality.
    case score(Double, after: Double, decimals: Int = 2)
    case repeats(Int?)
    /// A program’s score at all qualities, and of identical images.
    case sameScore(Double, metric: String, qualities: Int, identical: Double?)
  }

  package struct Violation: Sendable, Hashable {
    package var kind: Kind
    package var image: String
    package var variant: CodecVariant
    /// The quality, or the two neighbouring ones; empty for the whole sweep.
    package var qualities: [Quality]
    package var evidence: Evidence
  }

  package var counts: [Kind: Int] = [:]
  /// The maximum number of violations of a kind to name.
  private static let limit = 50
  package var violations: [Violation] = []

  package var isClean: Bool { counts.isEmpty }
}

extension SanityReport {
  /// Largest fall of a score between neighbouring qualities on an encoder's plateau, on the curve scale: x265 rounds to
  /// a whole QP, so neighbours in a narrow sweep differ by nothing or by noise.
  static let plateau = 0.3

  /// Checks one image's points of a variant, by ascending quality. `headline` is the headline metric, the one at
  /// `index` of the samples' scores.
  mutating func check(
    _ samples: [PointSample], image: String, variant: CodecVariant,
    headline: (index: Int, metric: MetricTraits)?
  ) {
    guard samples.count > 1 else { return }
    if Self.shouldDiffer(samples, variant), Set(samples.map(\.bytes)).count == 1 {
      note(
        .qualityHasNoEffect, image, variant, [],
        .sameBytes(samples[0].bytes, qualities: samples.count))
    }
    for (before, after) in zip(samples, samples.dropFirst()) {
      let qualities = [before.quality, after.quality].compactMap(\.self)
      if Double(after.bytes) < Double(before.bytes) * 0.99 {
        note(.sizeFalls, image, variant, qualities, .bytes(after.bytes, after: before.bytes))
      }
      if let (index, metric) = headline, let old = before.scores[index], let new = after.scores[index],
        let low = metric.curvePosition(of: old), let high = metric.curvePosition(of: new),
        high < low - Self.plateau
      {
        note(.scoreFalls, image, variant, qualities, .score(new, after: old, decimals: metric.decimals))
      }
    }
  }

  /// Checks that the scores of programs change with the quality, unless the scores of heicbench's own metrics do not
  /// either. `metrics` are in the order of the samples' scores.
  mutating func checkPrograms(
    _ samples: [PointSample], image: String, variant: CodecVariant, metrics: [MetricTraits]
  ) {
    guard Self.shouldDiffer(samples, variant), Set(samples.map(\.bytes)).count > 1 else { return }
    let scores = metrics.indices.map { index in samples.compactMap { $0.scores[index] } }
    let own = metrics.indices.filter { metrics[$0].rules != nil }
    guard own.isEmpty || own.contains(where: { Set(scores[$0]).count > 1 }) else { return }
    for (metric, scores) in zip(metrics, scores) where metric.rules == nil {
      guard scores.count > 1, let score = scores.first, scores.allSatisfy({ $0 == score }) else { continue }
      note(
        .scoreStandsStill, image, variant, [],
        .sameScore(score, metric: metric.title, qualities: scores.count, identical: metric.identical))
    }
  }

  /// Returns false for lossless modes, which ignore the quality by design, and for qualities under 0.1 apart, which may
  /// share a plateau: x265's QP is a whole number, so libheif gives the same file from 93 of 100 up.
  private static func shouldDiffer(_ samples: [PointSample], _ variant: CodecVariant) -> Bool {
    guard let first = samples.first, let last = samples.last else { return false }
    guard let lowest = first.quality, let highest = last.quality else { return false }
    return !variant.losesNothing
      && highest.thousandths - lowest.thousandths >= 100
  }

  mutating func check(_ row: ResultRow) {
    guard row.repeatsAgree == false, let variant = row.variant else { return }
    note(
      .repeatsDiffer, row.image, variant, row.quality.map { [$0] } ?? [],
      .repeats(row.repeats))
  }

  mutating func note(
    _ kind: Kind, _ image: String, _ variant: CodecVariant, _ qualities: [Quality],
    _ evidence: Evidence
  ) {
    counts[kind, default: 0] += 1
    guard counts[kind, default: 0] <= Self.limit else { return }
    violations.append(
      Violation(kind: kind, image: image, variant: variant, qualities: qualities, evidence: evidence))
  }
}
