public import BenchModel

/// What the gate found. `isRegression` decides the exit code.
public struct GateReport: Sendable, Hashable, Codable {
  /// What is different between the two runs' circumstances, to be read before any figure.
  public struct Change: Sendable, Hashable, Codable {
    /// What differs: `libraries of heic`, `settings`, `machine`, `source bytes of kodim01.png`.
    public var what: String
    /// The baseline's.
    public var before: String
    /// The run's.
    public var after: String

    /// States a change.
    public init(what: String, before: String, after: String) {
      self.what = what
      self.before = before
      self.after = after
    }
  }

  /// One variant at equal settings and at equal score, over the points that both sides measured.
  public struct VariantComparison: Sendable, Hashable, Codable {
    /// The variant.
    public var variant: CodecVariant
    /// Points that both sides measured.
    public var points: Int
    /// Total bytes of the baseline over these points.
    public var bytesBefore: Int
    /// Total bytes of the run over these points.
    public var bytesAfter: Int
    /// Mean headline score of the baseline over these points.
    public var scoreBefore: Double?
    /// Mean headline score of the run over these points.
    public var scoreAfter: Double?
    /// BD-rate of the run against the baseline by the headline metric over the band, percent.
    public var bdRate: CorpusFigure?
    /// Change of the bytes at each target, percent; targets that hold nowhere are absent.
    public var matched: [TargetChange]
    /// Encode time over these points, milliseconds of the baseline; nil where times cannot be compared.
    public var encodeBefore: Double?
    /// Encode time of the run.
    public var encodeAfter: Double?
    /// Decode time of the baseline.
    public var decodeBefore: Double?
    /// Decode time of the run.
    public var decodeAfter: Double?

    /// The change of the total in percent; 0 without points.
    public var bytesChangePercent: Double {
      bytesBefore > 0 ? (Double(bytesAfter) / Double(bytesBefore) - 1) * 100 : 0
    }

    /// Starts a comparison without points.
    public init(variant: CodecVariant) {
      self.variant = variant
      (points, bytesBefore, bytesAfter, matched) = (0, 0, 0, [])
    }
  }

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

  /// The thresholds that were applied.
  public var thresholds: GateThresholds
  /// Whether these are the wider ones for other library versions.
  public var usesWiderTolerance: Bool
  /// Points that both sides measured.
  public var comparedPoints: Int
  /// What differs between the circumstances: what to read first.
  public var changes: [Change]
  /// What exceeds a threshold, corpus figures first and then the worst points.
  public var regressions: [GateFinding]
  /// What got better by more than the same threshold.
  public var improvements: [GateFinding]
  /// What exceeds a threshold but may be noise.
  public var inconclusive: [GateFinding]
  /// What is worth knowing and fails nothing: points that appeared, times that could not be compared.
  public var remarks: [String]
  /// The ten points whose bytes or scores got worst, thresholds or not, worst first.
  public var worstPoints: [GateFinding]
  /// Variants in the order of the run.
  public var variants: [VariantComparison]
  /// The command that reproduces the worst point; nil where there is none.
  public var reproduce: String?

  /// Starts a report without findings.
  public init(thresholds: GateThresholds, usesWiderTolerance: Bool = false) {
    self.thresholds = thresholds
    self.usesWiderTolerance = usesWiderTolerance
    comparedPoints = 0
    (changes, regressions, improvements, inconclusive) = ([], [], [], [])
    (remarks, worstPoints, variants, reproduce) = ([], [], [], nil)
  }

  /// Whether something got worse beyond its threshold.
  public var isRegression: Bool { !regressions.isEmpty }

  /// Whether things only got better, so that a ratchet may replace the baseline.
  public var isPureImprovement: Bool {
    regressions.isEmpty && inconclusive.isEmpty && !improvements.isEmpty
  }

  /// Whether the gate fails; `onImprovement` is for those who want their baseline refreshed.
  public func fails(onImprovement: Bool = false) -> Bool {
    isRegression || (onImprovement && !improvements.isEmpty)
  }
}
