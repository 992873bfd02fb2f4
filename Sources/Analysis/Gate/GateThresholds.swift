import Metrics
import Model

/// Tolerated losses of a gate, by key, for options and the committed file. Exceeding a threshold fails; reaching it
/// does not.
package struct GateThresholds: Sendable, Hashable {
  private var values: [String: Double]

  /// Thresholds for runs with the same library versions, whose sizes and scores are deterministic.
  package init() { self.init(defaults: \.sameVersions) }

  /// Defaults across library versions: sizes and scores may change, and only a clear loss is a regression.
  package static let acrossVersions = GateThresholds(defaults: \.otherVersions)

  fileprivate init(
    defaults: KeyPath<Tolerance, Double>, of metrics: [MetricTraits] = MetricTraits.standard
  ) {
    let all = GateQuantity.withThreshold + metrics.map { .score($0.id) }
    values = Dictionary(
      all.compactMap { quantity in quantity.traits.tolerance.map { (quantity.key, $0[keyPath: defaults]) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The threshold of a quantity; nil for a metric without one, whose scores do not fail.
  package subscript(quantity: GateQuantity) -> Double? {
    get { values[quantity.key] }
    set { values[quantity.key] = newValue }
  }

  func allowed(_ quantity: GateQuantity) -> Double { self[quantity] ?? 0 }

  /// Keys accepted by `init(_:over:metrics:)` in addition to the metrics' identifiers.
  package static let keys = GateQuantity.withThreshold.map(\.key)
  /// Keys of figures that need scores on both sides.
  package static let equalScoreKeys: Set = [GateQuantity.saving(0).key, GateQuantity.bdRate.key]
  package static let percentKeys = Set(
    GateQuantity.withThreshold.filter { $0.traits.unit == "%" }.map(\.key))

  package var metrics: Set<String> { Set(values.keys).subtracting(Self.keys) }

  /// - Parameter metrics: Identifiers of further metrics that may have a threshold.
  /// - Throws: `GateThresholdError` for an unknown key, or a value that is negative or not a number.
  package init(
    _ values: [String: Double], over defaults: GateThresholds = .init(), metrics: [String] = []
  ) throws(GateThresholdError) {
    self = defaults
    let known = Set(metrics).union(defaults.metrics)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard value.isFinite, value >= 0 else {
        throw GateThresholdError(
          description: "the threshold “\(key)” must be a number of 0 or more, not \(value)")
      }
      let all = Self.keys + known.sorted()
      guard all.contains(key) else {
        throw GateThresholdError(
          description: "there is no threshold “\(key)”\(suggestion(for: key, among: all)) "
            + "(thresholds: \(all.joined(separator: ", ")))")
      }
      self.values[key] = value
    }
  }
}

package struct GateThresholdError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String
}

/// Thresholds for equal library versions, and wider ones for different versions.
package struct GateTolerances: Sendable, Hashable {
  package var sameVersions = GateThresholds()
  package var otherVersions = GateThresholds.acrossVersions

  /// The thresholds of a run by the identifiers of its metrics, which are all SDR or all HDR metrics.
  package init(metrics: [String] = []) {
    guard MetricTraits.hdr.contains(where: { metrics.contains($0.id) }) else { return }
    sameVersions = GateThresholds(defaults: \.sameVersions, of: MetricTraits.hdr)
    otherVersions = GateThresholds(defaults: \.otherVersions, of: MetricTraits.hdr)
  }

  func thresholds(differentVersions: Bool) -> GateThresholds {
    differentVersions ? otherVersions : sameVersions
  }
}
