public import BenchModel

/// One variant in two runs, at equal settings and at equal score, over the points that both measured.
public struct VariantComparison: Sendable, Hashable, Codable {
  /// The change of the bytes at a score.
  public struct TargetChange: Sendable, Hashable, Codable {
    /// The score of the headline metric.
    public var target: Double
    /// The change in percent.
    public var percent: CorpusFigure

    /// States a change.
    public init(target: Double, percent: CorpusFigure) {
      self.target = target
      self.percent = percent
    }
  }

  /// The times of two runs over the points that both measured, milliseconds.
  public struct TimeChange: Sendable, Hashable, Codable {
    /// The baseline's median times, summed.
    public var before: Double
    /// The run's median times, summed.
    public var after: Double
    /// Whether the intervals of the repeats are apart, so that the change is more than noise.
    public var isSignificant: Bool

    /// States a change.
    public init(before: Double, after: Double, isSignificant: Bool) {
      self.before = before
      self.after = after
      self.isSignificant = isSignificant
    }

    /// The change in percent.
    public var percent: Double { (after / before - 1) * 100 }
  }

  /// The variant in the run.
  public var variant: CodecVariant
  /// What it was in the baseline: another variant only where two presets are compared.
  public var baselineVariant: CodecVariant
  /// Whether the library versions differ.
  public var hasOtherLibraries = false
  /// Points that both sides measured.
  public var points = 0
  /// Total bytes of the baseline over these points.
  public var bytesBefore = 0
  /// Total bytes of the run over these points.
  public var bytesAfter = 0
  /// Mean headline score of the baseline over these points.
  public var scoreBefore: Double?
  /// Mean headline score of the run over these points.
  public var scoreAfter: Double?
  /// BD-rate of the run against the baseline by the headline metric over the band, percent.
  public var bdRate: CorpusFigure?
  /// Change of the bytes at each target; targets that hold nowhere are absent.
  public var targets: [TargetChange] = []
  /// Encode time; nil where times cannot be compared.
  public var encodeTime: TimeChange?
  /// Decode time; nil where times cannot be compared.
  public var decodeTime: TimeChange?

  /// Starts a comparison without points.
  public init(variant: CodecVariant, baselineVariant: CodecVariant? = nil) {
    self.variant = variant
    self.baselineVariant = baselineVariant ?? variant
  }

  /// The change of the total in percent; 0 without points.
  public var bytesChangePercent: Double {
    bytesBefore > 0 ? (Double(bytesAfter) / Double(bytesBefore) - 1) * 100 : 0
  }
}
