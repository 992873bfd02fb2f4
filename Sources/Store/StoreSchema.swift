import GRDB

/// The tables of `heicbench.sqlite` and their migrations.
///
/// A point's row is keyed by image, setup (preparation, variant and libraries, of which there are few) and quality,
/// and lies beside the other points of its image, so that a resume and a report read the file sequentially. Scores
/// have a column `score_N` per metric, added when a metric is first seen.
enum StoreSchema {
  /// `PRAGMA application_id`: “heic”, which identifies the file.
  static let applicationID = 0x6865_6963
  /// `PRAGMA user_version` of stores written by this code.
  static let version = migrations.count

  /// The migrations from version N to N + 1. Never change a released one: add another.
  static let migrations = [
    """
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
    """,
    // Peak memory of each call, and reasons for failed scores as a JSON object.
    """
    ALTER TABLE point ADD COLUMN encode_peak INTEGER;
    ALTER TABLE point ADD COLUMN decode_peak INTEGER;
    ALTER TABLE point ADD COLUMN failed_scores TEXT;
    """,
    // Reasons a point was measured other than a grid.
    """
    ALTER TABLE point ADD COLUMN origin INTEGER NOT NULL DEFAULT 0;
    UPDATE point SET origin = 2
      WHERE run IN (SELECT id FROM run WHERE json_extract(manifest, '$.target') IS NOT NULL);
    """,
    // The run gives host and jobs of exclusive times as well; those of earlier versions use their point's run.
    """
    ALTER TABLE timing ADD COLUMN run INTEGER;
    ALTER TABLE run ADD COLUMN drift REAL;
    """,
    // The library build of a setup; empty for the system's own, as in all earlier versions.
    """
    CREATE TABLE setup_of_build(
      id INTEGER PRIMARY KEY, preparation INTEGER NOT NULL, codec TEXT NOT NULL, build TEXT NOT NULL,
      settings TEXT NOT NULL, libraries TEXT NOT NULL, UNIQUE(preparation, codec, build, settings, libraries));
    INSERT INTO setup_of_build SELECT id, preparation, codec, '', settings, libraries FROM setup;
    DROP TABLE setup;
    ALTER TABLE setup_of_build RENAME TO setup;
    """,
    // Reads of files as found (no preparation, and their format as codec), or as written by codecs. If the same read
    // exists with several libraries, the last row counts.
    """
    CREATE TABLE read_source(
      id INTEGER PRIMARY KEY, preparation TEXT NOT NULL, codec TEXT NOT NULL, settings TEXT NOT NULL,
      quality INTEGER NOT NULL, libraries TEXT NOT NULL,
      UNIQUE(preparation, codec, settings, quality, libraries));
    CREATE TABLE reading(
      id INTEGER PRIMARY KEY AUTOINCREMENT, image INTEGER NOT NULL, source INTEGER NOT NULL, route TEXT NOT NULL,
      wanted TEXT NOT NULL, status INTEGER NOT NULL, conditions INTEGER NOT NULL, outcome TEXT NOT NULL,
      UNIQUE(image, source, route, wanted));
    """,
    // The last question by subject, kept so that reports can be made again.
    """
    CREATE TABLE question(subject TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
    """,
    // The origin of a read's times as JSON; unknown for earlier ones.
    """
    ALTER TABLE reading ADD COLUMN origin TEXT;
    """,
    // Files that other encoders made of images; the outcome is JSON.
    """
    CREATE TABLE imported(
      image INTEGER NOT NULL, preparation INTEGER NOT NULL, series TEXT NOT NULL, file TEXT NOT NULL,
      hash BLOB NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY(image, preparation, series, file)) WITHOUT ROWID;
    """,
    // The library build that reads; empty for the system's own, as in all earlier versions.
    """
    CREATE TABLE read_source_of_build(
      id INTEGER PRIMARY KEY, preparation TEXT NOT NULL, codec TEXT NOT NULL, build TEXT NOT NULL,
      settings TEXT NOT NULL, quality INTEGER NOT NULL, libraries TEXT NOT NULL,
      UNIQUE(preparation, codec, build, settings, quality, libraries));
    INSERT INTO read_source_of_build
      SELECT id, preparation, codec, '', settings, quality, libraries FROM read_source;
    DROP TABLE read_source;
    ALTER TABLE read_source_of_build RENAME TO read_source;
    """,
    // Tiled pictures, and points of their curves without tiles (the cut is “whole”); the outcome is JSON.
    """
    CREATE TABLE tiling(
      id INTEGER PRIMARY KEY AUTOINCREMENT, image INTEGER NOT NULL, source INTEGER NOT NULL, cut TEXT NOT NULL,
      status INTEGER NOT NULL, outcome TEXT NOT NULL, UNIQUE(image, source, cut));
    """,
    // PQ and HLG were scored as SDR: everything about such pictures is deleted, so that a run refuses them.
    """
    CREATE TEMP TABLE hdr AS SELECT image FROM prepared WHERE profile LIKE '% PQ' OR profile LIKE '% HLG';
    DELETE FROM file WHERE hash IN (SELECT hash FROM image WHERE id IN hdr);
    DELETE FROM point WHERE image IN hdr;
    DELETE FROM timing WHERE image IN hdr;
    DELETE FROM imported WHERE image IN hdr;
    DELETE FROM reading WHERE image IN hdr;
    DELETE FROM tiling WHERE image IN hdr;
    DELETE FROM prepared WHERE image IN hdr;
    DROP TABLE hdr;
    """,
  ]

  /// Creates or updates the tables, all or nothing. Throws if the file is foreign or too new.
  static func migrate(_ db: Database, path: String, to version: Int = version) throws {
    let found = try check(db, path: path, writable: true)
    let isComplete = try version < Self.version || missingColumns(db).isEmpty
    guard found < version || !isComplete else { return }
    try db.inTransaction(.immediate) {
      for migration in migrations[min(found, version)..<version] { try db.execute(sql: migration) }
      if version == Self.version {
        for column in try missingColumns(db) {
          try db.execute(sql: "ALTER TABLE point ADD COLUMN \(column) INTEGER")
        }
      }
      try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
      return .commit
    }
  }

  static func isCurrent(_ db: Database, found: Int) throws -> Bool {
    try found == version && missingColumns(db).isEmpty
  }

  /// Point columns added without a migration; programs that do not know them ignore them.
  private static func missingColumns(_ db: Database) throws -> [String] {
    let there = try String.fetchSet(db, sql: "SELECT name FROM pragma_table_info('point')")
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
