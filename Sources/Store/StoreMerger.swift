import Foundation
import GRDB
import Model

/// Copies one store into another with SQL statements.
struct StoreMerger {
  let path: String
  let here: String

  /// The point columns as expressions on the source's table; NULL for columns that an older version lacks.
  private func theirColumns(_ db: Database) throws -> [String] {
    try theirs(PointColumns.contents, of: "point", db)
  }

  private func theirs(
    _ columns: [String], of table: String, as name: String = "s", _ db: Database
  ) throws -> [String] {
    let there = try String.fetchSet(
      db, sql: "SELECT name FROM pragma_table_info(?, 'shard')", arguments: [table])
    return columns.map { there.contains($0) ? "\(name).\($0)" : "NULL" }
  }

  /// The source's origin column; 0 if its version has none.
  private func theirOrigin(_ db: Database) throws -> String {
    let sql = "SELECT 1 FROM pragma_table_info('point', 'shard') WHERE name = 'origin'"
    return try Int.fetchOne(db, sql: sql) == nil ? "0" : "s.origin"
  }

  private struct SharedMetric {
    var name: String
    var there: String
    var here: String
  }

  /// Copies everything and returns the destination's number of the image list of the source's latest run.
  func run(_ db: Database, _ report: inout MergeReport) throws -> Int64 {
    try db.execute(sql: "ATTACH DATABASE ? AS shard", arguments: [Self.attachable(path)])
    defer { try? db.execute(sql: "DETACH DATABASE shard") }
    var list: Int64 = 0
    var result = report
    try db.inTransaction(.immediate) {
      // Inside the transaction, so that the checked data is the copied data.
      try StoreCheck.run(db, schema: "shard", path: path)
      try makeMaps(db)
      let metrics = try sharedMetrics(db)
      try refuseConflicts(metrics, db)
      let present = try Int.fetchOne(db, sql: "SELECT count(*) FROM shard.point") ?? 0
      try joinOrigins(db)
      let improved = try improvePoints(metrics, db)
      let added = try addPoints(metrics, db)
      result.improved += improved
      result.added += added
      result.present += present - improved - added
      try addTimesAndImages(db)
      try addReads(db)
      try addTiles(db)
      try addImports(db)
      list =
        try Int64.fetchOne(
          db,
          sql:
            "SELECT dst FROM temp.map_list WHERE src = (SELECT list FROM shard.run ORDER BY id DESC LIMIT 1)")
        ?? 0
      try dropMaps(db)
      return .commit
    }
    report = result
    return list
  }

  /// Creates tables that map source numbers to destination numbers, adding missing rows.
  private func makeMaps(_ db: Database) throws {
    let build = "coalesce(\(try theirs(["build"], of: "setup", db)[0]), '')"
    try db.execute(
      sql: """
        CREATE TEMP TABLE map_image(src INTEGER PRIMARY KEY, dst INTEGER);
        CREATE TEMP TABLE map_preparation(src INTEGER PRIMARY KEY, dst INTEGER);
        CREATE TEMP TABLE map_setup(src INTEGER PRIMARY KEY, dst INTEGER);
        CREATE TEMP TABLE map_list(src INTEGER PRIMARY KEY, dst INTEGER);
        CREATE TEMP TABLE map_run(src INTEGER PRIMARY KEY, dst INTEGER);
        INSERT OR IGNORE INTO main.image(name, hash) SELECT name, hash FROM shard.image ORDER BY id;
        INSERT INTO map_image SELECT s.id, m.id FROM shard.image s JOIN main.image m USING(name, hash);
        INSERT OR IGNORE INTO main.preparation(spelling) SELECT spelling FROM shard.preparation;
        INSERT INTO map_preparation
          SELECT s.id, m.id FROM shard.preparation s JOIN main.preparation m USING(spelling);
        INSERT OR IGNORE INTO main.setup(preparation, codec, build, settings, libraries)
          SELECT q.dst, s.codec, \(build), s.settings, s.libraries
          FROM shard.setup s JOIN map_preparation q ON q.src = s.preparation ORDER BY s.id;
        INSERT INTO map_setup SELECT s.id, m.id
          FROM shard.setup s JOIN map_preparation q ON q.src = s.preparation
          JOIN main.setup m ON m.preparation = q.dst AND m.codec = s.codec AND m.build = \(build)
            AND m.settings = s.settings AND m.libraries = s.libraries;
        """)
    try copyRuns(db)
  }

