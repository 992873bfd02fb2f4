/// What a comparison with a baseline found. `isRegression` decides the exit code of the gate.
public struct GateReport: Sendable, Hashable, Codable {
  /// The thresholds that were applied.
  public var tolerances: GateTolerances
  /// Whether library versions differ somewhere, so that the wider thresholds applied there.
  public var usesWiderTolerance = false
  /// Points that both sides measured.
  public var comparedPoints = 0
  /// What differs between the circumstances: what to read first.
  public var changes: [RunChange] = []
  /// What exceeds a threshold: corpus figures first, and then the worst points, up to `GateReport.named`.
  public var regressions: [GateFinding] = []
  /// How many points exceed a threshold, also those that are not named.
  public var worsePoints = 0
  /// How many points and images fail now that did not, also those that are not named.
  public var newFailures = 0
  /// What got better by more than the same threshold.
  public var improvements: [GateFinding] = []
  /// How many points got better by more than the threshold.
  public var betterPoints = 0
  /// What exceeds a threshold but may be noise.
  public var inconclusive: [GateFinding] = []
  /// What is worth knowing and fails nothing: points that appeared, times that could not be compared.
  public var remarks: [String] = []
  /// The ten points whose bytes or scores got worst, thresholds or not, worst first.
  public var worstPoints: [GateFinding] = []
  /// The ten images whose bytes at equal settings grew most, by variant, worst first.
  public var worstImages: [GateFinding] = []
  /// Variants in the order of the run.
  public var variants: [VariantComparison] = []
  /// The command that reproduces the worst point; nil where there is none.
  public var reproduce: String?

  /// Up to how many points `regressions` and `improvements` name.
  public static let named = 50

  /// Starts a report without findings.
  public init(tolerances: GateTolerances = .init()) { self.tolerances = tolerances }

  /// Whether something got worse beyond its threshold.
  public var isRegression: Bool { !regressions.isEmpty }

  /// Whether things only got better, so that a ratchet may replace the baseline: an improvement, nothing beyond
  /// a threshold, and no variant larger or worse in total. Small losses within the thresholds would add up.
  public var isPureImprovement: Bool {
    regressions.isEmpty && inconclusive.isEmpty && !improvements.isEmpty
      && variants.allSatisfy { variant in
        variant.bytesAfter <= variant.bytesBefore
          && (variant.scoreAfter ?? 0) >= (variant.scoreBefore ?? variant.scoreAfter ?? 0) - 0.005
      }
  }

  /// Whether the gate fails; `onImprovement` is for those who want their baseline refreshed.
  public func fails(onImprovement: Bool = false) -> Bool {
    isRegression || (onImprovement && !improvements.isEmpty)
  }

  /// The outcome in a sentence, which annotations and the first line of a comment carry.
  public var headline: String {
    let points = counted(comparedPoints, "point")
    if comparedPoints == 0, regressions.isEmpty {
      return "Nothing was compared: baseline and run have no point in common."
    }
    if isRegression {
      return "Regression: \(worseParts.joined(separator: ", ")), \(points) compared."
    }
    if !improvements.isEmpty {
      return "No regression, and better in places, \(points) compared."
    }
    if !inconclusive.isEmpty { return "No regression, but times are inconclusive, \(points) compared." }
    return "No regression, \(points) compared."
  }

  /// What got worse, counted by kind.
  private var worseParts: [String] {
    let listed = regressions.count { $0.quantity == .failure }
    let vanished = regressions.filter { $0.quantity == .vanished }.reduce(0) { $0 + $1.worsening }
    let corpus = regressions.count {
      !$0.isPoint && $0.quantity != .failure && $0.quantity != .vanished
    }
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
  public var isPoint: Bool {
    switch quantity {
    case .pointBytes, .score: true
    default: false
    }
  }
}

/// A difference between the circumstances of two runs.
public struct RunChange: Sendable, Hashable, Codable {
  /// What differs: `libraries of heic`, `preparation`, `host`, `source bytes of kodim01.png`.
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
