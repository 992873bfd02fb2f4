import Foundation
import GRDB
import Model

/// A row of table `result` for a way other than a point.
struct StoredResult {
  var record: CaseRecord
  var setup: Int

  /// The outcome of a case, as JSON in column `detail`, except for its times, which use the time columns of points.
  private struct Detail: Codable {
    var figures: Figures?
    var unsupported: String?
    var failure: Failure?
    var timesOrigin: TimesOrigin?
    var header: ImageHeader?
    var fileHash: String?
  }

  /// The key of table `result`, and the condition for a case.
  static let keyColumns = "image, way, setup, quality"
  static let isCase = "image = ? AND way = ? AND setup = ? AND quality = ?"

  static let written = ["status", "conditions", "samples", "detail"]
  static func values(_ record: CaseRecord) throws -> [DatabaseValue] {
    var detail = Detail(
      figures: record.figures, failure: record.outcome.failure, timesOrigin: record.timesOrigin,
      header: record.header, fileHash: record.fileHash)
    if case .unsupported(let reason) = record.outcome { detail.unsupported = reason }
    detail.figures?.timing = Figures.untimed
    let timing = record.figures?.timing
    return [
      ResultRow.Status(record.outcome).number.databaseValue,
      timing.map { StoredTiming.number($0.conditions) }.databaseValue,
      timing.map(StoredTiming.blob).databaseValue, try StoredJSON.text(detail).databaseValue,
    ]
  }

  /// The case without libraries, preparation and the content of files.
  var place: Case {
    var key = record.key
    (key.libraries, key.preparation) = ("", "")
    key.image = ImageIdentity(name: key.image.name, contentHash: "")
    if key.encodedAt == nil { key.variant = CodecVariant(codec: "", build: key.build) }
    return key
  }

  static let (status, conditions) = (9, 10)

  private static let columns =
    ([
      "i.name", "i.hash", "q.spelling", "s.codec", "s.build", "s.settings", "s.libraries", "r.quality",
      "r.way",
    ]
    + (written + ["setup"]).map { "r.\($0)" }).joined(separator: ", ")
  private static let setups = "JOIN setup s ON s.id = r.setup JOIN preparation q ON q.id = s.preparation"

  /// A condition on the way, for alias `r`, that the table's key can answer.
  static func isOf(_ kind: Way.Kind) -> String {
    kind == .point ? "r.way = ''" : "r.way >= '\(kind.rawValue)' AND r.way < '\(kind.rawValue)!'"
  }

  static func forEach(_ db: Database, kind: Way.Kind, _ body: (CurrentRow) throws -> Void) throws {
    let sql = """
      SELECT \(columns) FROM result r JOIN image i ON i.id = r.image \(setups)
      WHERE r.sequence IS NOT NULL AND \(isOf(kind)) ORDER BY r.sequence
      """
    try db.forEach(sql, [], body)
  }

  /// Passes on the rows of images between two names, inclusive, in order of arrival.
  static func forEach(
    _ db: Database, kind: Way.Kind, from first: String, to last: String, _ body: (CurrentRow) throws -> Void
  ) throws {
    // CROSS JOIN fixes the table order, so that only the rows of these images are visited.
    let sql = """
      SELECT \(columns) FROM image i CROSS JOIN result r ON r.image = i.id AND \(isOf(kind)) \(setups)
      WHERE i.name BETWEEN ? AND ? ORDER BY r.sequence
      """
    try db.forEach(sql, [first, last], body)
  }

  static func names(_ db: Database, _ kinds: [Way.Kind], after last: String?) throws -> [String] {
    let kinds = kinds.map { "(\(isOf($0)))" }.joined(separator: " OR ")
    let sql = """
      SELECT DISTINCT name FROM image i WHERE name \(last == nil ? ">=" : ">") ?
        AND EXISTS (SELECT 1 FROM result r WHERE r.image = i.id AND (\(kinds))) ORDER BY name LIMIT 64
      """
    return try String.fetchAll(db.cachedStatement(sql: sql), arguments: [last ?? ""])
  }

