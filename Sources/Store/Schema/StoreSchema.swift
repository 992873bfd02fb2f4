import GRDB
import Model

/// The tables of `heicbench.sqlite` and their migrations.
///
/// A result's row is keyed by image, way, setup (one of few combinations of preparation, variant and libraries) and
/// quality, -1 for files that heicbench did not encode. The points of an image, which have an empty way, are stored
/// next to each other, so a resume and a report read the file sequentially. Their scores have a column `score_N` per
/// metric, added when a metric is first seen. Other ways have their outcome as JSON in `detail`, and a `sequence`,
/// since the last of several results under different libraries counts.
enum StoreSchema {
  /// `PRAGMA application_id`: “heic”, which identifies the file.
  static let applicationID = 0x6865_6963
  /// `PRAGMA user_version` of stores written by this code.
  static let version = 14

  private static let tables = """
    CREATE TABLE IF NOT EXISTS run(
      id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, manifest TEXT NOT NULL, host TEXT NOT NULL,
      list INTEGER, finished TEXT, drift REAL);
    CREATE TABLE IF NOT EXISTS list_image(
      list INTEGER NOT NULL, position INTEGER NOT NULL, image INTEGER NOT NULL, PRIMARY KEY(list, position)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS image(
      id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL, UNIQUE(name, hash));
    CREATE TABLE IF NOT EXISTS preparation(id INTEGER PRIMARY KEY, spelling TEXT NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS prepared(
      image INTEGER NOT NULL, preparation INTEGER NOT NULL,
      \(PreparedFields.all.flatMap(\.declarations).joined(separator: ", ")),
      PRIMARY KEY(image, preparation)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS setup(
      id INTEGER PRIMARY KEY, preparation INTEGER NOT NULL, codec TEXT NOT NULL, build TEXT NOT NULL,
      settings TEXT NOT NULL, libraries TEXT NOT NULL, UNIQUE(preparation, codec, build, settings, libraries));
    CREATE TABLE IF NOT EXISTS metric(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE IF NOT EXISTS result(
      image INTEGER NOT NULL, way TEXT NOT NULL DEFAULT '', setup INTEGER NOT NULL, quality INTEGER NOT NULL,
      \(PointFields.all.flatMap(\.declarations).joined(separator: ", ")),
      run INTEGER, origin INTEGER NOT NULL DEFAULT 0, sequence INTEGER, detail TEXT,
      PRIMARY KEY(image, way, setup, quality)) WITHOUT ROWID;
    CREATE UNIQUE INDEX IF NOT EXISTS result_sequence ON result(sequence) WHERE sequence IS NOT NULL;
    CREATE TABLE IF NOT EXISTS timing(
      image INTEGER NOT NULL, setup INTEGER NOT NULL, quality INTEGER NOT NULL,
      conditions INTEGER NOT NULL, samples BLOB NOT NULL, run INTEGER, PRIMARY KEY(image, setup, quality)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS file(
      path BLOB PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, inode INTEGER NOT NULL,
      hash BLOB NOT NULL, header TEXT, problem TEXT) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS question(subject TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
    """

  /// An index to find images by content whose names have several Unicode spellings. Stores of earlier versions get it
  /// when they are next written to.
  private static let spellings = """
    CREATE INDEX IF NOT EXISTS image_spelling ON image(hash) WHERE \(hasSpellings("name"))
    """

  /// True for a name that is not pure ASCII.
  static func hasSpellings(_ name: String) -> String { "length(\(name)) <> length(CAST(\(name) AS BLOB))" }

  /// Compares names as Swift does: “ü” is the same letter whether it is one code point or “u” and a combining mark
  /// (NFC, NFD).
  static let sameName = DatabaseCollation.unicodeCompare.name