  /// Copies missing runs, identified by `uid`, with their lists.
  private func copyRuns(_ db: Database) throws {
    let drift = try theirs(["drift"], of: "run", db)[0]
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
          SELECT s.uid, s.manifest, s.host, l.dst, s.finished, \(drift)
          FROM shard.run s JOIN map_list l ON l.src = s.list ORDER BY s.id;
        INSERT INTO map_run SELECT s.id, m.id FROM shard.run s JOIN main.run m USING(uid);
        """)
  }

  private func dropMaps(_ db: Database) throws {
    for table in ["map_image", "map_preparation", "map_setup", "map_list", "map_run"] {
      try db.execute(sql: "DROP TABLE temp.\(table)")
    }
  }

  private func sharedMetrics(_ db: Database) throws -> [SharedMetric] {
    let rows = try Row.fetchAll(db, sql: "SELECT id, name FROM shard.metric ORDER BY id")
    var identifiers = StoreIdentifiers()
    return try rows.map { row in
      let name = try row.required(1, Row.text)
      return SharedMetric(
        name: name, there: "score_\(try row.required(0, Row.integer))",
        here: "score_\(try identifiers.metric(name, db))")
    }
  }

  private static let both = """
    FROM shard.point s CROSS JOIN map_image i ON i.src = s.image CROSS JOIN map_setup e ON e.src = s.setup
    CROSS JOIN main.point m ON m.image = i.dst AND m.setup = e.dst AND m.quality = s.quality
    """

  /// Sizes, hashes and scores depend only on the key, so a difference means that two hosts disagree.
  private func refuseConflicts(_ metrics: [SharedMetric], _ db: Database) throws {
    let quantities =
      [("encoded bytes", "m.bytes", "s.bytes", "m.bytes <> s.bytes")]
      + [("encoded file's hash", "lower(hex(m.hash))", "lower(hex(s.hash))", "m.hash <> s.hash")]
      + metrics.map { metric in
        let (a, b) = ("m.\(metric.here)", "s.\(metric.there)")
        return (metric.name, a, b, "abs(\(a) - \(b)) > 1e-9 * max(1, abs(\(a)))")
      }
    let sql = """
      SELECT g.name, u.codec, u.settings, u.build, m.quality,
        coalesce((SELECT host FROM main.run WHERE id = m.run), 'unknown'),
        coalesce((SELECT host FROM shard.run WHERE id = s.run), 'unknown'),
        \(quantities.map { "\($0.1), \($0.2), \($0.3)" }.joined(separator: ", "))
      \(Self.both) JOIN main.image g ON g.id = m.image JOIN main.setup u ON u.id = m.setup
      WHERE m.status = 0 AND s.status = 0 AND (\(quantities.map(\.3).joined(separator: " OR "))) LIMIT 1
      """
    guard let row = try Row.fetchOne(db, sql: sql) else { return }
    let found = quantities.indices.first { index in
      let value: DatabaseValue = row[9 + index * 3]
      return value == 1.databaseValue
    }
    let index = found ?? 0
    let variant = try CodecVariant(
      stored: row.required(1, Row.text), build: row.required(3, Row.text),
      settings: row.required(2, Row.text))
    let quality = Quality(thousandths: try row.required(4, Row.integer))?.description ?? "?"
    let side = { (path: String, host: Int, value: Int) throws in
      let value: DatabaseValue = row[value]
      return StoreConflict.Side(
        path: path, host: try row.text(host) ?? "unknown", value: Self.text(value))
    }
    throw StoreError.conflict(
      StoreConflict(
        point: "“\(try row.required(0, Row.text))” with \(variant) at \(quality)",
        quantity: quantities[index].0,
        sides: [try side(here, 5, 7 + index * 3), try side(path, 6, 8 + index * 3)]))
  }

  private static func text(_ value: DatabaseValue) -> String {
    switch value.storage {
    case .int64(let number): "\(number)"
    case .double(let number): "\(number)"
    case .string(let text): text
    case .blob, .null: "nothing"
    }
  }

  /// Adds the source's origins here, by an upsert with a fixed join order: UPDATE FROM may scan all points per row.
  private func joinOrigins(_ db: Database) throws {
    let origin = try theirOrigin(db)
    try db.execute(
      sql: """
        INSERT INTO main.point(image, setup, quality, status, origin)
          SELECT m.image, m.setup, m.quality, m.status, \(origin) \(Self.both) WHERE \(origin) & ~m.origin <> 0
          ON CONFLICT(image, setup, quality) DO UPDATE SET origin = main.point.origin | excluded.origin
        """)
  }

  /// Replaces points that were not measured here, or that lack scores present there.
  private func improvePoints(_ metrics: [SharedMetric], _ db: Database) throws -> Int {
    let missing = metrics.map { "m.\($0.here) IS NULL AND s.\($0.there) IS NOT NULL" }
    let theirs = Dictionary(metrics.map { ($0.here, $0.there) }, uniquingKeysWith: { first, _ in first })
    let mine = try StoreDictionary.metrics(db).map(\.column)
    let scores = mine.map { column in
      theirs[column].map { "coalesce(s.\($0), m.\(column))" } ?? "m.\(column)"
    }
    try db.execute(
      sql: """
        INSERT OR REPLACE INTO main.point(\(Self.targets(mine)))
        SELECT i.dst, e.dst, s.quality, (SELECT dst FROM map_run WHERE src = s.run), m.origin,
          \((try theirColumns(db) + scores).joined(separator: ", "))
        \(Self.both)
        WHERE s.status = 0 AND (m.status <> 0\(missing.map { " OR \($0)" }.joined()))
        """)
    return db.changesCount
  }

  private func addPoints(_ metrics: [SharedMetric], _ db: Database) throws -> Int {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.point(\(Self.targets(metrics.map(\.here))))
        SELECT i.dst, e.dst, s.quality, (SELECT dst FROM map_run WHERE src = s.run), \(try theirOrigin(db)),
          \((try theirColumns(db) + metrics.map { "s.\($0.there)" }).joined(separator: ", "))
        FROM shard.point s CROSS JOIN map_image i ON i.src = s.image CROSS JOIN map_setup e ON e.src = s.setup
        """)
    return db.changesCount
  }

  private static func targets(_ scores: [String]) -> String {
    (["image", "setup", "quality", "run", "origin"] + PointColumns.contents + scores).joined(separator: ", ")
  }

  private func addTimesAndImages(_ db: Database) throws {
    let run = try theirs(["run"], of: "timing", db)[0]
    let columns = """
      file_bytes, format, width, height, bit_depth, layout, lossy, prepared_width, prepared_height, \
      prepared_depth, prepared_layout, pixels, raw_bytes, profile, steps, problem_kind, problem
      """
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.timing(image, setup, quality, conditions, samples, run)
          SELECT i.dst, e.dst, s.quality, s.conditions, s.samples, (SELECT dst FROM map_run WHERE src = \(run))
          FROM shard.timing s JOIN map_image i ON i.src = s.image JOIN map_setup e ON e.src = s.setup;
        DELETE FROM main.prepared WHERE problem IS NOT NULL AND (image, preparation) IN (
          SELECT i.dst, q.dst FROM shard.prepared s JOIN map_image i ON i.src = s.image
          JOIN map_preparation q ON q.src = s.preparation WHERE s.problem IS NULL);
        INSERT OR IGNORE INTO main.prepared(image, preparation, \(columns))
          SELECT i.dst, q.dst, \(columns) FROM shard.prepared s
          JOIN map_image i ON i.src = s.image JOIN map_preparation q ON q.src = s.preparation;
        """)
  }

  /// False for stores of earlier versions, which have no tables of reads.
  static func hasReads(_ db: Database, _ schema: String) throws -> Bool {
    try isTable("reading", in: schema, db)
  }

  /// Joins rows of `read_source` there and here, with aliases `s` and `e`.
  private func sources(_ db: Database) throws -> String {
    """
    shard.read_source s JOIN main.read_source e ON e.preparation = s.preparation AND e.codec = s.codec
      AND e.build = \(try theirBuild(db)) AND e.settings = s.settings AND e.quality = s.quality
      AND e.libraries = s.libraries
    """
  }

  private func theirBuild(_ db: Database) throws -> String {
    "coalesce(\(try theirs(["build"], of: "read_source", db)[0]), '')"
  }

  /// Adds reads that are missing here, or failed here and were measured there.
  private func addReads(_ db: Database) throws {
    guard try Self.hasReads(db, "shard") else { return }
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.read_source(preparation, codec, build, settings, quality, libraries)
          SELECT preparation, codec, \(try theirBuild(db)), settings, quality, libraries
          FROM shard.read_source s ORDER BY id;
        """)
    let origin = try theirs(["origin"], of: "reading", as: "r", db)[0]
    try add(
      "reading", place: ["route", "wanted"], then: ["status", "conditions", "outcome"],
      further: [("origin", origin)], db)
    guard try Self.isTable("question", in: "shard", db) else { return }
    try ResultStore.mergeQuestions(db)
  }

  /// Adds tiled pictures likewise; stores of earlier versions have none.
  private func addTiles(_ db: Database) throws {
    guard try Self.isTable("tiling", in: "shard", db) else { return }
    try add("tiling", place: ["cut"], then: ["status", "outcome"], further: [], db)
  }

  /// Copies rows of a table with image and source that are missing here, or failed here and were measured there.
  private func add(
    _ table: String, place: [String], then columns: [String], further: [(name: String, theirs: String)],
    _ db: Database
  ) throws {
    let theirs = """
      FROM shard.\(table) r JOIN map_image i ON i.src = r.image
      JOIN (SELECT s.id AS src, e.id AS dst FROM \(try sources(db))) e ON e.src = r.source
      """
    let isSame = place.map { " AND m.\($0) = r.\($0)" }.joined()
    let names = place + columns
    try db.execute(
      sql: """
        DELETE FROM main.\(table) WHERE status <> 0 AND id IN (
          SELECT m.id \(theirs)
          CROSS JOIN main.\(table) m ON m.image = i.dst AND m.source = e.dst\(isSame)
          WHERE r.status = 0 AND m.status <> 0);
        INSERT OR IGNORE INTO main.\(table)(
            \((["image", "source"] + names + further.map(\.name)).joined(separator: ", ")))
          SELECT \((["i.dst", "e.dst"] + names.map { "r.\($0)" } + further.map(\.theirs)).joined(separator: ", "))
          \(theirs) ORDER BY r.id;
        """)
  }

  static func isTable(_ name: String, in schema: String, _ db: Database) throws -> Bool {
    let sql = "SELECT 1 FROM \(schema).sqlite_master WHERE type = 'table' AND name = ?"
    return try Int.fetchOne(db, sql: sql, arguments: [name]) != nil
  }

  /// Adds missing imported files. A different file of the same name here is kept.
  private func addImports(_ db: Database) throws {
    guard try StoredImport.isTable(in: "shard", db) else { return }
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO main.imported(image, preparation, series, file, hash, outcome)
          SELECT i.dst, q.dst, s.series, s.file, s.hash, s.outcome FROM shard.imported s
          JOIN map_image i ON i.src = s.image JOIN map_preparation q ON q.src = s.preparation;
        """)
  }

  /// SQLite takes a name that starts with `file:` for a URI.
  private static func attachable(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }
}
