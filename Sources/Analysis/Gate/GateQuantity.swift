import Metrics
package import Model

/// A quantity that a gate compares, or an absence that it reports. Thresholds, tables, JUnit and annotations use only
/// its traits.
package enum GateQuantity: Sendable, Hashable {
  /// Bytes at equal settings: of a variant, or of one image and variant.
  case totalBytes
  /// Bytes of a point at equal settings, bytes read by a route, or bytes of all levels of a tiling.
  case pointBytes
  case score(String)
  case saving(Double)
  case bdRate
  case time(TimedOperation)
  case memory
  case failure
  case vanished
  /// Images that differ from the baseline's under the same name.
  case changed
  /// Values missing from the run, by their key, or a threshold without figures.
  case missing(String)
  case uncompared
  case unfinished

  package enum Scope: Sendable, Hashable {
    /// A figure of a single point; a report names only the worst of these.
    case point
    case corpus
    /// A count of missing items, without a figure on both sides.
    case absence
  }

  package struct Traits: Sendable {
    package var key: String
    package var title: String
    package var unit: String
    package var scope = Scope.corpus
    package var tolerance: Tolerance?
    package var decimals = 0
    package var changeDecimals = 2
    /// Differences below this are noise, in the unit of the values.
    package var noise = 0.0
  }

  package var traits: Traits {
    switch self {
    case .totalBytes:
      Traits(
        key: "total-bytes", title: "total bytes", unit: "%", tolerance: Tolerance(0.5, otherVersions: 3))
    case .pointBytes:
      Traits(
        key: "point-bytes", title: "bytes", unit: "%", scope: .point,
        tolerance: Tolerance(2, otherVersions: 15))
    // Changes of SSIM appear in the third decimal.
    case .score(let id):
      Traits(
        key: id, title: id, unit: "score", scope: .point, tolerance: MetricTraits.rules(of: id)?.tolerance,
        decimals: 4, changeDecimals: 4)
    case .saving:
      Traits(
        key: "saving", title: "bytes at score", unit: "percentage points",
        tolerance: Tolerance(1, otherVersions: 3), decimals: 1)
    case .bdRate:
      Traits(
        key: "bd-rate", title: "BD-rate", unit: "percentage points",
        tolerance: Tolerance(1, otherVersions: 3), decimals: 1)
    // Smaller differences of summed times come from the scheduler, in milliseconds.
    case .time(let operation):
      Traits(
        key: "\(operation)-time", title: "\(operation) time", unit: "%", tolerance: Tolerance(20),
        decimals: 1, noise: 2)
    // Smaller growth comes from stray pages, in MiB.
    case .memory:
      Traits(
        key: "decode-memory", title: "memory", unit: "%", scope: .point, tolerance: Tolerance(20),
        decimals: 1, noise: 1)
    case .failure: absence("failures", "failure", "points", Tolerance(0))
    case .vanished: absence("vanished", "vanished", "points", Tolerance(0))
    case .changed: absence("changed", "changed", "images", Tolerance(0))
    case .missing(let key): absence("vanished", "missing \(key)", "points")
    case .uncompared: absence("compared", "nothing compared", "")
    case .unfinished: absence("finished", "not finished", "")
    }
  }

  private func absence(
    _ key: String, _ title: String, _ unit: String, _ tolerance: Tolerance? = nil
  ) -> Traits {
    Traits(key: key, title: title, unit: unit, scope: .absence, tolerance: tolerance, changeDecimals: 0)
  }

  package var key: String { traits.key }
  package var isPoint: Bool { traits.scope == .point }
  package var isMissing: Bool { if case .missing = self { true } else { false } }

  /// Quantities other than metrics that have a threshold, in the order of their keys in messages.
  static let withThreshold: [GateQuantity] =
    [.totalBytes, .pointBytes, .saving(0), .bdRate, .failure, .vanished, .changed]
    + TimedOperation.allCases.map(GateQuantity.time) + [.memory]

  /// Returns how much worse the second value is: in percent, or in the metric's unit for a score.
  static func worsening(_ before: Double, _ after: Double, metric: MetricTraits? = nil) -> Double {
    if let metric { return metric.worsening(from: before, to: after) }
    return before > 0 ? (after / before - 1) * 100 : after > 0 ? .infinity : 0
  }
}
