package import Model
package import Store

/// Findings of a comparison with a baseline. `isRegression` decides the exit code of the gate.
package struct GateReport: Sendable, Hashable {
  package var subject = GateSubject.points
  package var tolerances = GateTolerances()
  /// True if an improvement fails too, so that the baseline gets refreshed.
  package var failsOnImprovement = false
  /// True if library versions differ somewhere, which called for the wider thresholds.
  package var usesWiderTolerance = false
  package var comparedPoints = 0
  /// Images with such points.
  package var comparedImages = 0
  package internal(set) var inventory = GateInventory()
  package var unfinished: RunProgress?
  /// Shards missing from the run that may hold images of the baseline.
  package var missingShards: MissingShards?
  /// Differences of circumstances, to be read first.
  package var changes: [RunChange] = []
  /// Findings beyond a threshold: corpus figures, then the worst points, up to `GateReport.named`.
  package var regressions: [GateFinding] = []
  /// Number of points beyond a threshold, unnamed ones included.
  package var worsePoints = 0
  /// Number of points and images that newly fail, unnamed ones included.
  package var newFailures = 0
  /// Improvements by more than the same threshold.
  package var improvements: [GateFinding] = []
  package var betterPoints = 0
  /// Findings beyond a threshold that may be noise.
  package var inconclusive: [GateFinding] = []
  /// Remarks that fail nothing: points that appeared, times that could not be compared.
  package var remarks: [GateRemark] = []
  /// The ten points with the worst change in bytes or scores, thresholds or not, worst first.
  package var worstPoints: [GateFinding] = []
  /// The ten images with the largest growth of bytes at equal settings, by variant, worst first.
  package var worstImages: [GateFinding] = []
  /// In the order of the run; empty for other ways than points, whose bytes stand for no curve.
  package var variants: [VariantComparison] = []
  /// Keys of thresholds with figures.
  package var held: Set<String> = []
  /// Causes of the findings, as far as the circumstances tell; empty without findings.
  package var causes: [GateCause] = []
  /// Codecs with exactly one variant gone and one added, side by side: no verdict on either.
  package var replacements: [VariantComparison] = []
  /// The run's manifest, or the baseline's if only that has one.
  package var manifest: RunManifest?
  /// True if the baseline is just another run to set side by side.
  package var isComparison = false
  /// Command that makes the run the new baseline; nil if the baseline is not a file, or if the run guards less.
  package var accept: String?
  package var resume: String?

  /// Most points named by `regressions` and `improvements`.
  package static let named = 50

  /// Point to measure again: the worst regression, or else the worst change; nil if nothing fails.
  package var worst: GateFinding? {
    guard isRegression else { return nil }
    return (regressions.filter { $0.quality != nil } + worstPoints).first
  }

  /// True if a codec of the baseline occurs only under other settings.
  package var hasOtherSettings: Bool {
    causes.contains { cause in
      guard case .settings(let gone, let added) = cause else { return false }
      return !Set(gone.map(\.codec)).isDisjoint(with: added.map(\.codec))
    }
  }

  /// True if anything got worse beyond its threshold.
  package var isRegression: Bool { !regressions.isEmpty }

  /// True if a ratchet may replace the baseline: an improvement, nothing beyond a threshold, and no variant larger or
  /// worse in total, since small losses within the thresholds would add up. The run must have all points and scores of
  /// the baseline, or the new one would guard less.
  package var isPureImprovement: Bool {
    regressions.isEmpty && inconclusive.isEmpty && !improvements.isEmpty && isWhole
      && variants.allSatisfy { variant in
        variant.bytesAfter <= variant.bytesBefore
          && (variant.scoreAfter ?? 0) >= (variant.scoreBefore ?? variant.scoreAfter ?? 0) - 0.005
      }
  }

  /// True if everything in the baseline was comparable.
  private var isWhole: Bool {
    comparedPoints > 0 && inventory.lostPoints == 0 && inventory.missingValues == 0
      && inventory.changedImages.count == 0 && unfinished == nil && missingShards == nil
  }

  package var fails: Bool { isRegression || (failsOnImprovement && !improvements.isEmpty) }

  /// Adds a finding for a threshold without figures, of a variant or of the run.
  package mutating func add(unguarded key: String, _ variant: CodecVariant? = nil, headline: String = "") {
    regressions.append(
      GateFinding(
        quantity: .missing(key), variant: variant, worsening: 1, threshold: 0,
        detail: .unguarded(headline: headline)))
  }
}
