import Model

/// A metric as a store keeps its scores.
///
/// A program's metric is stored under its identifier and the digest of command and program, `mine@0123…`, so that
/// scores of two programs are never confused. Other metrics, and all metrics of 0.1.0, are stored under their
/// identifiers.
struct StoredMetric {
  var name: String
  var stored: String
  var column: String

  static func storedName(_ id: String, in manifest: RunManifest?) -> String {
    storedName(id, manifest?.metricPrograms)
  }

  static func storedNames(_ metrics: String, programs: String?) throws -> [String] {
    struct Named: Decodable { var id: String }
    let programs = try programs.map { try StoredJSON.value([String: String].self, $0) } ?? [:]
    return try StoredJSON.value([Named].self, metrics).map { storedName($0.id, programs) }
  }

  private static func storedName(_ id: String, _ programs: [String: String]?) -> String {
    programs?[id].map { "\(id)@\($0)" } ?? id
  }

  static func of(_ manifest: RunManifest?, among metrics: [StoredMetric]) -> [StoredMetric] {
    metrics.compactMap { metric in
      let id = metric.stored.split(separator: "@", maxSplits: 1).first.map(String.init) ?? metric.stored
      guard storedName(id, in: manifest) == metric.stored else { return nil }
      return StoredMetric(name: id, stored: metric.stored, column: metric.column)
    }
  }

  /// Reasons for missing scores of these metrics, by identifier, from a point's JSON.
  static func failed(_ text: String, _ metrics: [StoredMetric]) throws -> [String: String] {
    let failed = try StoredJSON.value([String: String].self, text)
    let reasons = metrics.compactMap { metric in failed[metric.stored].map { (metric.name, $0) } }
    return Dictionary(reasons, uniquingKeysWith: { first, _ in first })
  }
}

/// All metrics of a store, with the SQL for a point, which is the same for millions of points.
struct StoredMetrics {
  let all: [StoredMetric]
  /// Inserts `StoredResult.keyColumns`, run, origin, the fields and the scores.
  let insert: String
  /// Selects origin, size, hash and scores of a case.
  let select: String

  init(_ all: [StoredMetric]) {
    self.all = all
    let scores = all.map(\.column)
    let columns = [StoredResult.keyColumns, "run", "origin"] + PointFields.columns + scores
    let values = ["?, ?, ?, ?"] + columns.dropFirst().map { _ in "?" }
    insert = """
      INSERT OR REPLACE INTO result(\(columns.joined(separator: ", "))) \
      VALUES (\(values.joined(separator: ", ")))
      """
    let earlier = (["origin", "bytes", "iif(status = 0, hash, NULL)"] + scores).joined(separator: ", ")
    select = "SELECT \(earlier) FROM result WHERE \(StoredResult.isCase)"
  }
}
