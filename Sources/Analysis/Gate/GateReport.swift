import Store

/// What a comparison with a baseline found. `isRegression` decides the exit code of the gate.
package struct GateReport: Sendable, Hashable, Codable {
  /// The thresholds that were applied.
  package var tolerances: GateTolerances
  /// Whether library versions differ somewhere, so that the wider thresholds applied there.
  package var usesWiderTolerance = false
  /// Points that both sides measured.
  package var comparedPoints = 0
  /// Images with such points.
  package var comparedImages = 0
  /// Images that are not those of the baseline under the same name, and so are compared in nothing.
  package var changedImages = 0
  /// The first of them.
  package var changedNames: [String] = []
  /// Points of the baseline that are no longer there, tolerated or not.
  package var lostPoints = 0
  /// Points without a score that the baseline has, once for each metric, tolerated or not.
  package var missingScores = 0
  /// How far the run came, where it was not finished.
  package var unfinished: String?
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
  package var remarks: [String] = []
  /// The ten points whose bytes or scores got worst, thresholds or not, worst first.
  package var worstPoints: [GateFinding] = []
  /// The ten images whose bytes at equal settings grew most, by variant, worst first.
  package var worstImages: [GateFinding] = []
  /// Variants in the order of the run.
  package var variants: [VariantComparison] = []
  /// The command that reproduces the worst point; nil where there is none.
  package var reproduce: String?
  /// What the findings come from, as far as the circumstances tell; nil where nothing was found.
  package var cause: String?
  /// The command that makes the run the new baseline; nil where that is no file.
  package var accept: String?

  /// Up to how many points `regressions` and `improvements` name.
  package static let named = 50

  /// Starts a report without findings.
  package init(tolerances: GateTolerances = .init()) { self.tolerances = tolerances }

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
    comparedPoints > 0 && lostPoints == 0 && missingScores == 0 && changedImages == 0 && unfinished == nil
  }

  /// Whether the gate fails; `onImprovement` is for those who want their baseline refreshed.
  package func fails(onImprovement: Bool = false) -> Bool {
    isRegression || (onImprovement && !improvements.isEmpty)
  }

  /// The outcome in a sentence, which annotations and the first line of a comment carry.
  package var headline: String {
    guard changedImages > 0 else { return outcome }
    let names = changedNames.joined(separator: ", ")
    let more = changedImages > changedNames.count ? " and \(changedImages - changedNames.count) more" : ""
    let start =
      "\(counted(changedImages, "image")) \(changedImages == 1 ? "differs" : "differ") from the baseline's: "
      + names + more
    guard comparedPoints > 0 else { return "\(start); no other was compared." }
    return "\(start); the other \(comparedImages): " + outcome.prefix(1).lowercased() + outcome.dropFirst()
  }

  private var outcome: String {
    let points = "\(counted(comparedPoints, "point")) compared"
    if regressions.contains(where: { $0.quantity == .uncompared }) {
      return "Nothing was compared: baseline and run have no point in common."
    }
    let worse = worseParts
    if !worse.isEmpty { return "Regression: \((worse + absentParts).joined(separator: ", ")), \(points)." }
    if !absentParts.isEmpty { return "Not passed: \(absentParts.joined(separator: ", ")), \(points)." }
    if !improvements.isEmpty { return "No regression, and better in places, \(points)." }
    if !inconclusive.isEmpty { return "No regression, but times are inconclusive, \(points)." }
    let isSame = worstPoints.isEmpty && variants.allSatisfy { $0.bytesBefore == $0.bytesAfter }
    return changedImages > 0 && isSame ? "No change, \(points)." : "No regression, \(points)."
  }

  /// What was not there to be compared.
  private var absentParts: [String] {
    regressions.compactMap { finding in
      switch finding.quantity {
      case .missing(let name): "\(name) is missing"
      case .unfinished: "the run is not finished"
      default: nil
      }
    }
  }

  /// What got worse, counted by kind.
  private var worseParts: [String] {
    let listed = regressions.count { $0.quantity == .failure }
    let vanished = regressions.filter { $0.quantity == .vanished }.reduce(0) { $0 + $1.worsening }
    let corpus = regressions.count { $0.isFigure && !$0.isPoint }
    let counts = [
      (corpus, "figure over the corpus", "figures over the corpus"),
      (listed > 0 ? max(newFailures, listed) : 0, "new failure", "new failures"),
      (Int(exactly: vanished) ?? 0, "vanished point", "vanished points"),
      (worsePoints, "figure of a single point", "figures of single points"),
    ]
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
  }
}

extension GateFinding {
  /// Whether it is about bytes or a score of one point, of which a report names only the worst.
  package var isPoint: Bool {
    switch quantity {
    case .pointBytes, .score: true
    default: false
    }
  }

  /// Whether it is a figure that two sides have, and not the lack of one.
  package var isFigure: Bool {
    switch quantity {
    case .pointBytes, .score, .totalBytes, .saving, .bdRate, .encodeTime, .decodeTime: true
    case .failure, .vanished, .changed, .missing, .uncompared, .unfinished: false
    }
  }
}

/// A difference between the circumstances of two runs.
package struct RunChange: Sendable, Hashable, Codable {
  /// What differs: `libraries of heic`, `preparation`, `host`, `source bytes of kodim01.png`.
  package var what: String
  /// The baseline's.
  package var before: String
  /// The run's.
  package var after: String

  /// States a change.
  package init(what: String, before: String, after: String) {
    self.what = what
    self.before = before
    self.after = after
  }
}
