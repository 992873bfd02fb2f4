import GRDB
import Model

/// The columns of a point in query order, and their decoding.
enum PointColumns {
  /// Columns that every point has, whatever its outcome.
  private enum Common: Int, CaseIterable {
    case image, setup, quality, status, kind, message, origin, failedScores

    var name: String {
      switch self {
      case .image: "image"
      case .setup: "setup"
      case .quality: "quality"
      case .status: "status"
      case .kind: "failure_kind"
      case .message: "message"
      case .origin: "origin"
      case .failedScores: "failed_scores"
      }
    }
  }

  static func list(_ metrics: [StoredMetric]) -> String {
    (fixed + metrics.map(\.column)).map { "p.\($0)" }.joined(separator: ", ")
  }

  static func count(_ metrics: [StoredMetric]) -> Int { fixed.count + metrics.count }

  /// Columns other than a point's key, run, origin and scores.
  static let contents =
    [Common.status, .kind, .message, .failedScores].map(\.name) + StoredField.all.flatMap(\.columns)

  private static let fixed = Common.allCases.map(\.name) + StoredField.all.flatMap(\.columns)

  static func image(_ row: CurrentRow) throws -> Int64 {
    Int64(try row.count(Common.image.rawValue))
  }
  static func setup(_ row: CurrentRow) throws -> Int64 {
    Int64(try row.count(Common.setup.rawValue))
  }

  static func quality(_ row: CurrentRow) throws -> Quality {
    guard let quality = Quality(thousandths: try row.count(Common.quality.rawValue)) else {
      throw StoredValueError(column: Common.quality.rawValue)
    }
    return quality
  }

  /// The reasons it was measured for other than a grid.
  static func origins(_ row: CurrentRow) throws -> Set<PointOrigin> {
    StoredOrigin.origins(try row.count(Common.origin.rawValue))
  }

  static func outcome(_ row: CurrentRow, _ metrics: [StoredMetric]) throws -> PointOutcome {
    switch try row.count(Common.status.rawValue) {
    case StoreWriter.Status.measured: return .measured(try measured(row, metrics))
    case StoreWriter.Status.unsupported: return .unsupported(try row.text(Common.message.rawValue) ?? "")
    case StoreWriter.Status.failed:
      return .failed(
        failure(kind: try row.text(Common.kind.rawValue), message: try row.text(Common.message.rawValue)))
    default: throw StoredValueError(column: Common.status.rawValue)
    }
  }

  static func measurement(_ row: CurrentRow, _ metrics: [StoredMetric]) throws -> Figures? {
    try row.integer(Common.status.rawValue) == StoreWriter.Status.measured ? measured(row, metrics) : nil
  }

  /// A failure from two columns. An unknown kind of a later version counts as broken.
  static func failure(kind: String?, message: String?) -> Failure {
    Failure(kind: kind.flatMap(Failure.Kind.init) ?? .broken, message: message ?? "")
  }

  private static func measured(_ row: CurrentRow, _ metrics: [StoredMetric]) throws -> Figures {
    var measurement = Figures(
      nativeQuality: 0, encodedBytes: 0, encodedHash: "",
      timing: TimingSeries(conditions: .contended, encode: [], decode: []))
    var column = Common.allCases.count
    for field in StoredField.all {
      try field.read(row, column, &measurement)
      column += field.columns.count
    }
    for (index, metric) in metrics.enumerated() {
      measurement.scores[metric.name] = try row.number(column + index)
    }
    if let remarks = try row.text(Common.message.rawValue) {
      measurement.remarks = try StoredJSON.value([String].self, remarks)
    }
    let scores = measurement.scores
    measurement.failedScores = try failedScores(row.text(Common.failedScores.rawValue), metrics).filter {
      scores[$0.key] == nil
    }
    return measurement
  }

  /// Reasons for missing scores of these metrics, by identifier.
  static func failedScores(_ text: String?, _ metrics: [StoredMetric]) throws -> [String: String] {
    guard let text else { return [:] }
    let failed = try StoredJSON.value([String: String].self, text)
    let reasons = metrics.compactMap { metric in failed[metric.stored].map { (metric.name, $0) } }
    return Dictionary(reasons, uniquingKeysWith: { first, _ in first })
  }
}

