import GRDB
import Model
import Synchronization

struct StoreMerger {
  let path: String
  /// The store's file, or an updated copy.
  let file: String
  let here: String

  /// Copies everything and returns the destination's number of the image list of the source's latest run.
  static func merge(
    _ source: ResultStore, into target: ResultStore, _ report: inout MergeReport
  ) throws(StoreError) -> Int64 {
    // Merging adds columns of scores to the target.
    defer { target.identifiers.withLock { $0 = StoreIdentifiers() } }
    return try ResultStore.translating(target.path) {
      let scratch = try source.isCopy ? ScratchFolder() : nil
      let file = scratch.map { $0.path + "/" + ResultStore.fileName } ?? source.path
      if scratch != nil { try source.database.backup(to: DatabaseQueue(path: file)) }
      return try target.database.writeWithoutTransaction { db in
        try withExtendedLifetime(scratch) {
          try StoreMerger(path: source.path, file: file, here: target.path).run(db, &report)
        }
      }
    }
  }

  private struct SharedMetric {
    var name: String
    var there: String
    var here: String
  }

  private func run(_ db: Database, _ report: inout MergeReport) throws -> Int64 {
    try db.execute(sql: "ATTACH DATABASE ? AS shard", arguments: [ResultStore.readingPath(file)])
    defer { try? db.execute(sql: "DETACH DATABASE shard") }
    var list: Int64 = 0
    var result = report
    try db.inTransaction(.immediate) {
      // Checked inside the transaction, so that the checked data is the copied data.
      try StoreCheck.run(db, schema: "shard", path: path)
      try makeMaps(db)
      let metrics = try sharedMetrics(db)
      try addResults(metrics, to: &result, db)
      try addTimesAndImages(db)
      try ResultStore.mergeQuestions(db)
      list =
        try Int64.fetchOne(
          db,
          sql:
            "SELECT dst FROM temp.map_list WHERE src = (SELECT list FROM shard.run ORDER BY id DESC LIMIT 1)")
        ?? 0
      for map in Self.maps { try db.execute(sql: "DROP TABLE temp.\(map)") }
      return .commit
    }
    report = result
    return list
  }

  private static let maps = ["map_image", "map_preparation", "map_setup", "map_list", "map_run"]

  /// Creates tables that map source numbers to destination numbers, adding missing rows.
  private func makeMaps(_ db: Database) throws {
    for map in Self.maps {
      try db.execute(sql: "CREATE TEMP TABLE \(map)(src INTEGER PRIMARY KEY, dst INTEGER)")
    }
    try db.execute(
      sql: """
        INSERT INTO map_image
          SELECT s.id, min(m.id) FROM shard.image s CROSS JOIN main.image m ON m.hash = s.hash
            AND \(StoreSchema.hasSpellings("m.name")) AND m.name = s.name COLLATE \(StoreSchema.sameName)
          WHERE \(StoreSchema.hasSpellings("s.name")) GROUP BY s.id;
        INSERT OR IGNORE INTO main.image(name, hash)
          SELECT name, hash FROM shard.image WHERE id NOT IN (SELECT src FROM map_image) ORDER BY id;
        INSERT OR IGNORE INTO map_image SELECT s.id, m.id FROM shard.image s JOIN main.image m USING(name, hash);
        INSERT OR IGNORE INTO main.preparation(spelling) SELECT spelling FROM shard.preparation;
        INSERT INTO map_preparation
          SELECT s.id, m.id FROM shard.preparation s JOIN main.preparation m USING(spelling);
        INSERT OR IGNORE INTO main.setup(preparation, codec, build, settings, libraries)
          SELECT q.dst, s.codec, s.build, s.settings, s.libraries
          FROM shard.setup s JOIN map_preparation q ON q.src = s.preparation ORDER BY s.id;
        INSERT INTO map_setup SELECT s.id, m.id
          FROM shard.setup s JOIN map_preparation q ON q.src = s.preparation
          JOIN main.setup m ON m.preparation = q.dst AND m.codec = s.codec AND m.build = s.build
            AND m.settings = s.settings AND m.libraries = s.libraries;
        """)
    try copyRuns(db)
  }

