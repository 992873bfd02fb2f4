package import Model
import Store

/// Contradictions within a sweep's own figures: checks that need no reference.
package struct SanityReport: Sendable, Hashable {
  /// Kind of violation.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// All qualities gave files of the same size, though they are at least 0.1 apart.
    case qualityHasNoEffect
    /// A higher quality gave a file over 1 % smaller.
    case sizeFalls
    /// A higher quality gave a score lower by more than 0.3 on the curve scale.
    case scoreFalls
    /// Repeats of one encode gave different bytes.
    case repeatsDiffer
    /// A point appears twice with different sizes.
    case duplicatePoint
  }

  package enum Evidence: Sendable, Hashable {
    /// Common size in bytes of the files of all qualities.
    case sameBytes(Int, qualities: Int)
    /// Bytes after those of a lower quality, or of an earlier row of the same point.
    case bytes(Int, after: Int)
    /// Position on the curve scale after that of a lower quality.
    case score(Double, after: Double)
    /// Number of repeats with different bytes; nil if unknown.
    case repeats(Int?)
  }

  package struct Violation: Sendable, Hashable {
    package var kind: Kind
    package var image: String
    package var variant: CodecVariant
    /// The quality, or the two neighbouring ones; empty for the whole sweep.
    package var qualities: [Quality]
    package var evidence: Evidence
  }

  /// Absent kinds did not occur.
  package var counts: [Kind: Int] = [:]
  /// The first violations of each kind, up to `AnalysisOptions.namedViolations`.
  package var violations: [Violation] = []

  package var isClean: Bool { counts.isEmpty }
}
