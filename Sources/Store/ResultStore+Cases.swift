import Foundation
import GRDB
package import Model
import Synchronization

// Results of ways other than points.
extension ResultStore {
  /// Commits what came of a case, replacing an earlier result of it.
  package func append(_ record: CaseRecord) throws(StoreError) { try append(.point(record)) }

  /// The cases of a kind that need not be repeated: measured or unsupported ones, and failed ones unless they are
  /// retried; with `alone` no measured ones timed while other jobs ran. Files as found count for every preparation.
  /// - Parameter isEnough: false for a result that lacks something; nil to read none of them.
  package func finished(
    _ kind: Way.Kind, preparation: String, alone: Bool = false, isEnough: ((CaseRecord) -> Bool)? = nil
  ) throws(StoreError) -> Set<Case> {
    guard !options.fresh else { return [] }
    let failed = options.retryFailed
    return try read { db in
      var keys: Set<Case> = []
      try StoredResult.forEach(db, kind: kind) { row in
        switch try row.required(StoredResult.status, Row.integer) {
        case StoreWriter.Status.failed where failed: return
        case StoreWriter.Status.measured
        where try alone && row.integer(StoredResult.conditions) == StoredTiming.number(.contended):
          return
        default: break
        }
        let key = try StoredResult.key(row)
        guard key.preparation.isEmpty || key.preparation == preparation else { return }
        if let isEnough, try !isEnough(StoredResult.record(row, key)) { return }
        keys.insert(key)
      }
      return keys
    }
  }

  /// Everything that came of cases of a kind, in order of arrival.
  package func results(
    _ kind: Way.Kind, where isWanted: (Case) -> Bool
  ) throws(StoreError) -> [CaseRecord] {
    try read { db in
      var records: [CaseRecord] = []
      try StoredResult.forEach(db, kind: kind) { row in
        let key = try StoredResult.key(row)
        if isWanted(key) { records.append(try StoredResult.record(row, key)) }
      }
      return records
    }
  }

  /// Passes on the latest result for each case, whatever its libraries and the image's content, ordered by image name.
  /// Images are read a few at a time; memory stays flat, and `body` may use the store.
  /// - Parameter precedes: The order within an image; that of arrival by default.
  /// - Throws: `StoreError`, or errors of `body`.
  func forEachLatest(
    _ kinds: [Way.Kind], where isWanted: (Case) -> Bool,
    by precedes: ((StoredResult, StoredResult) -> Bool)? = nil, _ body: (CaseRecord) throws -> Void
  ) throws {
    var last: String?
    while case let names = try read({ db in try StoredResult.names(db, kinds, after: last) }),
      let first = names.first, let end = names.last
    {
      last = end
      for record in try latest(kinds, from: first, to: end, where: isWanted, by: precedes) {
        try body(record)
      }
    }
  }

  private func latest(
    _ kinds: [Way.Kind], from first: String, to last: String, where isWanted: (Case) -> Bool,
    by precedes: ((StoredResult, StoredResult) -> Bool)?
  ) throws(StoreError) -> [CaseRecord] {
    try read { db in
      var places: [Case: Int] = [:]
      var results: [StoredResult] = []
      for kind in kinds {
        try StoredResult.forEach(db, kind: kind, from: first, to: last) { row in
          let key = try StoredResult.key(row)
          guard isWanted(key) else { return }
          let result = try StoredResult(
            record: StoredResult.record(row, key), setup: row.required(13, Row.integer))
          let place = places[result.place] ?? results.count
          places[result.place] = place
          if place == results.count { results.append(result) } else { results[place] = result }
        }
      }
      return results.enumerated().sorted { a, b in
        let (x, y) = (a.element.record.key.image.name, b.element.record.key.image.name)
        guard x == y else { return x.utf8.lexicographicallyPrecedes(y.utf8) }
        if let precedes {
          if precedes(a.element, b.element) { return true }
          if precedes(b.element, a.element) { return false }
        }
        return a.offset < b.offset
      }.map(\.element.record)
    }
  }

