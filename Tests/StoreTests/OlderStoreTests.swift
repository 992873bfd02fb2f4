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

  /// A store with a point of each image, as the first version of the tables has it.
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

  @Test("has no scores of HDR pictures any more")
  func highDynamicRange() throws {
    let other = StoreFixture.image("b.png")
    let folder = try olderStore(profiles: [(image, "RGB BT.2020, PQ"), (other, "RGB Display P3, sRGB")])
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

  /// A store between the releases, with a table for each way to measure and a row in each.
  private func storeOfTwelve() throws -> TemporaryFolder {
    let folder = try olderStore()
    let making = #"{"coding":"HEVC Main","software":"s"}"#
    let time = #"{"cpuNanoseconds":1,"wallNanoseconds":2}"#
    let read = """
      {"measured":{"_0":{"decodedHeight":9,"decodedWidth":8,"deliveredHeight":5,"deliveredWidth":4,"fileBytes":100,\
      "format":"png","height":9,"psnrLuma":"+inf","reductionCPUNanoseconds":7,"remarks":["r"],"samples":[\(time)],\
      "touchedBytes":60,"width":8}}}
      """
    let cut = """
      {"downscale":1,"header":{"bitDepth":8,"format":"png","height":10,"isLossy":false,"layout":"rgb","width":10},\
      "outcome":{"measured":{"_0":{"encodeNanoseconds":3,"headerBytes":[0],"pyramid":{"end":"oneTile","height":10,\
      "overlap":0,"tileSize":64,"width":10},"remarks":[],"tiles":[[{"bytes":30,"cpuNanoseconds":7}]],\
      "whole":{"bytes":90,"decodeNanoseconds":6,"encodeNanoseconds":5}}}}}
      """
    let imported = """
      {"measured":{"_0":{"asked":[],"bytes":500,"decode":\(time),"decoder":"","format":"heic","making":\(making),\
      "scores":{},"steps":[]}}}
      """
    try DatabaseQueue(path: folder.path + "/" + ResultStore.fileName).writeWithoutTransaction { db in
      try db.execute(
        sql: """
          ALTER TABLE point ADD COLUMN origin INTEGER NOT NULL DEFAULT 0; UPDATE point SET origin = 1;
          ALTER TABLE timing ADD COLUMN run INTEGER; ALTER TABLE run ADD COLUMN drift REAL;
          CREATE TABLE question(subject TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;
          CREATE TABLE read_source(
            id INTEGER PRIMARY KEY, preparation TEXT NOT NULL, codec TEXT NOT NULL, build TEXT NOT NULL,
            settings TEXT NOT NULL, quality INTEGER NOT NULL, libraries TEXT NOT NULL,
            UNIQUE(preparation, codec, build, settings, quality, libraries));
          INSERT INTO read_source VALUES (1, '', 'png', '', '{}', -1, 'lib 1'),
            (2, '\(Preparation().canonicalSpelling)', 'heic', '', '{}', 600, 'lib 2'),
            (3, '\(Preparation().canonicalSpelling)', 'heic', '', '{}', 650, 'lib 2');
          CREATE TABLE reading(
            id INTEGER PRIMARY KEY AUTOINCREMENT, image INTEGER NOT NULL, source INTEGER NOT NULL,
            route TEXT NOT NULL, wanted TEXT NOT NULL, status INTEGER NOT NULL, conditions INTEGER NOT NULL,
            outcome TEXT NOT NULL, origin TEXT, UNIQUE(image, source, route, wanted));
          CREATE TABLE tiling(
            id INTEGER PRIMARY KEY AUTOINCREMENT, image INTEGER NOT NULL, source INTEGER NOT NULL, cut TEXT NOT NULL,
            status INTEGER NOT NULL, outcome TEXT NOT NULL, UNIQUE(image, source, cut));
          INSERT INTO tiling VALUES (1, 1, 3, 'whole', 0, '{"bytes":80,"ssimulacra2":70}');
          CREATE TABLE imported(
            image INTEGER NOT NULL, preparation INTEGER NOT NULL, series TEXT NOT NULL, file TEXT NOT NULL,
            hash BLOB NOT NULL, outcome TEXT NOT NULL, PRIMARY KEY(image, preparation, series, file)) WITHOUT ROWID;
          PRAGMA user_version = 12;
          """)
      try db.execute(
        sql: "INSERT INTO reading VALUES (1, 1, 1, 'full', '320', 0, 1, ?, ?)",
        arguments: [read, #"{"host":"h","jobs":1,"processor":"p"}"#])
      try db.execute(sql: "INSERT INTO tiling VALUES (2, 1, 2, '64+0 files 100x80', 0, ?)", arguments: [cut])
      try db.execute(
        sql: "INSERT INTO imported VALUES (1, 1, 'phone', 'a.heic', 'h', ?)", arguments: [imported])
    }
    return folder
  }

  @Test("keeps every row of a table per way", arguments: [false, true])
  func unreleased(isWritten: Bool) throws {
    let folder = try storeOfTwelve()
    if isWritten { _ = try ResultStore(folder: folder.path) }
    let store = try ResultStore(reading: folder.path)
    #expect(try store.latestRows().map(\.encodedBytes) == [4000])
    let read = try #require(try store.reads().first)
    let expected = Case(
      image: image, encoding: nil, format: "png", route: .full, wanted: .side(320), libraries: "lib 1")
    #expect(read.key == expected && read.timesOrigin?.host == "h")
    let figures = try #require(read.figures)
    #expect(
      figures.scores["psnr-y"] == .infinity && figures[.touchedBytes] == 60 && figures[.deliveredWidth] == 4)
    #expect(figures.timing.conditions == .single && figures.timing.decode.map(\.wallNanoseconds) == [2])
    #expect(figures[.reductionCPU] == 7 && figures.remarks == ["r"])
    let spelling = Preparation().canonicalSpelling
    let view = try #require(TileView("100x80"))
    let tiles = try store.tilings(TileQuestion(preparation: spelling, view: view))
    #expect(tiles.map(\.key.way.kind) == [.tiles, .whole, .whole] && tiles[0].header?.format == "png")
    #expect(
      tiles[0].figures?.encodedBytes == 30 && tiles[0].figures?.timing.encode.map(\.cpuNanoseconds) == [3])
    #expect(Set(tiles.dropFirst().map(\.key.quality)) == [0.6, 0.65])
    let wholes = Dictionary(grouping: tiles.dropFirst(), by: \.key.quality).compactMapValues {
      $0.first?.figures
    }
    #expect(wholes[0.65]?.encodedBytes == 80 && wholes[0.65]?[.plain] == 70)
    #expect(wholes[0.6]?.encodedBytes == 90 && wholes[0.6]?.timing.decode.map(\.cpuNanoseconds) == [6])
    let files = try store.imports(preparation: spelling, series: ["phone"]).values
    #expect(files.map(\.fileHash) == ["h"] && files.first?.figures?.encodedBytes == 500)
    let merged = try TemporaryFolder()
    let target = try ResultStore(folder: merged.path)
    try target.merge([folder.path])
    #expect(try target.reads() == [read])
    #expect(try target.tilings(TileQuestion(preparation: spelling, view: view)) == tiles)
  }

  @Test("keeps the points of version 13, and measures the rest again")
  func thirteen() throws {
    let folder = try storeOfTwelve()
    let rows = try ResultStore(folder: folder.path).latestRows()
    try DatabaseQueue(path: folder.path + "/" + ResultStore.fileName).write { db in
      try db.execute(sql: "UPDATE result SET detail = '{}' WHERE way <> ''; PRAGMA user_version = 13")
      try #require(db.changesCount > 0)
    }
    let store = try ResultStore(folder: folder.path)
    #expect(try store.latestRows() == rows && !rows.isEmpty)
    let view = try #require(TileView("100x80"))
    #expect(try store.tilings(TileQuestion(preparation: Preparation().canonicalSpelling, view: view)).isEmpty)
    #expect(try store.reads().isEmpty)
  }
}