  private func copyRuns(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO map_list SELECT s.list, max(m.list)
          FROM shard.run s LEFT JOIN main.run m USING(uid) GROUP BY s.list;
        UPDATE map_list SET dst = (SELECT coalesce(max(list), 0) FROM main.run)
          + (SELECT count(*) FROM map_list o WHERE o.src <= map_list.src) WHERE dst IS NULL;
        INSERT OR IGNORE INTO main.list_image(list, position, image)
          SELECT l.dst, s.position, i.dst FROM map_list l CROSS JOIN shard.list_image s ON s.list = l.src
          JOIN map_image i ON i.src = s.image;
        INSERT OR IGNORE INTO main.run(uid, manifest, host, list, finished, drift)
          SELECT s.uid, \(Self.manifest), s.host, l.dst, s.finished, s.drift
          FROM shard.run s JOIN map_list l ON l.src = s.list ORDER BY s.id;
        INSERT INTO map_run SELECT s.id, m.id FROM shard.run s JOIN main.run m USING(uid);
        """)
  }

  /// A run is fresh only among the runs of its own store: numbers of runs say nothing about the order of two stores' runs.
  private static let manifest =
    "iif(json_extract(s.manifest, '$.isFresh'), json_remove(s.manifest, '$.isFresh'), s.manifest)"

  private func sharedMetrics(_ db: Database) throws -> [SharedMetric] {
    let theirs = try db.map("SELECT id, name FROM shard.metric ORDER BY id") { row in
      (column: "score_\(try row.count(0))", name: try row.string(1))
    }
    var identifiers = StoreIdentifiers()
    let mine = try identifiers.metrics(with: theirs.map(\.name), db).all
    return theirs.compactMap { metric in
      mine.first { $0.stored == metric.name }.map {
        SharedMetric(name: metric.name, there: metric.column, here: $0.column)
      }
    }
  }

  private static let theirs = """
    FROM shard.result s CROSS JOIN map_image i ON i.src = s.image CROSS JOIN map_setup e ON e.src = s.setup
    """
  private static let both = """
    \(theirs) CROSS JOIN main.result m
      ON m.image = i.dst AND m.way = s.way AND m.setup = e.dst AND m.quality = s.quality
    """
  private static let hasFurtherOrigin = "s.origin & ~m.origin <> 0"

  private func addResults(_ metrics: [SharedMetric], to report: inout MergeReport, _ db: Database) throws {
    func counts(_ conditions: [String], _ tables: String) throws -> [Int] {
      let counts = (["1"] + conditions).map { "count(*) FILTER (WHERE \($0))" }.joined(separator: ", ")
      return try db.map("SELECT \(counts) \(tables)") { row in try (0...conditions.count).map(row.count) }[0]
    }
    let all = try counts(["way = ''"], "FROM shard.result")
    let further = [Self.isConflict(Self.quantities(metrics)), Self.hasFurtherOrigin, Self.isBetter(metrics)]
    let hasCommonImages = """
      SELECT 1 FROM map_image i WHERE EXISTS(SELECT 1 FROM main.result m WHERE m.image = i.dst) LIMIT 1
      """
    // A single query for what both have: nothing for shards, and nothing new for stores merged before.
    let common =
      try Int.fetchOne(db, sql: hasCommonImages) == nil ? [0, 0, 0, 0] : counts(further, Self.both)
    if common[1] > 0 { try refuseConflicts(metrics, db) }
    if common[2] > 0 { try joinOrigins(db) }
    if common[0] > 0 { try StoredResult.joinScores(db, Self.both) }
    let last =
      try Int.fetchOne(db, sql: "SELECT max(sequence) FROM main.result WHERE sequence IS NOT NULL") ?? 0
    let improved = common[3] > 0 ? try improve(metrics, after: last, db) : 0
    let added = common[0] < all[0] ? try add(metrics, after: last, db) : 0
    report.improved += improved
    report.added += added
    report.present += all[1] - improved - added
  }

  private typealias SharedQuantity = (name: String, here: String, there: String, differs: String)

  private static func quantities(_ metrics: [SharedMetric]) -> [SharedQuantity] {
    [("encoded bytes", "m.bytes", "s.bytes", "m.bytes <> s.bytes")]
      + [("encoded file's hash", "lower(hex(m.hash))", "lower(hex(s.hash))", "m.hash <> s.hash")]
      + metrics.map { metric in
        let (a, b) = ("m.\(metric.here)", "s.\(metric.there)")
        // Relative to the smaller score: a fraction of an infinite score, which lossless files have, would allow any
        // other.
        return (metric.name, a, b, "abs(\(a) - \(b)) > 1e-9 * max(1, min(abs(\(a)), abs(\(b))))")
      }
  }

  private static func isConflict(_ quantities: [SharedQuantity]) -> String {
    "m.way = '' AND m.status = 0 AND s.status = 0 AND (\(quantities.map(\.differs).joined(separator: " OR ")))"
  }

  private static func isBetter(_ metrics: [SharedMetric]) -> String {
    let missing = metrics.map { " OR m.\($0.here) IS NULL AND s.\($0.there) IS NOT NULL" }
    return "s.status = 0 AND (m.status <> 0\(missing.joined()))"
  }

  /// Sizes, hashes and scores of points depend only on the key, so a difference means that two hosts disagree.
  private func refuseConflicts(_ metrics: [SharedMetric], _ db: Database) throws {
    let quantities = Self.quantities(metrics)
    let sql = """
      SELECT g.name, u.codec, u.build, u.settings, m.quality,
        coalesce((SELECT host FROM main.run WHERE id = m.run), 'unknown'),
        coalesce((SELECT host FROM shard.run WHERE id = s.run), 'unknown'),
        \(quantities.map { "\($0.here), \($0.there), \($0.differs)" }.joined(separator: ", "))
      \(Self.both) JOIN main.image g ON g.id = m.image JOIN main.setup u ON u.id = m.setup
      WHERE \(Self.isConflict(quantities)) LIMIT 1
      """
    try db.forEach(sql) { row in
      let index = try quantities.indices.first { try row.integer(9 + $0 * 3) == 1 } ?? 0
      let quality = Quality(thousandths: try row.count(4))?.description ?? "?"
      func side(_ path: String, _ host: Int, _ value: Int) throws -> StoreConflict.Side {
        .init(path: path, host: try row.text(host) ?? "unknown", value: Self.text(row.value(value)))
      }
      throw StoreError.conflict(
        StoreConflict(
          point: "“\(try row.string(0))” with \(try CodecVariant(row, 1)) at \(quality)",
          quantity: quantities[index].name,
          sides: [try side(here, 5, 7 + index * 3), try side(path, 6, 8 + index * 3)]))
    }
  }

  private static func text(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): text
    case .blob, .null: "nothing"
    }
  }

  /// Adds the source's origins with an upsert and a fixed join order: UPDATE FROM might scan all points for each row.
  private func joinOrigins(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT INTO main.result(image, way, setup, quality, status, origin)
          SELECT m.image, m.way, m.setup, m.quality, m.status, s.origin \(Self.both) WHERE \(Self.hasFurtherOrigin)
          ON CONFLICT(image, way, setup, quality) DO UPDATE SET origin = main.result.origin | excluded.origin
        """)
  }

  /// Replaces results that were not measured here, or points that lack scores present there. Returns the number of
  /// points.
  private func improve(_ metrics: [SharedMetric], after last: Int, _ db: Database) throws -> Int {
    let theirs = Dictionary(metrics.map { ($0.here, $0.there) }, uniquingKeysWith: { first, _ in first })
    let mine = try StoreDictionary.metrics(db).map(\.column)
    let scores = mine.map { column in
      theirs[column].map { "coalesce(s.\($0), m.\(column))" } ?? "m.\(column)"
    }
    return try copy(
      after: last, db,
      """
      INSERT OR REPLACE INTO main.result(\(Self.targets(mine)))
      SELECT i.dst, e.dst, s.quality, (SELECT dst FROM map_run WHERE src = s.run), m.origin, s.sequence + ?,
        \((Self.contents.map { "s.\($0)" } + scores).joined(separator: ", "))
      \(Self.both) WHERE \(Self.isBetter(metrics))
      """)
  }

  private func add(_ metrics: [SharedMetric], after last: Int, _ db: Database) throws -> Int {
    try copy(
      after: last, db,
      """
      INSERT OR IGNORE INTO main.result(\(Self.targets(metrics.map(\.here))))
      SELECT i.dst, e.dst, s.quality, (SELECT dst FROM map_run WHERE src = s.run), s.origin, s.sequence + ?,
        \((Self.contents + metrics.map(\.there)).map { "s.\($0)" }.joined(separator: ", ")) \(Self.theirs)
      """)
  }

  /// Copies results; results of ways other than points get sequences after `last`. Returns the number of points.
  private func copy(after last: Int, _ db: Database, _ sql: String) throws -> Int {
    func ways() throws -> Int {
      let sql = "SELECT count(*) FROM main.result WHERE sequence > ?"
      return try Int.fetchOne(db, sql: sql, arguments: [last]) ?? 0
    }
    let before = try ways()
    try db.execute(sql: sql, arguments: [last])
    return try db.changesCount - (ways() - before)
  }

  private static let contents = ["way", "detail"] + PointFields.columns

  private static func targets(_ scores: [String]) -> String {
    (["image", "setup", "quality", "run", "origin", "sequence"] + contents + scores).joined(separator: ", ")
  }

  private func addTimesAndImages(_ db: Database) throws {
    let columns = PreparedFields.columns.joined(separator: ", ")
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.timing(image, setup, quality, conditions, samples, run)
          SELECT i.dst, e.dst, s.quality, s.conditions, s.samples, (SELECT dst FROM map_run WHERE src = s.run)
          FROM shard.timing s JOIN map_image i ON i.src = s.image JOIN map_setup e ON e.src = s.setup;
        DELETE FROM main.prepared WHERE problem IS NOT NULL AND (image, preparation) IN (
          SELECT i.dst, q.dst FROM shard.prepared s JOIN map_image i ON i.src = s.image
          JOIN map_preparation q ON q.src = s.preparation WHERE s.problem IS NULL);
        INSERT OR IGNORE INTO main.prepared(image, preparation, \(columns))
          SELECT i.dst, q.dst, \(columns) FROM shard.prepared s
          JOIN map_image i ON i.src = s.image JOIN map_preparation q ON q.src = s.preparation;
        """)
  }
}
