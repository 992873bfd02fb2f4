import Foundation
import GRDB
package import Model
import Synchronization

/// The number of a run in its store; later runs have higher ones.
package struct RunID: Sendable, Hashable, Comparable {
  /// The number.
  package let rawValue: Int64

  /// Orders by the time of their beginning.
  package static func < (a: RunID, b: RunID) -> Bool { a.rawValue < b.rawValue }
}

/// A run as the store remembers it.
package struct StoredRun: Sendable, Hashable {
  /// Its number.
  package let id: RunID
  /// What was asked for, of what, where and with what.
  package let manifest: RunManifest
  /// When it ended, ISO 8601 in UTC; nil for one that was cut off or still goes on.
  package let finished: String?
}

/// The run that a store is measuring, and which runs have measured at least as much.
struct ActiveRun {
  /// Its number.
  var id: Int64
  /// The metrics that it scores.
  var metrics: Set<String>
  /// Runs whose measured points this one need not repeat: they scored all its metrics and timed as often.
  var equivalents: Set<Int64>
  /// What was asked for.
  var manifest: RunManifest
}

extension ResultStore {
  /// Begins a run: keeps its manifest and its images, in the order of the tables, which together say which
  /// points are the run's. The points may have been measured before, and are appended as they are measured.
  @discardableResult
  package func begin(
    _ manifest: RunManifest, images: some Sequence<ImageIdentity>
  ) throws(StoreError) -> RunID {
    let run = try write { db in
      let ids = try identifiers.withLock { identifiers in
        var seen: Set<Int64> = []
        return try images.map { try identifiers.image($0, db) }.filter { seen.insert($0).inserted }
      }
      try db.execute(
        sql: "INSERT INTO run(uid, manifest, host, list) VALUES (?, ?, ?, ?)",
        arguments: [
          UUID().uuidString, try StoredJSON.text(manifest), manifest.machine.host, try Self.list(ids, db),
        ])
      return db.lastInsertedRowID
    }
    let metrics = Set(manifest.metrics.map { StoredMetric.storedName($0.id, in: manifest) })
    let equivalents = try runs(scoring: metrics, repeats: manifest.repeats)
    activeRun.withLock {
      $0 = ActiveRun(id: run, metrics: metrics, equivalents: equivalents, manifest: manifest)
    }
    return RunID(rawValue: run)
  }

  /// The runs that scored at least these metrics, by the names that they are filed under, and timed as often. A folder
  /// that was resumed a thousand times has a thousand runs: no more is decoded than that takes, and what is alike once.
  private func runs(scoring metrics: Set<String>, repeats: Int) throws(StoreError) -> Set<Int64> {
    try read { db in
      let sql = """
        SELECT id, json_extract(manifest, '$.metrics'), json_extract(manifest, '$.metricPrograms') FROM run
        WHERE json_extract(manifest, '$.repeats') >= ?
        """
      var known: [[String?]: Bool] = [:]
      var runs: Set<Int64> = []
      let rows = try Row.fetchCursor(db, sql: sql, arguments: [repeats])
      while let row = try rows.next() {
        let texts = [try row.required(1, Row.text), try row.text(2)]
        if known[texts] == nil {
          known[texts] = metrics.isSubset(
            of: try StoredMetric.storedNames(texts[0] ?? "", programs: texts[1]))
        }
        if known[texts] == true { runs.insert(Int64(try row.required(0, Row.integer))) }
      }
      return runs
    }
  }

  /// Keeps by how many per cent the machine drifted while the run timed points with nothing beside them.
  package func note(drift percent: Double, of run: RunID) throws(StoreError) {
    try write { db in
      try db.execute(sql: "UPDATE run SET drift = ? WHERE id = ?", arguments: [percent, run.rawValue])
    }
  }

  /// Keeps what held the run's workers, with its manifest.
  package func note(_ sandbox: SandboxStatus, of run: RunID) throws(StoreError) {
    try write { db in
      try db.execute(
        sql: "UPDATE run SET manifest = json_set(manifest, '$.sandbox', json(?)) WHERE id = ?",
        arguments: [try StoredJSON.text(sandbox), run.rawValue])
    }
  }

  /// Ends a run, and brings what was measured from the log into the database file.
  package func finish(_ run: RunID, at time: String) throws(StoreError) {
    try write { db in
      try db.execute(sql: "UPDATE run SET finished = ? WHERE id = ?", arguments: [time, run.rawValue])
    }
    // A report that reads meanwhile keeps the log in use; then it stays for the next time.
    try? database.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
  }

  /// The run that began last, or nil when there was none.
  package func latestRun() throws(StoreError) -> StoredRun? {
    try storedRuns("ORDER BY id DESC LIMIT 1", []).first
  }

  /// All runs, in the order in which they began.
  package func runs() throws(StoreError) -> [StoredRun] { try storedRuns("ORDER BY id", []) }

  /// A run and the one before it, the later first.
  func lastTwo(until run: RunID) throws(StoreError) -> [StoredRun] {
    try storedRuns("WHERE id <= ? ORDER BY id DESC LIMIT 2", [run.rawValue])
  }

  /// A run's manifest, or nil when there is no such run.
  package func manifest(_ run: RunID) throws(StoreError) -> RunManifest? {
    try storedRuns("WHERE id = ?", [run.rawValue]).first?.manifest
  }

  private func storedRuns(_ clause: String, _ arguments: StatementArguments) throws(StoreError) -> [StoredRun]
  {
    try read { db in
      let sql = "SELECT id, manifest, finished FROM run \(clause)"
      return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
        StoredRun(
          id: RunID(rawValue: Int64(try row.required(0, Row.integer))),
          manifest: try StoredManifest.value(try row.required(1, Row.text)),
          finished: try row.text(2))
      }
    }
  }

  /// The number of the list with exactly these images: that of the latest run where it is the same, so that a
  /// run resumed a hundred times keeps one list.
  static func list(_ images: [Int64], _ db: Database) throws -> Int64 {
    let latest = try Int64.fetchOne(db, sql: "SELECT list FROM run ORDER BY id DESC LIMIT 1")
    if let latest {
      let cursor = try Int64.fetchCursor(
        db, sql: "SELECT image FROM list_image WHERE list = ? ORDER BY position", arguments: [latest])
      var position = 0
      while let image = try cursor.next(), position < images.count, images[position] == image {
        position += 1
      }
      let count = try Int.fetchOne(
        db, sql: "SELECT count(*) FROM list_image WHERE list = ?", arguments: [latest])
      if position == images.count, count == position { return latest }
    }
    let list = try Int64.fetchOne(db, sql: "SELECT coalesce(max(list), 0) + 1 FROM run") ?? 1
    let statement = try db.cachedStatement(
      sql: "INSERT INTO list_image(list, position, image) VALUES (?, ?, ?)")
    for (position, image) in images.enumerated() {
      try statement.execute(arguments: [list, position, image])
    }
    return list
  }
}
