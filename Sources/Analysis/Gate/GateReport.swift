package import Model
package import Store

/// What a comparison with a baseline found. `isRegression` decides the exit code of the gate.
package struct GateReport: Sendable, Hashable {
  /// The thresholds that were applied.
  package var tolerances: GateTolerances
  /// Whether library versions differ somewhere, so that the wider thresholds applied there.
  package var usesWiderTolerance = false
  /// Points that both sides measured.
  package var comparedPoints = 0
  /// Images with such points.
  package var comparedImages = 0
  /// Images that are not those of the baseline under the same name, and so are compared in nothing.
  package var changedImages = NameList()
  /// Images of the baseline that the run does not have.
  package var goneImages = NameList()
  /// Points of the baseline that are no longer there, tolerated or not.
  package var lostPoints = 0
  /// Those of them that went with their image.
  package var goneImagePoints = 0
  /// Images of the run that cannot be used, and how many of them could be in the baseline, or are new.
  package var unusableImages = NameList()
  package var newlyUnusable = 0
  /// Points without a score that the baseline has, once for each metric, tolerated or not.
  package var missingScores = 0
  /// How far the run came, where it was not finished.
  package var unfinished: RunProgress?
  /// The shards that the run lacks, where the baseline has images that may be in them.
  package var missingShards: MissingShards?
  /// What differs between the circumstances: what to read first.
  package var changes: [RunChange] = []
  /// What exceeds a threshold: corpus figures first, and then the worst points, up to `GateReport.named`.
  package var regressions: [GateFinding] = []
  /// How many points exceed a threshold, also those that are not named.
  package var worsePoints = 0
  /// How many points and images fail now that did not, also those that are not named.
  package var newFailures = 0
  /// What got better by more than the same threshold.
  package var improvements: [GateFinding] = []
  /// How many points got better by more than the threshold.
  package var betterPoints = 0
  /// What exceeds a threshold but may be noise.
  package var inconclusive: [GateFinding] = []
  /// What is worth knowing and fails nothing: points that appeared, times that could not be compared.
  package var remarks: [GateRemark] = []
  /// The ten points whose bytes or scores got worst, thresholds or not, worst first.
  package var worstPoints: [GateFinding] = []
  /// The ten images whose bytes at equal settings grew most, by variant, worst first.
  package var worstImages: [GateFinding] = []
  /// Variants in the order of the run.
  package var variants: [VariantComparison] = []
  /// What the findings come from, as far as the circumstances tell; empty where nothing was found.
  package var causes: [GateCause] = []
  /// Codecs of which exactly one variant went and one came, with these two set side by side: no verdict on either.
  package var replacements: [VariantComparison] = []
  /// The run's manifest, or the baseline's where only that has one.
  package var manifest: RunManifest?
  /// Whether the baseline is just another run to set side by side.
  package var isComparison = false
  /// The command that makes the run the new baseline; nil where that is no file, or where the run guards less.
  package var accept: String?
  /// The command that measures the rest of a run that was cut off.
  package var resume: String?

  /// Up to how many points `regressions` and `improvements` name.
  package static let named = 50

  /// Starts a report without findings.
  package init(tolerances: GateTolerances = .init()) { self.tolerances = tolerances }

  /// The point to measure again: the worst regression of a point, or else the point that got worst; nil where
  /// nothing fails.
  package var worst: GateFinding? {
    guard isRegression else { return nil }
    return (regressions.filter { $0.quality != nil } + worstPoints).first
  }

  /// Whether a codec of the baseline is there under other settings alone.
  package var hasOtherSettings: Bool {
    causes.contains { cause in
      guard case .settings(let gone, let added) = cause else { return false }
      return !Set(gone.map(\.codec)).isDisjoint(with: added.map(\.codec))
    }
  }

  /// Whether something got worse beyond its threshold.
  package var isRegression: Bool { !regressions.isEmpty }

  /// Whether things only got better, so that a ratchet may replace the baseline: an improvement, nothing beyond
  /// a threshold, and no variant larger or worse in total. Small losses within the thresholds would add up. The
  /// run has to have all points and scores of the baseline, or the new one would guard less.
  package var isPureImprovement: Bool {
    regressions.isEmpty && inconclusive.isEmpty && !improvements.isEmpty && isWhole
      && variants.allSatisfy { variant in
        variant.bytesAfter <= variant.bytesBefore
          && (variant.scoreAfter ?? 0) >= (variant.scoreBefore ?? variant.scoreAfter ?? 0) - 0.005
      }
  }

  /// Whether everything that the baseline holds was there to compare.
  private var isWhole: Bool {
    comparedPoints > 0 && lostPoints == 0 && missingScores == 0 && changedImages.count == 0
      && unfinished == nil && missingShards == nil
  }

  /// Whether nothing was held against one of `GateThresholds.keys`, though points were compared.
  package func holdsNothing(against key: String) -> Bool {
    switch key {
    case GateThresholds.savingKey: variants.allSatisfy { $0.targets.isEmpty }
    case GateThresholds.bdRateKey: variants.allSatisfy { $0.bdRate == nil }
    // Reads and tiles have it, in gates of their own.
    case GateThresholds.decodeMemoryKey: true
    default:
      TimedOperation.allCases.first { GateThresholds.key($0) == key }
        .map { operation in variants.allSatisfy { $0.times[operation] == nil } } ?? false
    }
  }

  /// Whether the gate fails; `onImprovement` is for those who want their baseline refreshed.
  package func fails(onImprovement: Bool = false) -> Bool {
    isRegression || (onImprovement && !improvements.isEmpty)
  }
}
