package import Model
import Store

/// Where the times of a run come from, and what speaks against them.
package struct TimesSummary: Sendable, Hashable, Codable {
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
    if [row.encodeWall, row.decodeWall].contains(where: Self.isSpread) { spread += 1 }
    if let wall = row.encodeWall?.median, let cpu = row.encodeCPU?.median, wall > cpu * Self.disturbance {
      disturbed += 1
    }
    if let drift = row.timesOrigin?.driftPercent, abs(drift) > abs(driftPercent ?? 0) { driftPercent = drift }
  }

  private static func isSpread(_ timing: ResultRow.Timing?) -> Bool {
    timing.map { $0.median > 0 && $0.deviation > spreadLimit * $0.median } ?? false
  }

  /// What speaks against the times, a sentence each.
  var warnings: [String] {
    var warnings = foreign.sorted { $0.key < $1.key }.map { host, points in
      "Times of \(counted(points, "point")) were taken on \(host.isEmpty ? "another host" : host) and are left out: "
        + "--fresh measures them on this machine."
    }
    if let drift = driftPercent, abs(drift) > Self.driftLimit {
      warnings.append(
        "The machine drifted by \(fixed(drift, 1)) % while points were timed: close what else runs and time again "
          + "with --fresh.")
    }
    if spread > 0 {
      warnings.append(
        "Times of \(spread) of \(counted(exclusive, "point")) timed alone vary from repeat to repeat by more than "
          + "\(fixed(Self.spreadLimit * 100, 0)) % (median deviation over median).")
    }
    if disturbed > 0 {
      warnings.append(
        "Wall times of \(disturbed) of \(counted(exclusive, "point")) timed alone are more than "
          + "\(fixed((Self.disturbance - 1) * 100, 0)) % over their CPU times: something else was running.")
    }
    return warnings
  }

  /// Whose times these are, in a sentence; nil where rows do not tell.
  var origin: String? {
    guard !origins.isEmpty else { return nil }
    let sorted = origins.sorted {
      ($1.value, $0.key.host, $0.key.jobs) < ($0.value, $1.key.host, $1.key.jobs)
    }
    let phrases = sorted.map { origin, points in
      "\(origin.host) (\(origin.processor)) with \(counted(origin.jobs, "job"))"
        + (sorted.count > 1 ? ", \(counted(points, "point"))" : "")
    }
    return
      "Times were taken on \(phrases.joined(separator: "; ")).\(sorted.count > 1 ? " They are mixed." : "")"
  }
}

extension Analysis {
  /// What stands under tables of times: whose they are, and what wall times are worth.
  package var timeNotes: [String] {
    var notes = [times.origin].compactMap(\.self)
    if timesAreContended {
      notes.append(
        "Wall times of \(counted(counts.contended, "point")) were taken beside other jobs: they are not those of one "
          + "encode alone (--time measures these). CPU times do not count waiting; what neighbours in caches and "
          + "memory add to them was not measured.")
    }
    return notes
  }
}
