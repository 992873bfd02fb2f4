import GRDB
import Model

/// The columns of a point in the order in which queries name them, and what they mean.
enum PointColumns {
  /// The columns of table `point`, under the name `p`, for a SELECT.
  static func list(_ metrics: [StoredMetric]) -> String {
    (fixed + metrics.map(\.column)).map { "p.\($0)" }.joined(separator: ", ")
  }

  /// How many columns `list` names.
  static func count(_ metrics: [StoredMetric]) -> Int { fixed.count + metrics.count }

  private static let fixed = [
    "image", "setup", "quality", "status", "native_quality", "bytes", "hash", "agree", "conditions",
    "encode_wall", "encode_cpu", "decode_wall", "decode_cpu", "samples", "peak_memory", "scoring_cpu",
    "failure_kind", "message", "encode_peak", "decode_peak", "failed_scores", "origin",
  ]

  static func image(_ row: Row) throws -> Int64 { Int64(try row.required(0, Row.integer)) }
  static func setup(_ row: Row) throws -> Int64 { Int64(try row.required(1, Row.integer)) }

  static func quality(_ row: Row) throws -> Quality {
    guard let quality = Quality(thousandths: try row.required(2, Row.integer)) else {
      throw StoredValueError(column: 2)
    }
    return quality
  }

  /// What it was measured for besides a grid.
  static func origins(_ row: Row) throws -> Set<PointOrigin> {
    StoredOrigin.origins(try row.required(21, Row.integer))
  }

  /// What became of the point.
  static func outcome(_ row: Row, _ metrics: [StoredMetric]) throws -> Outcome {
    switch try row.required(3, Row.integer) {
    case StoreWriter.Status.measured: return .measured(try measured(row, metrics))
    case StoreWriter.Status.unsupported: return .unsupported(try row.text(17) ?? "")
    case StoreWriter.Status.failed: return .failed(try failure(row, kind: 16, message: 17))
    default: throw StoredValueError(column: 3)
    }
  }

  /// The measurement, or nil where the point was not measured.
  static func measurement(_ row: Row, _ metrics: [StoredMetric]) throws -> Measurement? {
    try row.integer(3) == StoreWriter.Status.measured ? measured(row, metrics) : nil
  }

  /// A failure from two columns. A kind of a later version counts as broken.
  static func failure(_ row: Row, kind: Int, message: Int) throws -> Failure {
    Failure(
      kind: try row.text(kind).flatMap(Failure.Kind.init) ?? .broken, message: try row.text(message) ?? "")
  }

  private static func measured(
    _ row: Row, _ metrics: [StoredMetric]
  ) throws -> Measurement {
    var scores: [String: Double] = [:]
    for (index, metric) in metrics.enumerated() {
      scores[metric.name] = try row.number(fixed.count + index)
    }
    var measurement = Measurement(
      nativeQuality: try row.required(4, Row.integer), encodedBytes: try row.required(5, Row.integer),
      encodedHash: try row.hash(6), repeatsAgree: try row.required(7, Row.integer) != 0,
      timing: try timing(row), peakMemoryBytes: try row.integer(14), scores: scores,
      scoringCPUNanoseconds: Int64(try row.integer(15) ?? 0),
      remarks: try row.text(17).map { try StoredJSON.value([String].self, $0) } ?? [])
    measurement.encodePeakBytes = try row.integer(18)
    measurement.decodePeakBytes = try row.integer(19)
    measurement.failedScores = try failedScores(row, metrics).filter { scores[$0.key] == nil }
    return measurement
  }

  /// Why scores of these metrics are missing that should be there, by identifier.
  static func failedScores(_ row: Row, column: Int = 20, _ metrics: [StoredMetric]) throws -> [String: String]
  {
    guard let text = try row.text(column) else { return [:] }
    let failed = try StoredJSON.value([String: String].self, text)
    let reasons = metrics.compactMap { metric in failed[metric.stored].map { (metric.name, $0) } }
    return Dictionary(reasons, uniquingKeysWith: { first, _ in first })
  }

  private static func timing(_ row: Row) throws -> TimingSeries {
    guard let conditions = StoredTiming.conditions(try row.required(8, Row.integer)) else {
      throw StoredValueError(column: 8)
    }
    if let blob = try row.bytes(13) {
      guard let series = StoredTiming.series(blob, conditions: conditions) else {
        throw StoredValueError(column: 13)
      }
      return series
    }
    let sample = { (wall: Int, cpu: Int) throws in
      TimingSample(
        wallNanoseconds: Int64(try row.required(wall, Row.integer)),
        cpuNanoseconds: Int64(try row.required(cpu, Row.integer)))
    }
    return TimingSeries(conditions: conditions, encode: [try sample(9, 10)], decode: [try sample(11, 12)])
  }
}
