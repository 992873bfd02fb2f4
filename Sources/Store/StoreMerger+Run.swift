import Foundation
import GRDB
import Model

extension StoreMerger {
  /// Begins a run that shows the images of several lists, ordered by name; of two contents of one name the later
  /// list's is kept. If the latest run is exactly this one, it is reused.
  static func beginRun(
    _ manifest: RunManifest, lists: [Int64], _ db: Database
  ) throws -> (run: Int64, images: Int, replaced: [String]) {
    try db.execute(sql: "CREATE TEMP TABLE joined(image INTEGER PRIMARY KEY, rank INTEGER)")
    for (rank, list) in lists.enumerated() {
      try db.execute(
        sql: "INSERT OR REPLACE INTO joined SELECT image, ? FROM list_image WHERE list = ?",
        arguments: [rank, list])
    }
    let replaced = try dropEarlierContents(db)
    let list = try Int64.fetchOne(db, sql: "SELECT coalesce(max(list), 0) + 1 FROM run") ?? 1
    try db.execute(
      sql: """
        INSERT INTO list_image(list, position, image)
        SELECT ?, row_number() OVER (ORDER BY i.name) - 1, i.id FROM joined j JOIN image i ON i.id = j.image
        """, arguments: [list])
    let images = db.changesCount
    try db.execute(sql: "DROP TABLE temp.joined")
    let text = try StoredJSON.text(manifest)
    if let run = try existingRun(text, list: list, images: images, db) {
      try db.execute(sql: "DELETE FROM list_image WHERE list = ?", arguments: [list])
      return (run, images, replaced)
    }
    try db.execute(
      sql: "INSERT INTO run(uid, manifest, host, list) VALUES (?, ?, ?, ?)",
      arguments: [UUID().uuidString, text, manifest.machine.host, list])
    return (db.lastInsertedRowID, images, replaced)
  }

  private static func dropEarlierContents(_ db: Database) throws -> [String] {
    let earlier = """
      FROM joined j JOIN image i ON i.id = j.image WHERE EXISTS(
        SELECT 1 FROM image o JOIN joined k ON k.image = o.id
        WHERE o.name = i.name AND (k.rank > j.rank OR k.rank = j.rank AND o.id > i.id))
      """
    let names = try String.fetchAll(db, sql: "SELECT i.name \(earlier) ORDER BY i.name")
    try db.execute(sql: "DELETE FROM joined WHERE image IN (SELECT j.image \(earlier))")
    return names
  }

  private static func existingRun(
    _ manifest: String, list: Int64, images: Int, _ db: Database
  ) throws -> Int64? {
    let sql = "SELECT id, list FROM run WHERE manifest = ? ORDER BY id DESC LIMIT 1"
    guard let row = try Row.fetchOne(db, sql: sql, arguments: [manifest]) else { return nil }
    let (run, other) = (try row.required(0, Row.integer), try row.required(1, Row.integer))
    let latest = try Int.fetchOne(db, sql: "SELECT max(id) FROM run")
    let count = try Int.fetchOne(
      db, sql: "SELECT count(*) FROM list_image WHERE list = ?", arguments: [other])
    let differs = try Int.fetchOne(
      db,
      sql: """
        SELECT 1 FROM list_image a LEFT JOIN list_image b ON b.list = ? AND b.position = a.position
        WHERE a.list = ? AND b.image IS NOT a.image LIMIT 1
        """, arguments: [other, list])
    return run == latest && count == images && differs == nil ? Int64(run) : nil
  }
}
