import Metrics
package import Model

/// Tolerated losses of a gate. Exceeding a threshold fails; reaching it does not.
///
/// Every threshold has a key for flags and the committed file: see `keys`.
package struct GateThresholds: Sendable, Hashable {
  /// Growth of the total bytes of a variant at equal settings, percent: `total-bytes`.
  package var totalBytesPercent = 0.5
  /// Growth of a single point's bytes, percent: `point-bytes`.
  package var pointBytesPercent = 2.0
  /// Fall of a point's score in the metric's unit, by metric identifier. Unlisted metrics do not fail.
  package var scores = GateThresholds.scores(\.sameVersions)
  /// Growth of the bytes at equal score, percentage points of the geometric mean over the images: `saving`.
  package var savingPoints = 1.0
  /// BD-rate against the baseline by the headline metric over the band, percentage points: `bd-rate`.
  package var bdRatePoints = 1.0
  /// Points that fail now and did not in the baseline: `failures`.
  package var newFailures = 0.0
  /// Baseline points, and scores, missing from the run, each counted separately: `vanished`.
  package var vanishedPoints = 0.0
  /// Images that differ from the baseline's under their names: `changed`.
  package var changedImages = 0.0
  /// Growth of the time of each operation of a variant, percent: `encode-time`, `decode-time`.
  package var timePercents = OperationTable<Double>()
  /// Growth of the memory of a read, percent, ignored below one mebibyte: `decode-memory`.
  package var decodeMemoryPercent = 20.0

  /// Growth of the time of an operation of a variant, percent; 20 by default.
  package subscript(time operation: TimedOperation) -> Double {
    get { timePercents[operation] ?? 20 }
    set { timePercents[operation] = newValue }
  }

  /// Thresholds for runs with the same library versions, whose sizes and scores are deterministic.
  package init() {}

  /// Defaults across library versions: sizes and scores may change, and only a clear loss is a regression.
  package static let acrossVersions: GateThresholds = {
    var thresholds = GateThresholds()
    (thresholds.totalBytesPercent, thresholds.pointBytesPercent) = (3, 15)
    thresholds.scores = scores(\.otherVersions)
    (thresholds.savingPoints, thresholds.bdRatePoints) = (3, 3)
    return thresholds
  }()

  private static func scores(_ libraries: KeyPath<Tolerance, Double>) -> [String: Double] {
    Dictionary(
      MetricTraits.standard.compactMap { metric in
        metric.rules.map { (metric.id, $0.tolerance[keyPath: libraries]) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Keys accepted by `init(_:over:metrics:)` beside the metrics' identifiers.
  package static let keys = fields.map(\.key)
  static let savingKey = "saving"
  static let bdRateKey = "bd-rate"
  static let decodeMemoryKey = "decode-memory"
  package static func key(_ operation: TimedOperation) -> String { "\(operation.rawValue)-time" }
  /// Keys of figures that need scores on both sides.
  package static let equalScoreKeys: Set = [savingKey, bdRateKey]
  package static let percentKeys = Set([
    "total-bytes", "point-bytes", decodeMemoryKey,
  ]).union(TimedOperation.allCases.map(key))

  private static var fields: [(key: String, path: WritableKeyPath<GateThresholds, Double>)] {
    [
      ("total-bytes", \.totalBytesPercent), ("point-bytes", \.pointBytesPercent), (savingKey, \.savingPoints),
      (bdRateKey, \.bdRatePoints), ("failures", \.newFailures), ("vanished", \.vanishedPoints),
      ("changed", \.changedImages),
    ] + TimedOperation.allCases.map { (key($0), \.[time: $0]) }
      + [(decodeMemoryKey, \.decodeMemoryPercent)]
  }

}

extension GateThresholds {
  /// Reads thresholds by key, as in a committed file or flags.
  ///
  /// - Parameters:
  ///   - values: Thresholds to set; all others stay at `defaults`.
  ///   - metrics: Identifiers of further metrics that may have a threshold.
  /// - Throws: `GateThresholdError` for an unknown key, or a value that is negative or not a number.
  package init(
    _ values: [String: Double], over defaults: GateThresholds = .init(), metrics: [String] = []
  ) throws(GateThresholdError) {
    self = defaults
    let known = Set(metrics).union(defaults.scores.keys)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
      guard value.isFinite, value >= 0 else { throw .badValue(key: key, value: value) }
      if let field = Self.fields.first(where: { $0.key == key }) {
        self[keyPath: field.path] = value
      } else if known.contains(key) {
        scores[key] = value
      } else {
        throw .unknownKey(key, known: Self.keys + known.sorted())
      }
    }
  }
}

package enum GateThresholdError: Error, Sendable, Hashable, CustomStringConvertible {
  case unknownKey(String, known: [String])
  /// A threshold must be a number from 0 up.
  case badValue(key: String, value: Double)

  package var description: String {
    switch self {
    case .unknownKey(let key, let known):
      "there is no threshold “\(key)”\(suggestion(for: key, among: known)) "
        + "(thresholds: \(known.joined(separator: ", ")))"
    case .badValue(let key, let value):
      "the threshold “\(key)” has to be a number from 0 up, and \(value) is none"
    }
  }
}

/// Thresholds for equal library versions, and wider ones for different versions.
package struct GateTolerances: Sendable, Hashable {
  /// For points measured with the same library versions on both sides.
  package var sameVersions: GateThresholds
  package var otherVersions: GateThresholds

  package init(
    sameVersions: GateThresholds = .init(), otherVersions: GateThresholds = .acrossVersions
  ) {
    self.sameVersions = sameVersions
    self.otherVersions = otherVersions
  }

  func thresholds(differentVersions: Bool) -> GateThresholds {
    differentVersions ? otherVersions : sameVersions
  }
}