  static func key(_ row: CurrentRow) throws -> Case {
    Case(
      image: ImageIdentity(name: try row.string(0), contentHash: try row.hash(1)),
      preparation: try row.string(2), variant: try CodecVariant(row, 3),
      encodedAt: Quality(thousandths: try row.count(7)), way: try way(row, 8), libraries: try row.string(6))
  }

  /// The record of a case from the columns `written`, which start at `first`.
  static func record(_ row: CurrentRow, _ key: Case, from first: Int = status) throws -> CaseRecord {
    let detail = try ScoreJSON.decoder().decode(Detail.self, from: Data(row.string(first + 3).utf8))
    return CaseRecord(
      key: key,
      outcome: try outcome(
        detail, (row.count(first), StoredTiming.series(row, first + 1, first + 2)), of: key.way),
      timesOrigin: detail.timesOrigin, header: detail.header, fileHash: detail.fileHash)
  }

  /// Throws for figures that heicbench could not have written: a store that is only read is not checked as a whole.
  private static func outcome(
    _ detail: Detail, _ columns: (status: Int, timing: TimingSeries?), of way: Way
  ) throws -> Outcome<Figures> {
    var figures = detail.figures
    if let timing = columns.timing { figures?.timing = timing }
    let outcome: Outcome<Figures>? =
      figures.map { .measured($0) } ?? detail.unsupported.map { .unsupported($0) }
      ?? detail.failure.map { .failed($0) }
    guard let outcome, ResultRow.Status(outcome).number == columns.status,
      outcome.value?.impossibility(of: way) == nil
    else { throw StoredValueError(column: 0) }
    return outcome
  }

  private static func way(_ row: CurrentRow, _ column: Int) throws -> Way {
    guard let way = Way(try row.string(column)) else { throw StoredValueError(column: column) }
    return way
  }

  /// Throws unless heicbench could have written every row, whose `detail` the database has already checked to be valid
  /// JSON.
  static func check(_ db: Database, schema: String) throws {
    let sql =
      "SELECT \(written.joined(separator: ", ")), way FROM \(schema).result WHERE sequence IS NOT NULL"
    var rows: [(way: Way, columns: (Int, TimingSeries?))] = []
    var json = ""
    // Details are decoded in batches, since the overhead of a decoder call is a quarter of the cost of a row.
    func checkRows() throws {
      let details = try ScoreJSON.decoder().decode([Detail].self, from: Data("[\(json)]".utf8))
      guard details.count == rows.count else { throw StoredValueError(column: 3) }
      for (row, detail) in zip(rows, details) { _ = try outcome(detail, row.columns, of: row.way) }
      (rows, json) = ([], "")
    }
    try db.forEach(sql) { row in
      rows.append((try way(row, 4), (try row.count(0), try StoredTiming.series(row, 1, 2))))
      json += try (json.isEmpty ? "" : ",") + row.string(3)
      if json.utf8.count >= 1 << 16 { try checkRows() }
    }
    try checkRows()
  }

  /// Adds the scores that only the other store (`s`) has to results that both stores have measured (`m` here).
  /// - Parameter both: The tables with the condition on equal cases.
  static func joinScores(_ db: Database, _ both: String) throws {
    let columns = ["m", "s"].flatMap { side in written.map { "\(side).\($0)" } }.joined(separator: ", ")
    let sql = """
      SELECT m.sequence, m.way, \(columns) \(both)
      WHERE s.sequence IS NOT NULL AND m.status = 0 AND s.status = 0 AND m.detail <> s.detail
      """
    // Updating the row being read changes neither the next rows nor their order.
    try db.forEach(sql) { row in
      let key = Case(
        image: ImageIdentity(name: "", contentHash: ""), preparation: "", variant: CodecVariant(codec: ""),
        encodedAt: nil, way: try way(row, 1), libraries: "")
      let own = try record(row, key, from: 2)
      let all = try own.keepingScores(of: record(row, key, from: 2 + written.count))
      guard all != own, let detail = try String.fromDatabaseValue(values(all)[written.count - 1]),
        detail.utf8.count <= StoreCondition.longestDetail
      else { return }
      try db.cachedStatement(sql: "UPDATE main.result SET detail = ? WHERE sequence = ?")
        .execute(arguments: [detail, try row.count(0)])
    }
  }
}
