import Foundation
import GRDB
package import Model
import Synchronization

/// A run's number in its store; later runs have higher ones.
package struct RunID: Sendable, Hashable, Comparable {
  package let rawValue: Int64

  package static func < (a: RunID, b: RunID) -> Bool { a.rawValue < b.rawValue }
}

package struct StoredRun: Sendable, Hashable {
  package let id: RunID
  package let manifest: RunManifest
  /// End time, ISO 8601 in UTC; nil for an interrupted or ongoing run.
  package let finished: String?
}

struct ActiveRun {
  var id: Int64
  var metrics: Set<String>
  /// Runs whose measured points need not be repeated: they scored all of this run's metrics with at least as many
  /// repeats.
  var equivalents: Set<Int64>
  /// `RunView.outdatedCondition`.
  var outdated: String?
  var manifest: RunManifest
}

extension ResultStore {
  /// Starts a run: stores its manifest and its images in table order, which together define its points. The points may
  /// exist from before, or are appended as they are measured.
  @discardableResult
  package func begin(
    _ manifest: RunManifest, images: some Sequence<ImageIdentity>
  ) throws(StoreError) -> RunID {
    var manifest = manifest
    if options.fresh { manifest.isFresh = true }
    let run = try write { db in
      let list = try identifiers.withLock { identifiers in
        var seen: Set<Int64> = []
        let ids = try images.map { try identifiers.image($0, db) }.filter { seen.insert($0).inserted }
        let list = try Self.list(ids, db)
        if !options.fresh { try Self.adoptPoints(of: manifest, list: list, &identifiers, db) }
        return list
      }
      try db.execute(
        sql: "INSERT INTO run(uid, manifest, host, list) VALUES (?, ?, ?, ?)",
        arguments: [UUID().uuidString, try StoredJSON.text(manifest), manifest.machine.host, list])
      return db.lastInsertedRowID
    }
    let metrics = Set(manifest.metrics.map { StoredMetric.storedName($0.id, in: manifest) })
    let active = ActiveRun(
      id: run, metrics: metrics, equivalents: try runs(scoring: metrics, repeats: manifest.repeats),
      outdated: try read(RunView.outdatedCondition), manifest: manifest)
    activeRun.withLock { $0 = active }
    return RunID(rawValue: run)
  }

  /// Runs that scored at least these metrics, by stored name, with as many repeats. Decodes only the needed fields, and
  /// equal ones only once, since a folder resumed a thousand times has a thousand runs.
  private func runs(scoring metrics: Set<String>, repeats: Int) throws(StoreError) -> Set<Int64> {
    try read { db in
      let sql = """
        SELECT id, json_extract(manifest, '$.metrics'), json_extract(manifest, '$.metricPrograms') FROM run
        WHERE json_extract(manifest, '$.repeats') >= ?
        """
      var known: [[String?]: Bool] = [:]
      var runs: Set<Int64> = []
      try db.forEach(sql, [repeats]) { row in
        let texts = [try row.string(1), try row.text(2)]
        if known[texts] == nil {
          known[texts] = metrics.isSubset(
            of: try StoredMetric.storedNames(texts[0] ?? "", programs: texts[1]))
        }
        if known[texts] == true { runs.insert(try row.number(of: 0)) }
      }
      return runs
    }
  }

  package func note(drift percent: Double, of run: RunID) throws(StoreError) {
    try write { db in
      try db.execute(sql: "UPDATE run SET drift = ? WHERE id = ?", arguments: [percent, run.rawValue])
    }
  }

  /// Sets the variants of a run, in this order.
  package func note(_ variants: [VariantDescription], of run: RunID) throws(StoreError) {
    try write { db in
      try db.execute(
        sql: "UPDATE run SET manifest = json_set(manifest, '$.variants', json(?)) WHERE id = ?",
        arguments: [try StoredJSON.text(variants), run.rawValue])
    }
  }

  package func note(_ sandbox: SandboxStatus, of run: RunID) throws(StoreError) {
    try write { db in
      try db.execute(
        sql: "UPDATE run SET manifest = json_set(manifest, '$.sandbox', json(?)) WHERE id = ?",
        arguments: [try StoredJSON.text(sandbox), run.rawValue])
    }
  }

  /// Notes the encoders' own lists of the settings they ran with, by the variant's name. A variant that was already
  /// measured gets its list from the last run that has one with the same libraries.
  package func note(settingsAsRun told: [String: String], of run: RunID) throws(StoreError) {
    let runs = try storedRuns("WHERE id <= ? ORDER BY id DESC LIMIT 20", [run.rawValue])
    guard let own = runs.first?.manifest else { return }
    var settings = told
    for earlier in runs.dropFirst().map(\.manifest) {
      for (name, text) in earlier.settingsAsRun ?? [:] where settings[name] == nil {
        if own.variants.contains(where: { $0.variant.name == name && earlier.variants.contains($0) }) {
          settings[name] = text
        }
      }
    }
    guard !settings.isEmpty else { return }
    try write { [settings] db in
      try db.execute(
        sql: "UPDATE run SET manifest = json_set(manifest, '$.settingsAsRun', json(?)) WHERE id = ?",
        arguments: [try StoredJSON.text(settings), run.rawValue])
    }
  }

  package func finish(_ run: RunID, at time: String) throws(StoreError) {
    try write { db in
      try db.execute(sql: "UPDATE run SET finished = ? WHERE id = ?", arguments: [time, run.rawValue])
    }
    // If a concurrent reader is using the log, the checkpoint is left for later.
    try? database.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
  }

  package func latestRun() throws(StoreError) -> StoredRun? {
    try storedRuns("ORDER BY id DESC LIMIT 1", []).first
  }

  package func runs() throws(StoreError) -> [StoredRun] { try storedRuns("ORDER BY id", []) }

  func lastTwo(until run: RunID) throws(StoreError) -> [StoredRun] {
    try storedRuns("WHERE id <= ? ORDER BY id DESC LIMIT 2", [run.rawValue])
  }

  package func manifest(_ run: RunID) throws(StoreError) -> RunManifest? {
    try storedRuns("WHERE id = ?", [run.rawValue]).first?.manifest
  }

  package func images(of run: RunID) throws(StoreError) -> [ImageIdentity] {
    try read { db in
      let sql = """
        SELECT i.name, i.hash FROM run r JOIN list_image l ON l.list = r.list JOIN image i ON i.id = l.image
        WHERE r.id = ? ORDER BY l.position
        """
      return try db.map(sql, [run.rawValue]) { row in
        ImageIdentity(name: try row.string(0), contentHash: try row.hash(1))
      }
    }
  }

  private func storedRuns(_ clause: String, _ arguments: StatementArguments) throws(StoreError) -> [StoredRun]
  {
    try read { db in
      try db.map("SELECT id, manifest, finished FROM run \(clause)", arguments) { row in
        StoredRun(
          id: RunID(rawValue: try row.number(of: 0)), manifest: try StoredManifest.value(row.string(1)),
          finished: try row.text(2))
      }
    }
  }

  /// The list of exactly these images, shared with the latest run if equal, so that an often resumed run keeps a single
  /// list.
  static func list(_ images: [Int64], _ db: Database) throws -> Int64 {
    if let latest = try Int64.fetchOne(db, sql: "SELECT list FROM run ORDER BY id DESC LIMIT 1") {
      let sql = "SELECT image FROM list_image WHERE list = ? ORDER BY position"
      if try Int64.fetchAll(db, sql: sql, arguments: [latest]) == images { return latest }
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
