package import Model
import Store

package struct TimesSummary: Sendable, Hashable {
  package var origins: [TimesOrigin: Int] = [:]
  /// Points with omitted times, by the host that measured them, which is not one of the run's.
  package var foreign: [String: Int] = [:]
  package var exclusive = 0
  /// The number of these whose encode or decode varies between repeats by more than `spreadLimit`.
  package var spread = 0
  /// The number of these whose encode exceeds its CPU time by enough to show that something else was running.
  package var disturbed = 0
  package var driftPercent: Double?

  /// The ratio of median absolute deviation to median above which a time is doubtful.
  package static let spreadLimit = 0.05
  /// The ratio of wall to CPU time above which something else must have run beside a single-threaded encode.
  package static let disturbance = 1.1
  /// Drift in percent, above which a pass is doubtful.
  package static let driftLimit = 3.0

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
    let isSpread = TimedOperation.allCases.contains { operation in
      row[operation, .wall].map { $0.median > 0 && $0.deviation > Self.spreadLimit * $0.median } ?? false
    }
    if isSpread { spread += 1 }
    if let wall = row[.encode, .wall]?.median, let cpu = row[.encode, .cpu]?.median,
      wall > cpu * Self.disturbance
    {
      disturbed += 1
    }
    if let drift = row.timesOrigin?.driftPercent, abs(drift) > abs(driftPercent ?? 0) { driftPercent = drift }
  }
}
