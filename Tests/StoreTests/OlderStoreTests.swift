import Foundation
import GRDB
import Model
import TestSupport
import Testing

@testable import Analysis
@testable import Store

/// Stores that 0.1.0 made.
struct OlderStoreTests {
  private let image = StoreFixture.image("a.png")

  /// A store with a point, as the first version of the tables has it.
  private func olderStore() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    do {
      let store = try ResultStore(folder: folder.path)
      let run = try store.begin(StoreFixture.manifest(), images: [image])
      try store.append(.image(StoreFixture.record(of: image)))
      try store.append(StoreFixture.point(StoreFixture.key(image)))
      try store.finish(run, at: "2026-01-01T00:00:00Z")
    }
    let database = try DatabaseQueue(path: folder.path + "/" + ResultStore.fileName)
    try database.write { db in
      let kept = try String.fetchSet(db, sql: "SELECT name FROM pragma_table_info('point')").subtracting(
        Set(StoreSchemaProbe.columnsSinceFirst))
      #expect(kept.count > 18)
      for column in StoreSchemaProbe.columnsSinceFirst {
        try db.execute(sql: "ALTER TABLE point DROP COLUMN \(column)")
      }
      try db.execute(
        sql: """
          ALTER TABLE timing DROP COLUMN run; ALTER TABLE run DROP COLUMN drift; PRAGMA user_version = 1;
          CREATE TABLE old(
            id INTEGER PRIMARY KEY, preparation INTEGER NOT NULL, codec TEXT NOT NULL, settings TEXT NOT NULL,
            libraries TEXT NOT NULL, UNIQUE(preparation, codec, settings, libraries));
          INSERT INTO old SELECT id, preparation, codec, settings, libraries FROM setup;
          DROP TABLE setup; ALTER TABLE old RENAME TO setup;
          DROP TABLE reading; DROP TABLE read_source; DROP TABLE question;
          DROP TABLE imported; DROP TABLE tiling;
          """)
    }
    return folder
  }

  private enum StoreSchemaProbe {
    static let columnsSinceFirst = ["encode_peak", "decode_peak", "failed_scores", "origin"]
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

  @Test("has no scores of HDR pictures any more")
  func highDynamicRange() throws {
    let folder = try TemporaryFolder()
    let other = StoreFixture.image("b.png")
    do {
      let store = try ResultStore(folder: folder.path)
      let run = try store.begin(StoreFixture.manifest(), images: [image, other])
      for (image, profile) in [(image, "RGB BT.2020, PQ"), (other, "RGB Display P3, sRGB")] {
        var record = StoreFixture.record(of: image)
        record.profile = profile
        try store.append(.image(record))
        try store.append(StoreFixture.point(StoreFixture.key(image)))
      }
      try store.finish(run, at: "2026-01-01T00:00:00Z")
    }
    let path = folder.path + "/" + ResultStore.fileName
    let database = try DatabaseQueue(path: path)
    let last = StoreSchema.version - 1
    try database.write { try $0.execute(sql: "PRAGMA user_version = \(last)") }
    #expect(try ResultStore(reading: folder.path).latestRows().map(\.image) == ["b.png"])
    let store = try ResultStore(folder: folder.path)
    try store.begin(StoreFixture.manifest(), images: [image, other])
    #expect(try store.finished(image, preparation: Preparation().canonicalSpelling, metric: nil).count == 0)
    #expect(try store.finished(other, preparation: Preparation().canonicalSpelling, metric: nil).count == 1)
  }

  @Test("is brought up to date by a run, and merged as it is")
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
}
