package import Model

/// How much worse things may get before the gate fails. Exceeding a threshold fails; reaching it does not.
///
/// Every threshold has a key, which flags and the committed file use: see `keys`.
package struct GateThresholds: Sendable, Hashable {
  /// Growth of the total bytes of a variant at equal settings, percent: `total-bytes`.
  package var totalBytesPercent = 0.5
  /// Growth of a single point's bytes, percent: `point-bytes`.
  package var pointBytesPercent = 2.0
  /// Fall of a single point's score in the metric's unit; the key is the metric's identifier. Metrics that
  /// are not listed do not fail the gate.
  package var scores: [String: Double] = [
    "ssimulacra2": 0.5, "psnr-y": 0.2, "psnr-rgb": 0.2, "ssim": 0.002, "ms-ssim": 0.002,
  ]
  /// Growth of the bytes at equal score, percentage points of the geometric mean over the images: `saving`.
  package var savingPoints = 1.0
  /// BD-rate against the baseline by the headline metric over the band, percentage points: `bd-rate`.
  package var bdRatePoints = 1.0
  /// Points that fail now and did not in the baseline: `failures`.
  package var newFailures = 0.0
  /// Points of the baseline that are no longer there, and points without a score that the baseline has, each
  /// counted by itself: `vanished`.
  package var vanishedPoints = 0.0
  /// Images that are not the baseline's any more under their names: `changed`.
  package var changedImages = 0.0
  /// Growth of the time of each operation of a variant, percent: `encode-time`, `decode-time`.
  package var timePercents = OperationTable<Double>()
  /// Growth of the memory of a read, percent, from a mebibyte on: `decode-memory`.
  package var decodeMemoryPercent = 20.0

  /// Growth of the time of an operation of a variant, percent.
  package subscript(time operation: TimedOperation) -> Double {
    get { timePercents[operation] ?? 20 }
    set { timePercents[operation] = newValue }
  }

  /// Thresholds for runs with the same library versions, whose sizes and scores are deterministic.
  package init() {}

  /// The defaults between different library versions, where other sizes and scores are to be expected and only
  /// a clear loss is a regression.
  package static let acrossVersions: GateThresholds = {
    var thresholds = GateThresholds()
    (thresholds.totalBytesPercent, thresholds.pointBytesPercent) = (3, 15)
    thresholds.scores = ["ssimulacra2": 3, "psnr-y": 1, "psnr-rgb": 1, "ssim": 0.01, "ms-ssim": 0.01]
    (thresholds.savingPoints, thresholds.bdRatePoints) = (3, 3)
    return thresholds
  }()

  /// The keys that `init(_:over:metrics:)` takes beside the metrics' identifiers.
  package static let keys = fields.map(\.key)
  /// The key of the bytes at equal score.
  static let savingKey = "saving"
  /// The key of the BD-rate.
  static let bdRateKey = "bd-rate"
  /// The key of the memory of a read.
  static let decodeMemoryKey = "decode-memory"
  /// The key of the time of an operation.
  package static func key(_ operation: TimedOperation) -> String { "\(operation.rawValue)-time" }
  /// The keys of figures that need scores on both sides.
  package static let equalScoreKeys: Set = [savingKey, bdRateKey]
  /// The keys whose thresholds are percentages.
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
  /// Reads thresholds by key, as a committed file or flags give them.
  ///
  /// - Parameters:
  ///   - values: The thresholds that are set; all others stay at the defaults.
  ///   - defaults: Where to start from.
  ///   - metrics: Identifiers of further metrics that may have a threshold.
  /// - Throws: `GateThresholdError` for an unknown key or a value that is negative or no number.
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

/// Why thresholds were refused.
package enum GateThresholdError: Error, Sendable, Hashable, CustomStringConvertible {
  /// There is no such threshold.
  case unknownKey(String, known: [String])
  /// A threshold has to be a number from 0 up.
  case badValue(key: String, value: Double)

  /// The reason as a sentence that says what is allowed.
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

/// The thresholds of a gate: those for equal library versions, and the wider ones for different ones.
package struct GateTolerances: Sendable, Hashable {
  /// For points that both sides measured with the same library versions.
  package var sameVersions: GateThresholds
  /// For points measured with different library versions.
  package var otherVersions: GateThresholds

  /// Pairs thresholds.
  package init(
    sameVersions: GateThresholds = .init(), otherVersions: GateThresholds = .acrossVersions
  ) {
    self.sameVersions = sameVersions
    self.otherVersions = otherVersions
  }

  /// The thresholds for points whose libraries differ or do not.
  func thresholds(differentVersions: Bool) -> GateThresholds {
    differentVersions ? otherVersions : sameVersions
  }
}