  /// Creates or updates the tables, all or nothing. Throws if the file is foreign or too new.
  static func migrate(_ db: Database, path: String) throws {
    let found = try check(db, path: path, writable: true)
    guard try !isCurrent(db, found: found) else { return try db.execute(sql: spellings) }
    try db.inTransaction(.immediate) {
      let hasBuilds = try columns(of: "setup", db).contains("build")
      if found > 0, !hasBuilds { try db.execute(sql: "ALTER TABLE setup RENAME TO first_setup") }
      try db.execute(sql: tables + spellings)
      for column in try missingColumns(db) {
        try db.execute(sql: "ALTER TABLE result ADD COLUMN \(column)")
      }
      switch found {
      case 1..<13: try takePoints(db, from: found)
      case 13: try db.execute(sql: "DELETE FROM result WHERE way <> ''")
      default: break
      }
      try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
      return .commit
    }
  }

  static func isCurrent(_ db: Database, found: Int) throws -> Bool {
    try found == version && missingColumns(db).isEmpty
  }

  /// Columns added without a migration; programs that do not know them ignore them.
  private static func missingColumns(_ db: Database) throws -> [String] {
    let there = try columns(of: "result", db)
    return PointFields.all.flatMap { field in
      zip(field.columns, field.declarations).filter { !there.contains($0.0) }.map(\.1)
    }
  }

  /// The version of the file; throws if this code cannot use it.
  @discardableResult
  static func check(_ db: Database, path: String, writable: Bool) throws -> Int {
    let found = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
    let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    let isEmpty = try Int.fetchOne(db, sql: "SELECT 1 FROM sqlite_master LIMIT 1") == nil
    guard isEmpty || application == applicationID, found >= 0 else { throw StoreError.foreign(path: path) }
    guard found <= version else { throw StoreError.newerVersion(path: path, found: found, known: version) }
    if !writable, isEmpty { throw StoreError.missing(path: path) }
    return found
  }
}

// The migration from 0.1.0, version 1, and from the unreleased versions between it and this one. Points are kept;
// results of other ways had other forms in those versions and are measured again.
extension StoreSchema {
  private static func takePoints(_ db: Database, from version: Int) throws {
    if try !columns(of: "first_setup", db).isEmpty {
      let old = "SELECT id, preparation, codec, '', settings, libraries FROM first_setup"
      try db.execute(sql: "INSERT INTO setup \(old); DROP TABLE first_setup")
    }
    for (table, column, type) in [("timing", "run", "INTEGER"), ("run", "drift", "REAL")]
    where try !columns(of: table, db).contains(column) {
      try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column) \(type)")
    }
    try copyPoints(db)
    if version < 12 { try forgetHighDynamicRange(db) }
    for table in ["point", "reading", "tiling", "read_source", "imported"] {
      try db.execute(sql: "DROP TABLE IF EXISTS \(table)")
    }
  }

  private static func columns(of table: String, _ db: Database) throws -> [String] {
    try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table])
  }

  private static func copyPoints(_ db: Database) throws {
    let known = Set(try columns(of: "result", db))
    let there = try columns(of: "point", db)
    let scores = there.filter { $0.wholeMatch(of: /score_[0-9]+/) != nil }
    for score in scores { try db.execute(sql: "ALTER TABLE result ADD COLUMN \(score) REAL") }
    let target = (there.filter(known.contains) + scores).joined(separator: ", ")
    guard !there.contains("origin") else {
      return try db.execute(sql: "INSERT INTO result(\(target)) SELECT \(target) FROM point")
    }
    // Points from a merge may have no run.
    let isSearched =
      "coalesce(run IN (SELECT id FROM run WHERE json_extract(manifest, '$.target') IS NOT NULL), 0)"
    let origin = "\(isSearched) * \(PointOrigins.searched.rawValue)"
    try db.execute(sql: "INSERT INTO result(\(target), origin) SELECT \(target), \(origin) FROM point")
  }

  /// PQ and HLG were scored as SDR: everything about such pictures is deleted, so that a new SDR run refuses them.
  private static func forgetHighDynamicRange(_ db: Database) throws {
    try db.execute(
      sql: """
        CREATE TEMP TABLE hdr AS SELECT image FROM prepared WHERE profile LIKE '% PQ' OR profile LIKE '% HLG';
        DELETE FROM file WHERE hash IN (SELECT hash FROM image WHERE id IN hdr);
        DELETE FROM result WHERE image IN hdr;
        DELETE FROM timing WHERE image IN hdr;
        DELETE FROM prepared WHERE image IN hdr;
        DROP TABLE hdr;
        """)
  }
}
