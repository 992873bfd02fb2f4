import Metrics
import Model

package enum GateSubject: String, Sendable, Hashable, CaseIterable {
  /// Points of a sweep.
  case points
  /// Cost of getting pixels out of files.
  case reads
  case tiles
  /// Files of chains that are encoded again and again.
  case generations

  package var noun: String {
    switch self {
    case .points: "point"
    case .reads: "read"
    case .tiles: "cut"
    case .generations: "generation"
    }
  }

  /// Allowance for rounding in a baseline file. Other scores are rounded alike before they are compared.
  var slack: Double { self == .reads || self == .tiles ? 1e-3 : 1e-9 }

  /// Metrics that the ways other than points are compared by.
  var metrics: [MetricTraits] { self == .generations ? MetricTraits.standard : [.headline] }

  /// Quantities held against thresholds in ways other than points.
  package var quantities: [GateQuantity] {
    let values = metrics.map { GateQuantity.score($0.id) }.filter { $0.traits.tolerance != nil }
    let costs: [GateQuantity] =
      switch self {
      case .points, .generations: []
      case .reads: [.memory, .time(.decode)]
      case .tiles: [.memory]
      }
    return [.pointBytes] + values + costs
  }

  package var requiredColumns: [String] {
    let all = ["image", "codec", "settings", "quality"]
    return switch self {
    case .points: all + ["status"]
    case .reads: all + ["status", "source", "route", "wanted"]
    case .tiles: all + ["status", "tile_size", "overlap", "total_bytes"]
    case .generations: all + ["generation", "encoded_bytes"]
    }
  }

  /// Columns of a baseline, all but times deterministic.
  package var baselineColumns: [String] {
    let file = ["image", "codec", "settings", "build", "quality"]
    let origin = ["image_sha256", "libraries"]
    switch self {
    case .points: return []
    case .reads:
      let figures = [
        "route", "wanted", "file_bytes", "touched_bytes", "ssimulacra2", "ssimulacra2_aligned", "cpu_ms",
        "cpu_min_ms", "cpu_mad_ms", "repeats", "peak_mib", "status",
      ]
      return ["image", "source"] + file.dropFirst() + figures + origin + ["host", "processor", "jobs"]
    case .tiles:
      let figures = [
        "tile_size", "overlap", "whole_bytes", "level0_bytes", "total_bytes", "whole_ssimulacra2",
        "level0_ssimulacra2", "viewport_peak_mib", "status",
      ]
      return file + figures + origin
    case .generations:
      return file + ["generation", "encoded_bytes"] + metrics.map(\.column) + ["status"] + origin
    }
  }
}

extension GateSubject {
  var bytesColumn: String {
    switch self {
    case .points, .generations: "encoded_bytes"
    case .reads: "touched_bytes"
    case .tiles: "total_bytes"
    }
  }

  /// Columns of a metric's score; the first with a number counts.
  func scoreColumns(_ metric: MetricTraits) -> [String] {
    switch self {
    case .points, .generations: [metric.column]
    case .reads: ["ssimulacra2_aligned", "ssimulacra2"]
    case .tiles: ["level0_ssimulacra2"]
    }
  }

  /// Names a case within its image and variant: `q 0.8, scaled, 320`.
  func way(_ field: (String) -> String) -> String {
    let quality = field("quality").isEmpty || field("source") == "as-found" ? nil : "q \(field("quality"))"
    switch self {
    case .points: return quality ?? ""
    case .reads: return "\(quality ?? "as found"), \(field("route")), \(field("wanted"))"
    case .tiles:
      let overlap = field("overlap")
      return "\(quality ?? "as found"), tiles of \(field("tile_size")) px"
        + (overlap == "0" ? "" : " with \(overlap) px shared")
    case .generations:
      let number = field("generation")
      return (quality ?? "no quality") + (number.isEmpty ? "" : ", generation \(number)")
    }
  }
}
