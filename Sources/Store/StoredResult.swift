import Foundation
import GRDB
import Model

/// A row of table `result` for a way other than a point.
struct StoredResult {
  var record: CaseRecord
  var setup: Int

  /// The outcome of a case, as JSON in column `detail`, but for its times, which are in the columns of those of points.
  private struct Detail: Codable {
    var figures: Figures?
    /// The reason of a case that is not supported.
    var unsupported: String?
    var failure: Failure?
    var timesOrigin: TimesOrigin?
    var header: ImageHeader?
    var fileHash: String?
  }

  /// The values of these columns for a record.
  static let written = ["status", "conditions", "samples", "detail"]
  static func values(_ record: CaseRecord) throws -> [DatabaseValue] {
    var detail = Detail(
      figures: record.figures, failure: record.outcome.failure, timesOrigin: record.timesOrigin,
      header: record.header, fileHash: record.fileHash)
    if case .unsupported(let reason) = record.outcome { detail.unsupported = reason }
    detail.figures?.timing = Figures.untimed
    let timing = record.figures?.timing
    return [
      StoreWriter.Status.number(record.outcome).databaseValue,
      timing.map { StoredTiming.number($0.conditions) }.databaseValue,
      timing.map(StoredTiming.blob).databaseValue, try StoredJSON.scoredText(detail).databaseValue,
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

  /// A condition on the way, with alias `r`, that the table's key answers.
  static func isOf(_ kind: Way.Kind) -> String {
    kind == .point ? "r.way = ''" : "r.way >= '\(kind.rawValue)' AND r.way < '\(kind.rawValue)!'"
  }

  /// Passes on every row of a kind in order of arrival.
  static func forEach(_ db: Database, kind: Way.Kind, _ body: (Row) throws -> Void) throws {
    let sql = """
      SELECT \(columns) FROM result r JOIN image i ON i.id = r.image \(setups)
      WHERE r.sequence IS NOT NULL AND \(isOf(kind)) ORDER BY r.sequence
      """
    let rows = try Row.fetchCursor(db, sql: sql)
    while let row = try rows.next() { try body(row) }
  }

  /// Passes on the rows of images between two names, inclusive, in order of arrival.
  static func forEach(
    _ db: Database, kind: Way.Kind, from first: String, to last: String, _ body: (Row) throws -> Void
  ) throws {
    // CROSS JOIN fixes the table order, so that only the rows of these images are visited.
    let sql = """
      SELECT \(columns) FROM image i CROSS JOIN result r ON r.image = i.id AND \(isOf(kind)) \(setups)
      WHERE i.name BETWEEN ? AND ? ORDER BY r.sequence
      """
    let rows = try Row.fetchCursor(db.cachedStatement(sql: sql), arguments: [first, last])
    while let row = try rows.next() { try body(row) }
  }

  /// The next names of images with results of these kinds.
  static func names(_ db: Database, _ kinds: [Way.Kind], after last: String?) throws -> [String] {
    let kinds = kinds.map { "(\(isOf($0)))" }.joined(separator: " OR ")
    let sql = """
      SELECT DISTINCT name FROM image i WHERE name \(last == nil ? ">=" : ">") ?
        AND EXISTS (SELECT 1 FROM result r WHERE r.image = i.id AND (\(kinds))) ORDER BY name LIMIT 64
      """
    return try String.fetchAll(db.cachedStatement(sql: sql), arguments: [last ?? ""])
  }

  static func key(_ row: Row) throws -> Case {
    guard let way = Way(try row.required(8, Row.text)) else { throw StoredValueError(column: 8) }
    return Case(
      image: ImageIdentity(name: try row.required(0, Row.text), contentHash: try row.hash(1)),
      preparation: try row.required(2, Row.text),
      variant: try CodecVariant(
        stored: row.required(3, Row.text), build: row.required(4, Row.text),
        settings: row.required(5, Row.text)),
      encodedAt: Quality(thousandths: try row.required(7, Row.integer)), way: way,
      libraries: try row.required(6, Row.text))
  }

  /// The record of a case from `written`, which begin at a column.
  static func record(_ row: Row, _ key: Case, from first: Int = status) throws -> CaseRecord {
    let text = try row.required(first + 3, Row.text)
    let detail = try ScoreJSON.decoder().decode(Detail.self, from: Data(text.utf8))
    return CaseRecord(
      key: key, outcome: try outcome(row, detail, from: first), timesOrigin: detail.timesOrigin,
      header: detail.header, fileHash: detail.fileHash)
  }

  private static func outcome(_ row: Row, _ detail: Detail, from first: Int) throws -> Outcome<Figures> {
    var figures = detail.figures
    if let conditions = StoredTiming.conditions(try row.integer(first + 1)),
      let blob = try row.bytes(first + 2)
    {
      guard let timing = StoredTiming.series(blob, conditions: conditions) else {
        throw StoredValueError(column: first + 2)
      }
      figures?.timing = timing
    }
    let outcome: Outcome<Figures>? =
      figures.map { .measured($0) } ?? detail.unsupported.map { .unsupported($0) }
      ?? detail.failure.map { .failed($0) }
    guard let outcome, StoreWriter.Status.number(outcome) == (try row.required(first, Row.integer)) else {
      throw StoredValueError(column: first)
    }
    return outcome
  }

  /// Throws unless heicbench could have written every row, whose `detail` the database has found to be valid JSON.
  static func check(_ db: Database, schema: String) throws {
    let sql =
      "SELECT \(written.joined(separator: ", ")), way FROM \(schema).result WHERE sequence IS NOT NULL"
    let rows = try Row.fetchCursor(db, sql: sql)
    while true {
      // Decoded together, since a call of the decoder costs a quarter of what it does for one row.
      var (batch, texts, size) = ([Row](), [String](), 0)
      while size < 1 << 16, let row = try rows.next() {
        let text = try row.required(3, Row.text)
        texts.append(text)
        batch.append(row.copy())
        size += text.utf8.count
      }
      guard !batch.isEmpty else { return }
      let json = Data("[\(texts.joined(separator: ","))]".utf8)
      let details = try ScoreJSON.decoder().decode([Detail].self, from: json)
      guard details.count == batch.count else { throw StoredValueError(column: 3) }
      for (row, detail) in zip(batch, details) {
        guard let way = Way(try row.required(4, Row.text)) else { throw StoredValueError(column: 4) }
        let figures = try outcome(row, detail, from: 0).value
        guard figures.flatMap({ $0.impossibility(of: way) }) == nil else { throw StoredValueError(column: 3) }
      }
    }
  }
}
