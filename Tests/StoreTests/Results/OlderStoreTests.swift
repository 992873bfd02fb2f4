import Foundation
import GRDB
import Model
import TestSupport
import Testing

@testable import Store

/// Stores made by 0.1.0.
struct OlderStoreTests {
  private let image = StoreFixture.image("a.png")

  /// A store with a point of each image, in the first version of the tables.
  private func olderStore(profiles: [(ImageIdentity, String)]? = nil) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let profiles = profiles ?? [(image, "sRGB")]
    do {
      let store = try ResultStore(folder: folder.path)
      let run = try store.begin(StoreFixture.manifest(), images: profiles.map(\.0))
      for (image, profile) in profiles {
        var record = StoreFixture.record(of: image)
        record.profile = profile
        try store.append(.image(record))
        try store.append(StoreFixture.point(StoreFixture.key(image)))
      }
      try store.finish(run, at: "2026-01-01T00:00:00Z")
    }
    try DatabaseQueue(path: folder.path + "/" + ResultStore.fileName).writeWithoutTransaction { db in
      try db.execute(
        sql: """
          ALTER TABLE timing DROP COLUMN run; ALTER TABLE run DROP COLUMN drift;
          CREATE TABLE point(
            image INTEGER NOT NULL, setup INTEGER NOT NULL, quality INTEGER NOT NULL, status INTEGER NOT NULL,
            run INTEGER, native_quality INTEGER, bytes INTEGER, hash BLOB, agree INTEGER,
            conditions INTEGER, encode_wall INTEGER, encode_cpu INTEGER, decode_wall INTEGER, decode_cpu INTEGER,
            samples BLOB, peak_memory INTEGER, scoring_cpu INTEGER, failure_kind TEXT, message TEXT, score_1 REAL,
            PRIMARY KEY(image, setup, quality)) WITHOUT ROWID;
          INSERT INTO point SELECT image, setup, quality, status, run, native_quality, bytes, hash, agree, conditions,
            encode_wall, encode_cpu, decode_wall, decode_cpu, samples, peak_memory, scoring_cpu, failure_kind, message,
            score_1 FROM result;
          CREATE TABLE old(
            id INTEGER PRIMARY KEY, preparation INTEGER NOT NULL, codec TEXT NOT NULL, settings TEXT NOT NULL,
            libraries TEXT NOT NULL, UNIQUE(preparation, codec, settings, libraries));
          INSERT INTO old SELECT id, preparation, codec, settings, libraries FROM setup;
          DROP TABLE setup; ALTER TABLE old RENAME TO setup;
          DROP TABLE result; DROP TABLE question; PRAGMA user_version = 1;
          """)
    }
    return folder
  }

  @Test("is read without being changed")
  func reading() throws {
    let folder = try olderStore()
    let path = folder.path + "/" + ResultStore.fileName
    let before = try Data(contentsOf: URL(filePath: path))
    let store = try ResultStore(reading: folder.path)
    let rows = try store.latestRows()
    #expect(rows.map(\.figures[.peakMemory]) == [3])
    #expect(rows.map(\.figures[.encodePeak]) == [nil] && rows.map(\.sourceBytes) == [12_345])
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test("no longer has scores of HDR pictures")
  func highDynamicRange() throws {
    let other = StoreFixture.image("b.png")
    let folder = try olderStore(profiles: [(image, "RGB BT.2020, PQ"), (other, "RGB Display P3, sRGB")])
    #expect(try ResultStore(reading: folder.path).latestRows().map(\.image) == ["b.png"])
    let store = try ResultStore(folder: folder.path)
    try store.begin(StoreFixture.manifest(), images: [image, other])
    #expect(try store.finished(image, preparation: Preparation().canonicalSpelling, metric: nil).count == 0)
    #expect(try store.finished(other, preparation: Preparation().canonicalSpelling, metric: nil).count == 1)
  }

  @Test("is updated by a run, and merged as it is")
  func writing() throws {
    let folder = try olderStore()
    let merged = try TemporaryFolder()
    let target = try ResultStore(folder: merged.path)
    #expect(try target.merge([folder.path]).added == 1)
    #expect(try target.latestRows().count == 1)
    let store = try ResultStore(folder: folder.path)
    try store.begin(StoreFixture.manifest(), images: [image])
    #expect(try store.finished(image, preparation: Preparation().canonicalSpelling, metric: nil).count == 1)
    #expect(try store.latestRows().map(\.encodedBytes) == [4000])
  }

  /// Tables of unreleased versions, with a row for each way of measuring.
  private static let between = """
    ALTER TABLE point ADD COLUMN origin INTEGER NOT NULL DEFAULT 0; UPDATE point SET origin = 1;
    ALTER TABLE timing ADD COLUMN run INTEGER; ALTER TABLE run ADD COLUMN drift REAL;
    CREATE TABLE question(subject TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE read_source(id INTEGER PRIMARY KEY); CREATE TABLE reading(image INTEGER);
    CREATE TABLE tiling(image INTEGER); CREATE TABLE imported(image INTEGER);
    INSERT INTO reading VALUES (1); INSERT INTO tiling VALUES (1); INSERT INTO imported VALUES (1);
    PRAGMA user_version = 12;
    """

  @Test("keeps the points of unreleased versions, and measures the rest again", arguments: [12, 13])
  func unreleased(version: Int) throws {
    let folder = try olderStore()
    let queue = try DatabaseQueue(path: folder.path + "/" + ResultStore.fileName)
    try queue.writeWithoutTransaction { try $0.execute(sql: Self.between) }
    let rows = try ResultStore(reading: folder.path).latestRows()
    #expect(rows.map(\.encodedBytes) == [4000] && rows.map(\.origin) == [.grid])
    if version == 13 {
      let read = Case(image: image, encoding: nil, format: "png", route: .full, wanted: .all)
      try ResultStore(folder: folder.path).append(CaseRecord(key: read, outcome: .unsupported("too old")))
      try queue.write { try $0.execute(sql: "UPDATE result SET detail = '{}' WHERE way <> ''") }
      try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA user_version = 13") }
    }
    let store = try ResultStore(folder: folder.path)
    #expect(try store.latestRows() == rows && store.reads().isEmpty)
    let left = try queue.read { db in
      try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_master WHERE name IN ('point', 'reading', 'tiling')")
    }
    #expect(left.isEmpty)
  }
}

extension StoreFixture {
  /// The empty tables of 0.1.0.
  static let firstTables = """
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
    PRAGMA application_id = \(StoreSchema.applicationID); PRAGMA user_version = 1;
    """
}
