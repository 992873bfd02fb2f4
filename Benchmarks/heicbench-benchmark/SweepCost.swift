import Foundation
import Model
import Store

/// The cost of a sweep's encodes, made in one of the ways that are compared.
struct SweepCost {
  /// Measured points.
  var points = 0
  /// Bytes of all encoded files, which show whether two ways did the same work.
  var encodedBytes = 0
  /// Elapsed time from beginning to end.
  var wallSeconds = 0.0
  /// CPU time of all processes.
  var cpuSeconds = 0.0
  /// The part of the CPU time inside encodes.
  var encodeSeconds = 0.0
  /// The part of the CPU time inside decodes of the encoded files.
  var decodeSeconds = 0.0

  /// The median of each figure separately; for an even number, the lower one.
  static func median(of costs: [SweepCost]) -> SweepCost {
    var median = costs.first ?? SweepCost()
    for path in [\SweepCost.wallSeconds, \.cpuSeconds, \.encodeSeconds, \.decodeSeconds] {
      median[keyPath: path] = costs.map { $0[keyPath: path] }.sorted()[(costs.count - 1) / 2]
    }
    return median
  }
}

extension SweepCost {
  /// Adds the points of a results folder.
  mutating func addPoints(of folder: String) throws {
    let store = try ResultStore(reading: folder)
    guard let run = try store.latestRun() else { return }
    try store.forEachRow(of: run.id) { row in
      guard row.status == .measured else { return }
      points += 1
      encodedBytes += row.encodedBytes ?? 0
      encodeSeconds += (row[.encode, .cpu]?.median ?? 0) / 1000
      decodeSeconds += (row[.decode, .cpu]?.median ?? 0) / 1000
    }
  }
}
