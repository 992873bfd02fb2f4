package import Model

/// One variant in two runs, at equal settings and at equal score, over the points that both measured.
package struct VariantComparison: Sendable, Hashable {
  /// The change of the bytes at a score.
  package struct TargetChange: Sendable, Hashable {
    /// The score of the headline metric.
    package var target: Double
    /// The change in percent.
    package var percent: CorpusFigure
  }

  /// The times of two runs over the points that both measured, milliseconds.
  package struct TimeChange: Sendable, Hashable {
    /// The baseline's median times, summed.
    package var before: Double
    /// The run's median times, summed.
    package var after: Double
    /// Whether the intervals of the repeats are apart, so that the change is more than noise.
    package var isSignificant: Bool

    /// States a change.
    package init(before: Double, after: Double, isSignificant: Bool) {
      self.before = before
      self.after = after
      self.isSignificant = isSignificant
    }

    /// The change in percent.
    package var percent: Double { (after / before - 1) * 100 }
  }

  /// The variant in the run.
  package var variant: CodecVariant
  /// What it was in the baseline: another variant only where two presets are compared.
  package var baselineVariant: CodecVariant
  /// Whether the library versions differ.
  package var hasOtherLibraries = false
  /// Points that both sides measured.
  package var points = 0
  /// Total bytes of the baseline over these points.
  package var bytesBefore = 0
  /// Total bytes of the run over these points.
  package var bytesAfter = 0
  /// Mean headline score of the baseline over these points.
  package var scoreBefore: Double?
  /// Mean headline score of the run over these points.
  package var scoreAfter: Double?
  /// Metrics of which both sides had a score at some of these points.
  package var comparedScores: Set<String> = []
  /// BD-rate of the run against the baseline by the headline metric over the band, percent.
  package var bdRate: CorpusFigure?
  /// Change of the bytes at each target; targets that hold nowhere are absent.
  package var targets: [TargetChange] = []
  /// The time of each operation whose times can be compared.
  package var times = OperationTable<TimeChange>()

  /// Starts a comparison without points.
  package init(variant: CodecVariant, baselineVariant: CodecVariant? = nil) {
    self.variant = variant
    self.baselineVariant = baselineVariant ?? variant
  }

  /// The change of the total in percent; 0 without points.
  package var bytesChangePercent: Double {
    bytesBefore > 0 ? (Double(bytesAfter) / Double(bytesBefore) - 1) * 100 : 0
  }
}