/// A part of a measurement in table `result`, defined once: `all` determines selects, inserts and merges, and
/// `StoreCheck` defines the permitted values. Missing columns are added to stores of earlier versions on opening.
struct StoredField: Sendable {
  let columns: [String]
  let write: @Sendable (Figures) -> [DatabaseValue]
  /// Reads it from the columns starting at an index.
  let read: @Sendable (CurrentRow, Int, inout Figures) throws -> Void

  static let all: [StoredField] =
    [
      number("native_quality", \.nativeQuality), number("bytes", \.encodedBytes),
      StoredField(columns: ["hash"], write: { [StoredHash.value($0.encodedHash)] }) {
        $2.encodedHash = try $0.hash($1)
      },
      StoredField(columns: ["agree"], write: { [$0.repeatsAgree.databaseValue] }) {
        $2.repeatsAgree = try $0.count($1) != 0
      },
      timing,
      StoredField(columns: ["scoring_cpu"], write: { [$0.scoringCPUNanoseconds.databaseValue] }) {
        $2.scoringCPUNanoseconds = Int64(try $0.integer($1) ?? 0)
      },
    ]
    + Quantity.ofPoints.map { figure in
      StoredField(columns: [figure.rawValue], write: { [$0.figures[figure].databaseValue] }) {
        $2.figures[figure] = try $0.integer($1)
      }
    }

  /// Columns added since the first store version, all numbers that may be NULL.
  static let added = Quantity.ofPoints.map(\.rawValue)

  static func times(_ operations: [TimedOperation]) -> [String] {
    TimedCall.of(operations).map(\.description)
  }

  private static func number(
    _ column: String, _ path: any WritableKeyPath<Figures, Int> & Sendable
  ) -> StoredField {
    StoredField(columns: [column], write: { [$0[keyPath: path].databaseValue] }) {
      $2[keyPath: path] = try $0.count($1)
    }
  }

  private static let calls = TimedCall.of(TimedOperation.allCases)

  /// A single repeat is stored in the time columns alone; several go to `samples`, with their medians in the columns.
  private static let timing = StoredField(columns: ["conditions"] + calls.map(\.description) + ["samples"]) {
    let timing = $0.timing
    let isSingle = TimedOperation.allCases.allSatisfy { timing[$0].count == 1 }
    let medians = calls.map { median(timing[$0.operation], $0.clock).databaseValue }
    return [StoredTiming.number(timing.conditions).databaseValue] + medians
      + [(isSingle ? nil : StoredTiming.blob(timing)).databaseValue]
  } read: { row, first, measurement in
    guard let conditions = StoredTiming.conditions(try row.count(first)) else {
      throw StoredValueError(column: first)
    }
    let samples = first + 1 + calls.count
    if let blob = try row.bytes(samples) {
      guard let series = StoredTiming.series(blob, conditions: conditions) else {
        throw StoredValueError(column: samples)
      }
      measurement.timing = series
      return
    }
    measurement.timing = TimingSeries(conditions: conditions, encode: [], decode: [])
    for (index, operation) in TimedOperation.allCases.enumerated() {
      let wall = first + 1 + index * TimingClock.allCases.count
      measurement.timing[operation] = [
        TimingSample(
          wallNanoseconds: Int64(try row.count(wall)),
          cpuNanoseconds: Int64(try row.count(wall + 1)))
      ]
    }
  }

  private static func median(_ samples: [TimingSample], _ clock: TimingClock) -> Int64? {
    guard !samples.isEmpty else { return nil }
    let sorted = samples.map { $0[clock] }.sorted()
    let upper = sorted[sorted.count / 2]
    return sorted.count % 2 == 1 ? upper : sorted[sorted.count / 2 - 1].midpoint(upper)
  }
}

extension Int64 {
  /// The midpoint with another number, without overflow.
  fileprivate func midpoint(_ other: Int64) -> Int64 { (self & other) + ((self ^ other) >> 1) }
}
