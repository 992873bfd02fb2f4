package import Model
package import Store

/// Findings of a comparison with a baseline. `isRegression` decides the exit code of the gate.
package struct GateReport: Sendable {
  package var subject = GateSubject.points
  package var tolerances = GateTolerances()
  package var failsOnImprovement = false
  /// True if library versions differ anywhere, so that the wider thresholds apply.
  package var usesWiderTolerance = false
  package var comparedPoints = 0
  package var comparedImages = 0
  package internal(set) var inventory = GateInventory()
  package var circumstances = GateCircumstances()
  package var unfinished: RunProgress?
  /// Shards missing from the run that may hold images of the baseline.
  package var missingShards: MissingShards?
  /// Findings beyond a threshold: corpus figures, then the worst points, up to `GateReport.named`.
  package var regressions: [GateFinding] = []
  package var worsePoints = 0
  /// The number of points and images that newly fail, including unnamed ones.
  package var newFailures = 0
  package var improvements: [GateFinding] = []
  package var betterPoints = 0
  package var inconclusive: [GateFinding] = []
  /// The ten points with the worst change in bytes or scores, thresholds or not, worst first.
  package var worstPoints: [GateFinding] = []
  /// The ten images with the largest growth of bytes at equal settings, by variant, worst first.
  package var worstImages: [GateFinding] = []
  /// Variants in the order of the run; empty for ways other than points, which have no curves.
  package var variants: [VariantComparison] = []
  package var held: Set<String> = []
  /// Codecs with exactly one variant gone and one added, shown side by side without a verdict.
  package var replacements: [VariantComparison] = []
  /// True if the baseline is just another run to compare with, without a verdict.
  package var isComparison = false
  /// Command that makes the run the new baseline; nil if the baseline is not a file, or if the run covers less.
  package var accept: String?
  package var resume: String?

  package static let named = 50

  /// The run's manifest, or the baseline's if only that has one.
  package var manifest: RunManifest? { circumstances.manifests.after ?? circumstances.manifests.before }

  /// The point to measure again: the worst regression, or else the worst change; nil if nothing fails.
  package var worst: GateFinding? {
    guard isRegression else { return nil }
    return (regressions.filter { $0.quality != nil } + worstPoints).first
  }

  /// True if a codec of the baseline occurs only under other settings.
  package var hasOtherSettings: Bool {
    regressions.contains { $0.quantity == .vanished }
      && !Set(circumstances.gone.map(\.codec)).isDisjoint(with: circumstances.added.map(\.codec))
  }

  package var isRegression: Bool { !regressions.isEmpty }

  /// True if a ratchet may replace the baseline: an improvement, nothing beyond a threshold, and no variant larger or
  /// worse in total, since small losses within the thresholds would add up. The run must have all points and scores of
  /// the baseline, or the new baseline would cover less.
  package var isPureImprovement: Bool {
    regressions.isEmpty && inconclusive.isEmpty && !improvements.isEmpty && isWhole
      && variants.allSatisfy { $0.bytesAfter <= $0.bytesBefore && !$0.isScoreWorse }
  }

  private var isWhole: Bool {
    // A tolerated failure is not lost, but a new baseline would no longer guard it.
    comparedPoints > 0 && inventory.lostPoints == 0 && inventory.missingValues == 0 && newFailures == 0
      && inventory.changedImages.count == 0 && unfinished == nil && missingShards == nil
  }

  package var fails: Bool { isRegression || (failsOnImprovement && !improvements.isEmpty) }

  package mutating func add(unguarded key: String, _ variant: CodecVariant? = nil, headline: String = "") {
    regressions.append(
      GateFinding(
        quantity: .missing(key), variant: variant, worsening: 1, threshold: 0,
        detail: .unguarded(headline: headline)))
  }

  mutating func add(_ finding: GateFinding) {
    guard finding.exceeds(subject.slack) else { return }
    if finding.worsening > 0 { regressions.append(finding) } else { improvements.append(finding) }
  }
}

/// Differences between two runs other than their figures, which may explain the figures.
package struct GateCircumstances: Sendable {
  package var manifests: (before: RunManifest?, after: RunManifest?) = (nil, nil)
  package var gone: [CodecVariant] = []
  package var added: [CodecVariant] = []
  package var settings: [(before: CodecVariant, after: CodecVariant)] = []
  package var libraries: [(variant: CodecVariant, before: String, after: String)] = []
  /// False if no point has library versions on both sides.
  package var knowsLibraries = true
  /// The reason why existing times were not compared.
  package var timeObstacle: TimeObstacle?
  package var idleThresholds: [String] = []
  package var unfinishedBaseline: RunProgress?
}

package enum TimeObstacle: Sendable, Hashable {
  case unknownMachine
  case differentMachines
  case jobs(Int, Int)
  case threads
  /// Reads or tiles that were not timed on the same machine, with the same number of jobs, on both sides.
  case origins

  static func between(_ before: RunManifest?, _ after: RunManifest?) -> TimeObstacle? {
    guard let before, let after else { return .unknownMachine }
    if before.machine.host != after.machine.host || before.machine.processor != after.machine.processor {
      return .differentMachines
    }
    if before.jobs != after.jobs { return .jobs(before.jobs, after.jobs) }
    return before.threadsByCodec == after.threadsByCodec ? nil : .threads
  }
}

extension RunManifest {
  /// Threads by codec, since variants may differ between runs.
  package var threadsByCodec: String {
    Set(variants.map { "\($0.variant.codec) \($0.threads)" }).sorted().joined(separator: ", ")
  }
}
