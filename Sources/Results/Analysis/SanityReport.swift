public import BenchModel

/// What a sweep's own figures say against it: checks that need no reference.
public struct SanityReport: Sendable, Hashable, Codable {
  /// What is wrong.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
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

  /// One violation, by name.
  public struct Violation: Sendable, Hashable, Codable {
    /// What is wrong.
    public var kind: Kind
    /// The image's printable name.
    public var image: String
    /// The variant.
    public var variant: CodecVariant
    /// Where: the quality, or the two qualities between which it happens; empty for the whole sweep.
    public var qualities: [Quality]
    /// What was seen, as a phrase: `12,034 bytes after 12,400`.
    public var detail: String

    /// Names a violation.
    public init(
      kind: Kind, image: String, variant: CodecVariant, qualities: [Quality], detail: String
    ) {
      self.kind = kind
      self.image = image
      self.variant = variant
      self.qualities = qualities
      self.detail = detail
    }
  }

  /// How often each kind occurred; kinds that did not are absent.
  public var counts: [Kind: Int]
  /// The first violations of each kind, up to `AnalysisOptions.namedViolations`.
  public var violations: [Violation]

  /// States what was found.
  public init(counts: [Kind: Int] = [:], violations: [Violation] = []) {
    self.counts = counts
    self.violations = violations
  }

  /// Whether nothing was found.
  public var isClean: Bool { counts.isEmpty }
}
