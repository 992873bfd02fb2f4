/// The worst findings of many, in bounded memory.
struct WorstFindings: Sendable {
  private let limit: Int
  private let severity: @Sendable (GateFinding) -> Double
  private var kept: [(severity: Double, order: Int, finding: GateFinding)] = []
  /// How many were offered.
  private(set) var count = 0

  /// Keeps `limit` findings with the highest severity; of equals, those that came first.
  init(limit: Int, by severity: @escaping @Sendable (GateFinding) -> Double) {
    self.limit = limit
    self.severity = severity
  }

  /// Offers a finding.
  mutating func offer(_ finding: GateFinding) {
    count += 1
    kept.append((severity(finding), count, finding))
    if kept.count >= limit * 4 { cut() }
  }

  private mutating func cut() {
    kept.sort { ($1.severity, $0.order) < ($0.severity, $1.order) }
    kept.removeLast(max(kept.count - limit, 0))
  }

  /// The worst, worst first.
  var findings: [GateFinding] {
    var copy = self
    copy.cut()
    return copy.kept.map(\.finding)
  }
}
