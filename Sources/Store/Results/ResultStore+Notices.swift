import GRDB
package import Model

package enum StoreNotice: Sendable, Hashable {
  /// An image of an earlier run is missing from this run, and so from all tables.
  case gone(image: String)
  /// An image has changed since an earlier run, and was measured again.
  case changed(image: String)
  /// The reports of a run with a different question or different images are replaced; its points are kept.
  case replaced(folder: String, run: RunManifest, points: Int)
}

extension ResultStore {
  /// The previous run, if it answers another question or has other images, so that its reports (but not its points) are
  /// replaced; nil if the new run's reports show everything shown before.
  package func replacement(by run: RunID) throws(StoreError) -> StoreNotice? {
    let runs = try lastTwo(until: run)
    guard runs.count == 2, runs[0].id == run else { return nil }
    let (manifest, earlier, other) = (runs[0].manifest, runs[1], runs[1].manifest)
    return try read { db in
      let sql = "SELECT list FROM run WHERE id = ?"
      let lists = try [earlier.id, run].map { id in
        try Int64.fetchOne(db, sql: sql, arguments: [id.rawValue]) ?? 0
      }
      let lost = try Int.fetchOne(
        db,
        sql: """
          SELECT 1 FROM list_image WHERE list = ? AND image NOT IN (SELECT image FROM list_image WHERE list = ?)
          LIMIT 1
          """, arguments: [lists[0], lists[1]])
      let variants = Set(manifest.variants.map(\.variant))
      let loses =
        (lost != nil && manifest.roots != other.roots)
        || !other.variants.allSatisfy { variants.contains($0.variant) }
        || other.target != manifest.target
        || other.preparation.canonicalSpelling != manifest.preparation.canonicalSpelling
      guard loses, let view = try RunView(earlier.id, db) else { return nil }
      let points = try Int.fetchOne(
        db,
        sql: "SELECT count(*) FROM list_image l JOIN result p ON p.image = l.image AND \(view.condition) "
          + "WHERE l.list = ?", arguments: [lists[0]])
      guard let points, points > 0 else { return nil }
      return .replaced(folder: folder, run: other, points: points)
    }
  }

  /// Differences between the run's images and those of the last earlier run that had other images under the same roots
  /// and shard, in that run's order.
  package func notices(for run: RunID) throws(StoreError) -> [StoreNotice] {
    try read { db in
      let sql = """
        WITH
          here AS (SELECT list, manifest FROM run WHERE id = :run),
          earlier AS (
            SELECT r.list FROM run r, here h WHERE r.id < :run AND r.list <> h.list
              AND json_extract(r.manifest, '$.roots') = json_extract(h.manifest, '$.roots')
              AND json_extract(r.manifest, '$.shard') IS json_extract(h.manifest, '$.shard')
            ORDER BY r.id DESC LIMIT 1),
          images AS MATERIALIZED (SELECT image FROM list_image WHERE list = (SELECT list FROM here))
        SELECT i.name, i.name COLLATE \(StoreSchema.sameName) IN (
          SELECT name FROM image WHERE id IN (SELECT image FROM images))
        FROM list_image l JOIN image i ON i.id = l.image
        WHERE l.list = (SELECT list FROM earlier) AND l.image NOT IN (SELECT image FROM images)
        ORDER BY l.position
        """
      return try db.map(sql, ["run": run.rawValue]) { row in
        try row.integer(1) == 1 ? .changed(image: row.string(0)) : .gone(image: row.string(0))
      }
    }
  }
}