  package func imports(
    preparation: String, series: Set<String>
  ) throws(StoreError) -> [Case: CaseRecord] {
    let records = try results(.imported) { $0.preparation == preparation && series.contains($0.series) }
    return Dictionary(records.map { ($0.key, $0) }, uniquingKeysWith: { _, last in last })
  }

  package func importHashes(of manifest: RunManifest) throws(StoreError) -> [Case: String] {
    guard let series = manifest.imports, !series.isEmpty else { return [:] }
    return try imports(
      preparation: manifest.preparation.canonicalSpelling, series: Set(series.map(\.name))
    ).compactMapValues(\.fileHash)
  }

  package func remove(_ keys: some Collection<Case>) throws(StoreError) {
    guard !keys.isEmpty else { return }
    try write { db in
      try identifiers.withLock { identifiers in
        for key in keys {
          try db.cachedStatement(sql: "DELETE FROM result WHERE \(StoreWriter.isCase)").execute(
            arguments: StatementArguments(try StoreWriter.columns(key, &identifiers, db)))
        }
      }
    }
  }
}

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
    return try key(row, way)
  }

  /// A case from the first eight of `columns`.
  static func key(_ row: Row, _ way: Way) throws -> Case {
    Case(
      image: ImageIdentity(name: try row.required(0, Row.text), contentHash: try row.hash(1)),
      preparation: try row.required(2, Row.text),
      variant: try CodecVariant(
        stored: row.required(3, Row.text), build: row.required(4, Row.text),
        settings: row.required(5, Row.text)),
      encodedAt: Quality(thousandths: try row.required(7, Row.integer)), way: way,
      libraries: try row.required(6, Row.text))
  }

  /// The record of a case from `written`, which begin at a column.
  static func record(
    _ row: Row, _ key: Case, from first: Int = status, _ decoder: JSONDecoder = ScoreJSON.decoder()
  ) throws -> CaseRecord {
    let text = try row.required(first + 3, Row.text)
    var detail = try decoder.decode(Detail.self, from: Data(text.utf8))
    if let conditions = StoredTiming.conditions(try row.integer(first + 1)),
      let blob = try row.bytes(first + 2)
    {
      guard let timing = StoredTiming.series(blob, conditions: conditions) else {
        throw StoredValueError(column: first + 2)
      }
      detail.figures?.timing = timing
    }
    let outcome: Outcome<Figures>? =
      detail.figures.map { .measured($0) } ?? detail.unsupported.map { .unsupported($0) }
      ?? detail.failure.map { .failed($0) }
    guard let outcome, StoreWriter.Status.number(outcome) == (try row.required(first, Row.integer)) else {
      throw StoredValueError(column: first)
    }
    return CaseRecord(
      key: key, outcome: outcome, timesOrigin: detail.timesOrigin, header: detail.header,
      fileHash: detail.fileHash)
  }

  /// Throws unless heicbench could have written every row.
  static func check(_ db: Database, schema: String) throws {
    let sql =
      "SELECT \(written.joined(separator: ", ")), way FROM \(schema).result WHERE sequence IS NOT NULL"
    let rows = try Row.fetchCursor(db, sql: sql)
    let decoder = ScoreJSON.decoder()
    let any = Case(
      image: ImageIdentity(name: "", contentHash: ""), preparation: "", variant: CodecVariant(codec: ""),
      encodedAt: nil, way: .whole, libraries: "")
    while let row = try rows.next() {
      guard let way = Way(try row.required(4, Row.text)) else { throw StoredValueError(column: 4) }
      let record = try record(row, any, from: 0, decoder)
      guard record.figures.flatMap({ $0.impossibility(of: way) }) == nil else {
        throw StoredValueError(column: 3)
      }
    }
  }
}
