package import Model
import Store

/// What a sweep's own figures say against it: checks that need no reference.
package struct SanityReport: Sendable, Hashable {
  /// What is wrong.
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

  /// What was seen.
  package enum Evidence: Sendable, Hashable {
    /// So many qualities gave files of so many bytes each.
    case sameBytes(Int, qualities: Int)
    /// Bytes after those of a lower quality, or of the same point before.
    case bytes(Int, after: Int)
    /// A position on the curve scale after that of a lower quality.
    case score(Double, after: Double)
    /// Repeats that gave different bytes, with their number where it is known.
    case repeats(Int?)
  }

  /// One violation, by name.
  package struct Violation: Sendable, Hashable {
    /// What is wrong.
    package var kind: Kind
    /// The image's printable name.
    package var image: String
    /// The variant.
    package var variant: CodecVariant
    /// Where: the quality, or the two qualities between which it happens; empty for the whole sweep.
    package var qualities: [Quality]
    /// What was seen.
    package var evidence: Evidence

    /// Names a violation.
    package init(
      kind: Kind, image: String, variant: CodecVariant, qualities: [Quality], evidence: Evidence
    ) {
      self.kind = kind
      self.image = image
      self.variant = variant
      self.qualities = qualities
      self.evidence = evidence
    }
  }

  /// How often each kind occurred; kinds that did not are absent.
  package var counts: [Kind: Int]
  /// The first violations of each kind, up to `AnalysisOptions.namedViolations`.
  package var violations: [Violation]

  /// States what was found.
  package init(counts: [Kind: Int] = [:], violations: [Violation] = []) {
    self.counts = counts
    self.violations = violations
  }

  /// Whether nothing was found.
  package var isClean: Bool { counts.isEmpty }
}
