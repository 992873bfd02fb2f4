import GRDB
import Model

/// The columns of a point in the order in which queries name them, and what they mean.
enum PointColumns {
  /// Columns that every point has, whatever became of it.
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

  /// The columns of table `point`, under the name `p`, for a SELECT.
  static func list(_ metrics: [StoredMetric]) -> String {
    (fixed + metrics.map(\.column)).map { "p.\($0)" }.joined(separator: ", ")
  }

  /// How many columns `list` names.
  static func count(_ metrics: [StoredMetric]) -> Int { fixed.count + metrics.count }

  /// Columns besides a point's key, its run, its origin and its scores.
  static let contents =
    [Common.status, .kind, .message, .failedScores].map(\.name) + StoredField.all.flatMap(\.columns)

  private static let fixed = Common.allCases.map(\.name) + StoredField.all.flatMap(\.columns)

  static func image(_ row: Row) throws -> Int64 {
    Int64(try row.required(Common.image.rawValue, Row.integer))
  }
  static func setup(_ row: Row) throws -> Int64 {
    Int64(try row.required(Common.setup.rawValue, Row.integer))
  }

  static func quality(_ row: Row) throws -> Quality {
    guard let quality = Quality(thousandths: try row.required(Common.quality.rawValue, Row.integer)) else {
      throw StoredValueError(column: Common.quality.rawValue)
    }
    return quality
  }

  /// What it was measured for besides a grid.
  static func origins(_ row: Row) throws -> Set<PointOrigin> {
    StoredOrigin.origins(try row.required(Common.origin.rawValue, Row.integer))
  }

  /// What became of the point.
  static func outcome(_ row: Row, _ metrics: [StoredMetric]) throws -> PointOutcome {
    switch try row.required(Common.status.rawValue, Row.integer) {
    case StoreWriter.Status.measured: return .measured(try measured(row, metrics))
    case StoreWriter.Status.unsupported: return .unsupported(try row.text(Common.message.rawValue) ?? "")
    case StoreWriter.Status.failed:
      return .failed(try failure(row, kind: Common.kind.rawValue, message: Common.message.rawValue))
    default: throw StoredValueError(column: Common.status.rawValue)
    }
  }

  /// The measurement, or nil where the point was not measured.
  static func measurement(_ row: Row, _ metrics: [StoredMetric]) throws -> Measurement? {
    try row.integer(Common.status.rawValue) == StoreWriter.Status.measured ? measured(row, metrics) : nil
  }

  /// A failure from two columns. A kind of a later version counts as broken.
  static func failure(_ row: Row, kind: Int, message: Int) throws -> Failure {
    Failure(
      kind: try row.text(kind).flatMap(Failure.Kind.init) ?? .broken, message: try row.text(message) ?? "")
  }

  private static func measured(_ row: Row, _ metrics: [StoredMetric]) throws -> Measurement {
    var measurement = Measurement(
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

  /// Why scores of these metrics are missing that should be there, by identifier.
  static func failedScores(_ text: String?, _ metrics: [StoredMetric]) throws -> [String: String] {
    guard let text else { return [:] }
    let failed = try StoredJSON.value([String: String].self, text)
    let reasons = metrics.compactMap { metric in failed[metric.stored].map { (metric.name, $0) } }
    return Dictionary(reasons, uniquingKeysWith: { first, _ in first })
  }
}
