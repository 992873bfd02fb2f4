import Model
import Store

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

extension WorstFindings {
  /// Offers the bytes of an image and variant over the points on both sides if they grew.
  mutating func offerIfWorse(
    _ image: String, _ variant: CodecVariant, _ pairs: [(before: GatePoint, after: GatePoint)]
  ) {
    let before = pairs.reduce(0.0) { $0 + Double($1.before.bytes) }
    let after = pairs.reduce(0.0) { $0 + Double($1.after.bytes) }
    guard after > before, before > 0 else { return }
    let growth = (after / before - 1) * 100
    offer(
      GateFinding(
        quantity: .totalBytes, image: image, variant: variant, before: before, after: after,
        worsening: growth, count: pairs.count))
  }
}
