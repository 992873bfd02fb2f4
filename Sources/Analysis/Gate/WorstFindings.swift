/// The worst of many findings in bounded memory: at least one of each quantity, however rare.
struct WorstFindings: Sendable {
  private let limit: Int
  private let severity: @Sendable (GateFinding) -> Double
  private var kept: [(severity: Double, order: Int, finding: GateFinding)] = []
  private(set) var count = 0

  /// Keeps the `limit` findings of highest severity; of equals, the first ones.
  init(limit: Int, by severity: @escaping @Sendable (GateFinding) -> Double) {
    self.limit = limit
    self.severity = severity
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

  /// Worst first.
  var findings: [GateFinding] {
    var copy = self
    copy.cut()
    return copy.kept.map(\.finding)
  }
}
