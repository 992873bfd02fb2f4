import Foundation
import GRDB
package import Model
import Synchronization

extension ResultStore {
  /// Commits the result of an imported file, replacing any earlier one of that name.
  package func append(_ record: ImportRecord) throws(StoreError) {
    try write { db in
      try identifiers.withLock { identifiers in
        try db.cachedStatement(
          sql: """
            INSERT OR REPLACE INTO imported(image, preparation, series, file, hash, outcome)
            VALUES (?, ?, ?, ?, ?, ?)
            """
        ).execute(
          arguments: [
            try identifiers.image(record.key.image, db),
            try identifiers.preparation(record.key.preparation, db), record.key.series, record.key.file,
            StoredHash.value(record.hash), try StoredJSON.scoredText(record.outcome),
          ])
      }
    }
  }

  package func imports(
    preparation: String, series: Set<String>
  ) throws(StoreError) -> [ImportKey: ImportRecord] {
    try read { db in
      var records: [ImportKey: ImportRecord] = [:]
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT i.name, i.hash, m.series, m.file, m.hash, m.outcome
          FROM imported m JOIN image i ON i.id = m.image JOIN preparation q ON q.id = m.preparation
          WHERE q.spelling = ?
          """, arguments: [preparation])
      while let row = try rows.next() {
        let name = try row.required(2, Row.text)
        guard series.contains(name) else { continue }
        let key = ImportKey(
          image: ImageIdentity(name: try row.required(0, Row.text), contentHash: try row.hash(1)),
          preparation: preparation, series: name, file: try row.required(3, Row.text))
        records[key] = ImportRecord(
          key: key, hash: try row.hash(4), outcome: try StoredImport.outcome(row.required(5, Row.text)))
      }
      return records
    }
  }

  /// The images of a run in table order.
  package func images(of run: RunID) throws(StoreError) -> [ImageIdentity] {
    try read { db in
      let sql = """
        SELECT i.name, i.hash FROM run r JOIN list_image l ON l.list = r.list JOIN image i ON i.id = l.image
        WHERE r.id = ? ORDER BY l.position
        """
      return try Row.fetchAll(db, sql: sql, arguments: [run.rawValue]).map { row in
        ImageIdentity(name: try row.required(0, Row.text), contentHash: try row.hash(1))
      }
    }
  }

  package func importHashes(of manifest: RunManifest) throws(StoreError) -> [ImportKey: String] {
    guard let series = manifest.imports, !series.isEmpty else { return [:] }
    return try imports(
      preparation: manifest.preparation.canonicalSpelling, series: Set(series.map(\.name))
    ).mapValues(\.hash)
  }

  package func remove(_ keys: some Collection<ImportKey>) throws(StoreError) {
    guard !keys.isEmpty else { return }
    try write { db in
      try identifiers.withLock { identifiers in
        for key in keys {
          try db.cachedStatement(
            sql: "DELETE FROM imported WHERE image = ? AND preparation = ? AND series = ? AND file = ?"
          ).execute(
            arguments: [
              try identifiers.image(key.image, db), try identifiers.preparation(key.preparation, db),
              key.series, key.file,
            ])
        }
      }
    }
  }
}

struct StoredImport {
  var series: String
  var file: String
  var outcome: ImportVerdict
  /// The position of its series in tables.
  var order: Int

  /// Nil for a refused file.
  var measurement: ImportedMeasurement? {
    if case .measured(let measurement) = outcome { measurement } else { nil }
  }

  /// Orders by series, then by size, so that a sweep made elsewhere ascends.
  static func precedes(_ a: StoredImport, _ b: StoredImport) -> Bool {
    (a.order, a.measurement?.bytes ?? .max, a.file) < (b.order, b.measurement?.bytes ?? .max, b.file)
  }

  /// Decodes an outcome, or throws `DecodingError`, also for values that heicbench could not have written.
  static func outcome(_ text: String) throws -> ImportVerdict {
    let outcome = try ScoreJSON.decoder().decode(ImportVerdict.self, from: Data(text.utf8))
    guard case .measured(let file) = outcome else { return outcome }
    guard (1...(1 << 50)).contains(file.bytes), file.decode.wallNanoseconds >= 0,
      file.decode.cpuNanoseconds >= 0, (0..<file.bytes).contains(file.metadataBytes ?? 0),
      !file.scores.values.contains(where: \.isNaN)
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: [], debugDescription: "an imported file that cannot be"))
    }
    return outcome
  }

  /// False for stores of earlier versions, which have no table of imported files.
  static func isTable(in schema: String, _ db: Database) throws -> Bool {
    let sql = "SELECT 1 FROM \(schema).sqlite_master WHERE type = 'table' AND name = 'imported'"
    return try Int.fetchOne(db, sql: sql) != nil
  }
}
