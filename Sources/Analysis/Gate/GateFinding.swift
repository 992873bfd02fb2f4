package import Model
package import Store

/// A difference between a baseline and a run, compared with its threshold.
package struct GateFinding: Sendable, Hashable {
  package enum Detail: Sendable, Hashable {
    case unusable(String)
    case fails(String?)
    /// No longer supported by the codec, with the reason if there is one.
    case unsupported(String?)
    case changed(NameList)
    /// Vanished points: their first image, the run's variants if it lacks theirs, and whatever else the whole run
    /// lacks.
    case vanished(first: String, run: [CodecVariant]?, images: NameList, qualities: [Quality])
    /// Missing or non-finite values, with the first such image.
    case unscored(first: String)
    /// A threshold without figures: bytes at equal score of this metric, or a score.
    case unguarded(headline: String)
    case unfinished(RunProgress)
    /// The run has only some shards of the corpus, without these images of the baseline.
    case shards(MissingShards, NameList)
    case noise
  }

  package var quantity: GateQuantity
  package var subject = GateSubject.points
  package var image: String?
  package var variant: CodecVariant?
  package var quality: Quality?
  /// Name of an imported file, which has no quality, or the way of reading or cutting; nil otherwise.
  package var name: String?
  /// The baseline's value: bytes, a score, MiB, milliseconds or a number of points; nil for a relative figure.
  package var before: Double?
  package var after: Double?
  /// Change in percent for bytes, memory and times, the metric's unit for scores, percentage points for savings and
  /// BD-rates, points for failures. Positive is worse for every quantity.
  package var worsening: Double
  package var threshold: Double?
  package var metric: MetricTraits?
  package var count: Int?
  package var detail: Detail?

  /// Name of the point or figure: `kodim01.png · heic · q 0.5`.
  package var place: String {
    [image, variant?.name, quality.map { "q \($0)" }, name].compactMap(\.self).joined(separator: " · ")
  }

  package var isUnguarded: Bool { if case .unguarded = detail { true } else { false } }

  package var key: String {
    guard isUnguarded else { return quantity.key }
    guard variant != nil, case .missing(let key) = quantity else { return "thresholds" }
    return key
  }

  package var unit: String {
    if case .score = quantity, let metric, !metric.unit.isEmpty { return metric.unit }
    let unit = quantity.traits.unit
    return unit == "points" ? "\(subject.noun)s" : unit
  }

  /// Returns true if the change exceeds its threshold in either direction; `slack` allows for rounding in a file.
  func exceeds(_ slack: Double) -> Bool { abs(worsening) > (threshold ?? .infinity) + slack }

  var severity: Double { worsening / max(threshold ?? 1, 1e-9) }
}

/// The worst of many findings in bounded memory: at least one of each quantity, however rare.
struct WorstFindings: Sendable {
  private let limit: Int
  private let severity: @Sendable (GateFinding) -> Double
  private var kept: [(severity: Double, order: Int, finding: GateFinding)] = []
  private(set) var count = 0

  init(limit: Int = GateReport.named, by severity: @escaping @Sendable (GateFinding) -> Double) {
    (self.limit, self.severity) = (limit, severity)
  }

  mutating func offer(_ finding: GateFinding) {
    count += 1
    kept.append((severity(finding), count, finding))
    if kept.count >= limit * 4 { cut() }
  }

  private mutating func cut() {
    kept.sort { ($1.severity, $0.order) < ($0.severity, $1.order) }
    var seen: Set<GateQuantity> = []
    let firsts = Set(kept.indices.filter { seen.insert(kept[$0].finding.quantity).inserted }.prefix(limit))
    var room = limit - firsts.count
    kept = kept.indices.filter { index in
      if firsts.contains(index) { return true }
      room -= 1
      return room >= 0
    }.map { kept[$0] }
  }

  var findings: [GateFinding] {
    var copy = self
    copy.cut()
    return copy.kept.map(\.finding)
  }
}
