package import Model

/// One variant in two runs, at equal settings and at equal score, over the points measured on both sides.
package struct VariantComparison: Sendable, Hashable {
  /// Change of the bytes at a score.
  package struct TargetChange: Sendable, Hashable {
    package var target: Double
    package var percent: CorpusFigure
  }

  package var variant: CodecVariant
  /// Another variant only in a comparison of two presets.
  package var baselineVariant: CodecVariant
  package var hasOtherLibraries = false
  package var points = 0
  /// Total bytes of the baseline over these points.
  package var bytesBefore = 0
  package var bytesAfter = 0
  /// Mean headline score of the baseline over these points.
  package var scoreBefore: Double?
  package var scoreAfter: Double?
  /// Metrics with a score on both sides at some of these points.
  package var comparedScores: Set<String> = []
  /// BD-rate of the run against the baseline by the headline metric over the band, percent.
  package var bdRate: CorpusFigure?
  /// Change of the bytes at each target; targets without a figure are absent.
  package var targets: [TargetChange] = []
  package var times = OperationTable<TimeComparison>()

  init(variant: CodecVariant, baselineVariant: CodecVariant? = nil) {
    self.variant = variant
    self.baselineVariant = baselineVariant ?? variant
  }

  /// Change of the total in percent; 0 without points.
  package var bytesChangePercent: Double {
    bytesBefore > 0 ? (Double(bytesAfter) / Double(bytesBefore) - 1) * 100 : 0
  }

  /// Keys of thresholds with figures of this variant.
  package var held: Set<String> {
    guard points > 0 else { return [] }
    var keys = comparedScores.union([GateQuantity.totalBytes.key, GateQuantity.pointBytes.key])
    if !targets.isEmpty { keys.insert(GateQuantity.saving(0).key) }
    if bdRate != nil { keys.insert(GateQuantity.bdRate.key) }
    for operation in TimedOperation.allCases where times[operation] != nil {
      keys.insert(GateQuantity.time(operation).key)
    }
    return keys
  }
}
