import Foundation
import GRDB
package import Model
import Synchronization

extension ResultStore {
  /// Keeps what became of an imported file: it is committed when this returns. What is there of a file of that name is
  /// replaced.
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

  /// Everything that was imported under a preparation into these series.
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

  /// The images of a run in the order of its tables.
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

  /// The content hashes of the files that a run shows.
  package func importHashes(of manifest: RunManifest) throws(StoreError) -> [ImportKey: String] {
    guard let series = manifest.imports, !series.isEmpty else { return [:] }
    return try imports(
      preparation: manifest.preparation.canonicalSpelling, series: Set(series.map(\.name))
    ).mapValues(\.hash)
  }

  /// Forgets imported files.
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

/// An imported file of an image as it is stored.
struct StoredImport {
  var series: String
  var file: String
  var outcome: ImportVerdict
  /// The place of its series in the order of the tables.
  var order: Int

  /// The file that was measured; nil for one that was refused.
  var measurement: ImportedMeasurement? {
    if case .measured(let measurement) = outcome { measurement } else { nil }
  }

  /// By series; of each by size, so that a sweep made elsewhere rises.
  static func precedes(_ a: StoredImport, _ b: StoredImport) -> Bool {
    (a.order, a.measurement?.bytes ?? .max, a.file) < (b.order, b.measurement?.bytes ?? .max, b.file)
  }

  /// The outcome of a stored text.
  /// - Throws: `DecodingError`, also where no heicbench could have written it.
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

  /// Whether a store has a table of imported files, which earlier versions had not.
  static func isTable(in schema: String, _ db: Database) throws -> Bool {
    let sql = "SELECT 1 FROM \(schema).sqlite_master WHERE type = 'table' AND name = 'imported'"
    return try Int.fetchOne(db, sql: sql) != nil
  }
}
