import Foundation
import GRDB
import Model

package struct MergeReport: Sendable, Hashable {
  package var run: RunID
  package var images = 0
  package var added = 0
  /// The number of points that replaced a failed point or added missing scores.
  package var improved = 0
  /// The number of points that were already present with equal values.
  package var present = 0
  /// Images with different contents in the stores; the latest run's are kept.
  package var replacedImages: [String] = []
}

extension ResultStore {
  /// Merges all points and the latest runs of other stores into this one, and starts a run that shows them together
  /// with this store's latest run, with images ordered by name.
  ///
  /// Merging is idempotent. Points measured on both sides must have equal size, hash and scores (to one part in 10⁹,
  /// since math libraries differ in the last bit). The database does the work, so memory use stays constant. Each store
  /// is merged as a whole or not at all.
  /// - Throws: `.conflict` with both hosts and the point, `.unmergeable` for runs that answer different questions.
  @discardableResult
  package func merge(_ folders: [String]) throws(StoreError) -> MergeReport {
    var manifest = try latestRun()?.manifest
    var isFinished = try latestRun().map { $0.finished != nil } ?? true
    for folder in folders {
      manifest = try manifestMerged(manifest, with: folder)
      isFinished = try ResultStore(reading: folder).latestRun()?.finished != nil && isFinished
    }
    guard let manifest else { throw .missing(path: path) }
    var report = MergeReport(run: RunID(rawValue: 0))
    var lists: [Int64] = try read { db in
      try Int64.fetchAll(db, sql: "SELECT list FROM run ORDER BY id DESC LIMIT 1")
    }
    for folder in folders {
      lists.append(try StoreMerger.merge(ResultStore(reading: folder), into: self, &report))
    }
    let (run, images, replaced) = try write { db in try StoreMerger.beginRun(manifest, lists: lists, db) }
    report.run = RunID(rawValue: run)
    // An interrupted part leaves the whole unfinished until all its points exist.
    if let progress = try progress(of: report.run), isFinished || progress.isComplete {
      try finish(report.run, at: manifest.started)
    }
    report.images = images
    report.replacedImages = replaced
    return report
  }

  /// Merges manifests before anything changes, which checks that the folder holds a store for the same question.
  private func manifestMerged(
    _ manifest: RunManifest?, with folder: String
  ) throws(StoreError) -> RunManifest? {
    let source = try mergeable(folder)
    guard let other = try source.latestRun()?.manifest else {
      throw .unmergeable(path: source.path, reason: "it has no run")
    }
    do {
      return try MergedManifest.merge(manifest ?? other, other)
    } catch {
      throw .unmergeable(path: source.path, reason: error.reason)
    }
  }

  /// A store to merge into this one; SQLite would wait for the lock that the merge itself holds.
  func mergeable(_ folder: String) throws(StoreError) -> ResultStore {
    let source = try ResultStore(reading: folder)
    guard
      URL(filePath: source.path).resolvingSymlinksInPath() != URL(filePath: path).resolvingSymlinksInPath()
    else { throw .unmergeable(path: source.path, reason: "it is the destination of the merge") }
    return source
  }
}

extension StoreMerger {
  /// Starts a run that shows the images of several lists, ordered by name; if a name has two contents, the later list's
  /// is kept. Reuses the latest run if it is exactly this one.
  static func beginRun(
    _ manifest: RunManifest, lists: [Int64], _ db: Database
  ) throws -> (run: Int64, images: Int, replaced: [String]) {
    try db.execute(
      sql: """
        CREATE TEMP TABLE joined(
          image INTEGER PRIMARY KEY, rank INTEGER, name TEXT COLLATE \(StoreSchema.sameName));
        CREATE INDEX temp.joined_name ON joined(name);
        """)
    for (rank, list) in lists.enumerated() {
      try db.execute(
        sql: """
          INSERT OR REPLACE INTO joined
            SELECT l.image, ?, i.name FROM list_image l JOIN image i ON i.id = l.image WHERE l.list = ?
          """,
        arguments: [rank, list])
    }
    let replaced = try dropEarlierContents(db)
    let images = try Int64.fetchAll(
      db, sql: "SELECT i.id FROM joined j JOIN image i ON i.id = j.image ORDER BY i.name")
    try db.execute(sql: "DROP TABLE temp.joined")
    let list = try ResultStore.list(images, db)
    let text = try StoredJSON.text(manifest)
    let latest = try Int64.fetchOne(
      db, sql: "SELECT id FROM run WHERE id = (SELECT max(id) FROM run) AND manifest = ? AND list = ?",
      arguments: [text, list])
    if let latest { return (latest, images.count, replaced) }
    try db.execute(
      sql: "INSERT INTO run(uid, manifest, host, list) VALUES (?, ?, ?, ?)",
      arguments: [UUID().uuidString, text, manifest.machine.host, list])
    return (db.lastInsertedRowID, images.count, replaced)
  }

  private static func dropEarlierContents(_ db: Database) throws -> [String] {
    let earlier = """
      FROM joined j JOIN image i ON i.id = j.image WHERE EXISTS(
        SELECT 1 FROM joined k
        WHERE k.name = j.name AND (k.rank > j.rank OR k.rank = j.rank AND k.image > j.image))
      """
    let names = try String.fetchAll(db, sql: "SELECT i.name \(earlier) ORDER BY i.name")
    try db.execute(sql: "DELETE FROM joined WHERE image IN (SELECT j.image \(earlier))")
    return names
  }
}
