import Foundation
import GRDB
import Model
import Store
import TestSupport
import Testing

/// Stores from strangers, or with damage that SQLite does not notice.
@Suite(.timeLimit(.minutes(30))) struct HostileStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func make(_ name: String, images: [String]) throws {
    let store = try ResultStore(folder: path(name))
    let identities = images.map { StoreFixture.image($0) }
    let run = try store.begin(StoreFixture.manifest(), images: identities)
    for image in identities {
      try store.append(.image(StoreFixture.record(of: image)))
      try store.append(
        StoreFixture.point(StoreFixture.key(image), StoreFixture.measurement(repeats: [8, 9])))
    }
    try store.finish(run, at: "2026-01-02T05:00:00Z")
  }

  private func change(_ name: String, _ sql: String) throws {
    let database = try DatabaseQueue(path: path(name) + "/heicbench.sqlite")
    try database.write { try $0.execute(sql: sql) }
    try database.close()
  }

  static let crafted = [
    "UPDATE result SET samples = x'ffff'",
    "UPDATE result SET conditions = 9", "UPDATE result SET status = -1", "UPDATE result SET bytes = -5",
    "UPDATE result SET quality = 5000", "UPDATE result SET hash = 7", "UPDATE result SET bytes = 'many'",
    "UPDATE result SET peak_memory = -1", "UPDATE result SET score_1 = 'good'",
    "ALTER TABLE result DROP COLUMN score_1; ALTER TABLE result ADD COLUMN score_1 TEXT; UPDATE result SET score_1 = '1a'",
    "UPDATE result SET message = '{'", "UPDATE result SET encode_peak = -1",
    "UPDATE result SET decode_peak = 'much'", "UPDATE result SET failed_scores = '[]'",
    "UPDATE result SET failed_scores = 7", "UPDATE result SET failed_scores = '{\"a\": 7}'",
    "UPDATE metric SET id = 99 WHERE id = 1",
    "UPDATE setup SET settings = 'no JSON'", "UPDATE setup SET settings = '[1]'",
    "UPDATE result SET way = 'import a.heic'", "UPDATE result SET sequence = 1",
    "UPDATE result SET detail = '{}'",
    "UPDATE result SET way = 'walk', sequence = 1, detail = '{}'",
    "UPDATE result SET way = 'import a.heic', sequence = 1, detail = '{\"outcome\":{\"unsupported\":{\"_0\":\"no\"}}}'",
    "UPDATE list_image SET position = -1 WHERE position = 0", "UPDATE prepared SET width = -3",
    "UPDATE prepared SET raw_bytes = -9223372036854775808", "UPDATE prepared SET steps = '7'",
    "UPDATE run SET manifest = '{}'", "UPDATE run SET list = -1",
    "UPDATE run SET manifest = json_set(manifest, '$.metrics[0].decimals', 9223372036854775807)",
    "UPDATE run SET manifest = json_set(manifest, '$.metrics[0].minimumSide', -9223372036854775807)",
    "UPDATE run SET manifest = json_set(manifest, '$.jobs', -1)",
    sample("1", of: "2", pixels: "-1"), sample("1", of: "2", pixels: "1e300"),
    sample("3", of: "2", pixels: "1"),
    sample("9000000000000000000", of: "9000000000000000001", pixels: "1"),
    "CREATE VIEW x AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c",
    "CREATE TRIGGER t AFTER INSERT ON result BEGIN DELETE FROM image; END",
  ]

  private static func sample(_ images: String, of population: String, pixels: String) -> String {
    "UPDATE run SET manifest = json_set(manifest, '$.sample', json('{\"images\": \(images), \"pixels\": 1, "
      + "\"population\": \(population), \"populationPixels\": \(pixels), \"seed\": 1}'))"
  }

  @Test(
    "A damaged or hostile shard is named, and the merged store does not change", arguments: crafted)
  func shard(sql: String) throws {
    try make("good", images: ["a.png", "b.png"])
    try make("bad", images: ["c.png"])
    let merged = try ResultStore(folder: path("merged"))
    try merged.merge([path("good")])
    let (rows, runs) = (try merged.latestRows(), try merged.runs())
    try change("bad", sql)
    let error = #expect(throws: StoreError.self) { try merged.merge([path("bad")]) }
    #expect(error?.description.contains(path("bad")) == true, "\(String(describing: error))")
    #expect(try merged.latestRows() == rows && merged.runs() == runs)
    #expect(try merged.merge([path("good")]).added == 0)
  }

  @Test("A damaged store is refused before anything is added to it", arguments: crafted)
  func ownStore(sql: String) throws {
    try make("own", images: ["a.png"])
    try change("own", sql)
    let error = #expect(throws: StoreError.self) { _ = try ResultStore(folder: path("own")) }
    #expect(error?.description.contains("damaged") == true, "\(String(describing: error))")
    let database = try DatabaseQueue(path: path("own") + "/heicbench.sqlite")
    #expect(try database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM run") } == 1)
  }

  @Test("Removing or replacing a store in use ends the run")
  func vanished() throws {
    let store = try ResultStore(folder: path("s"))
    try store.begin(StoreFixture.manifest(), images: [StoreFixture.image("a.png")])
    try FileManager.default.removeItem(atPath: path("s") + "/heicbench.sqlite")
    #expect(throws: StoreError.vanished(path: path("s") + "/heicbench.sqlite")) {
      try store.append(StoreFixture.point(StoreFixture.key(StoreFixture.image("a.png"))))
    }
  }

  @Test("Removing the lock's file does not unlock the store")
  func lock() throws {
    let store = try ResultStore(folder: path("s"))
    try FileManager.default.removeItem(atPath: path("s") + "/.heicbench.lock")
    let error = #expect(throws: StoreError.self) { _ = try ResultStore(folder: path("s")) }
    #expect(error?.description.contains("in use by another heicbench") == true)
    _ = store
  }

  @Test("A FIFO or a link in place of the store is in the way at once", arguments: [false, true])
  func irregular(isLink: Bool) throws {
    try make("other", images: ["a.png"])
    try FileManager.default.createDirectory(atPath: path("s"), withIntermediateDirectories: true)
    let name = path("s") + "/heicbench.sqlite"
    if isLink {
      try FileManager.default.createSymbolicLink(
        atPath: name, withDestinationPath: path("other") + "/heicbench.sqlite")
    } else {
      #expect(mkfifo(name, 0o644) == 0)
    }
    for open in [{ _ = try ResultStore(folder: $0) }, { _ = try ResultStore(reading: $0) }] {
      let error = #expect(throws: StoreError.self) { try open(path("s")) }
      #expect(error?.description.contains("is in the way") == true)
    }
  }

  @Test("A FIFO in place of a measurements.csv is an error at once")
  func csv() throws {
    #expect(mkfifo(path("m.csv"), 0o644) == 0)
    #expect(throws: CSVError.self) { try MeasurementsCSV.rows(ofFile: path("m.csv"), metrics: []) }
  }
}
