package import Model
import Store

/// Where the times of a run come from, and what speaks against them.
package struct TimesSummary: Sendable, Hashable {
  /// Points by the machine that timed them and its jobs; empty where rows do not tell.
  package var origins: [TimesOrigin: Int] = [:]
  /// Points whose times were left out, by the host that they were taken on: none of the run's.
  package var foreign: [String: Int] = [:]
  /// Points that were timed with nothing beside them.
  package var exclusive = 0
  /// Of these, points whose encode or decode varies from repeat to repeat by more than `spreadLimit`.
  package var spread = 0
  /// Of these, points whose encode took so much longer than its CPU time that something else was running.
  package var disturbed = 0
  /// The largest drift of a machine while it timed points alone, percent; nil where none was measured.
  package var driftPercent: Double?

  /// The median absolute deviation over the median, above which a time is in doubt.
  package static let spreadLimit = 0.05
  /// Wall over CPU time, above which something else ran beside an encode of one thread.
  package static let disturbance = 1.1
  /// Per cent of drift, above which a pass is in doubt.
  package static let driftLimit = 3.0

  /// Starts without rows.
  package init() {}

  /// Takes the next row.
  mutating func add(_ row: ResultRow) {
    guard row.status == .measured else { return }
    if let host = row.foreignHost { foreign[host, default: 0] += 1 }
    guard row.conditions != nil else { return }
    if var origin = row.timesOrigin {
      origin.driftPercent = nil
      if row.conditions == .exclusive { origin.jobs = 1 }
      origins[origin, default: 0] += 1
    }
    guard row.conditions == .exclusive else { return }
    exclusive += 1
    if TimedOperation.allCases.contains(where: { Self.isSpread(row[$0, .wall]) }) { spread += 1 }
    if let wall = row[.encode, .wall]?.median, let cpu = row[.encode, .cpu]?.median,
      wall > cpu * Self.disturbance
    {
      disturbed += 1
    }
    if let drift = row.timesOrigin?.driftPercent, abs(drift) > abs(driftPercent ?? 0) { driftPercent = drift }
  }

  private static func isSpread(_ timing: ResultRow.Timing?) -> Bool {
    timing.map { $0.median > 0 && $0.deviation > spreadLimit * $0.median } ?? false
  }
}
