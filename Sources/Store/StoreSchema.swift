import GRDB

/// The tables of `heicbench.sqlite` and their migrations.
///
/// A result's row is keyed by image, way, setup (preparation, variant and libraries, of which there are few) and
/// quality, -1 for files that heicbench did not encode. The points of an image, whose way is empty, lie beside each
/// other, so that a resume and a report read the file sequentially. Their scores have a column `score_N` per metric,
/// added when a metric is first seen. Other ways have what came of them as JSON in `detail`, and a `sequence`, since
/// of results under several libraries the last one counts.
enum StoreSchema {
  /// `PRAGMA application_id`: “heic”, which identifies the file.
  static let applicationID = 0x6865_6963
  /// `PRAGMA user_version` of stores written by this code.
  static let version = 14

  /// The tables of 0.1.0, version 1. Never change a released version: add a migration.
  static let first = """
    CREATE TABLE run(
      id INTEGER PRIMARY KEY, uid TEXT NOT NULL UNIQUE, manifest TEXT NOT NULL, host TEXT NOT NULL,
      list INTEGER, finished TEXT);
    CREATE TABLE list_image(
      list INTEGER NOT NULL, position INTEGER NOT NULL, image INTEGER NOT NULL, PRIMARY KEY(list, position)
    ) WITHOUT ROWID;
    CREATE TABLE image(id INTEGER PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL, UNIQUE(name, hash));
    CREATE TABLE preparation(id INTEGER PRIMARY KEY, spelling TEXT NOT NULL UNIQUE);
    CREATE TABLE prepared(
      image INTEGER NOT NULL, preparation INTEGER NOT NULL, file_bytes INTEGER NOT NULL,
      format TEXT, width INTEGER, height INTEGER, bit_depth INTEGER, layout TEXT, lossy INTEGER,
      prepared_width INTEGER, prepared_height INTEGER, prepared_depth INTEGER, prepared_layout TEXT,
      pixels INTEGER, raw_bytes INTEGER, profile TEXT, steps TEXT, problem_kind TEXT, problem TEXT,
      PRIMARY KEY(image, preparation)) WITHOUT ROWID;
    CREATE TABLE setup(
      id INTEGER PRIMARY KEY, preparation INTEGER NOT NULL, codec TEXT NOT NULL, settings TEXT NOT NULL,
      libraries TEXT NOT NULL, UNIQUE(preparation, codec, settings, libraries));
    CREATE TABLE metric(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE point(
      image INTEGER NOT NULL, setup INTEGER NOT NULL, quality INTEGER NOT NULL, status INTEGER NOT NULL,
      run INTEGER, native_quality INTEGER, bytes INTEGER, hash BLOB, agree INTEGER,
      conditions INTEGER, encode_wall INTEGER, encode_cpu INTEGER, decode_wall INTEGER, decode_cpu INTEGER,
      samples BLOB, peak_memory INTEGER, scoring_cpu INTEGER, failure_kind TEXT, message TEXT,
      PRIMARY KEY(image, setup, quality)) WITHOUT ROWID;
    CREATE TABLE timing(
      image INTEGER NOT NULL, setup INTEGER NOT NULL, quality INTEGER NOT NULL,
      conditions INTEGER NOT NULL, samples BLOB NOT NULL, PRIMARY KEY(image, setup, quality)) WITHOUT ROWID;
    CREATE TABLE file(
      path BLOB PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, inode INTEGER NOT NULL,
      hash BLOB NOT NULL, header TEXT, problem TEXT) WITHOUT ROWID;
    """

  /// Creates or updates the tables, all or nothing. Throws if the file is foreign or too new.
  static func migrate(_ db: Database, path: String, to version: Int = version) throws {
    let found = try check(db, path: path, writable: true)
    let isComplete = try version < Self.version || missingColumns(db).isEmpty
    guard found < version || !isComplete else { return }
    try db.inTransaction(.immediate) {
      if found == 0 { try db.execute(sql: first) }
      if version == Self.version {
        if found < version { try OlderStore.migrate(db, from: found) }
        for column in try missingColumns(db) {
          try db.execute(sql: "ALTER TABLE result ADD COLUMN \(column) INTEGER")
        }
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
    let there = try String.fetchSet(db, sql: "SELECT name FROM pragma_table_info('result')")
    return StoredField.added.filter { !there.contains($0) }
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
