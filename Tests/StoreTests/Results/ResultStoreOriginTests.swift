import Foundation
import GRDB
import Model
import TestSupport
import Testing

@testable import Store

@Suite struct ResultStoreOriginTests {
  private let folder: TemporaryFolder
  private let image = StoreFixture.image("a.png")
  private let preparation = Preparation().canonicalSpelling

  init() throws { folder = try TemporaryFolder() }

  private func manifest(refined: Bool, qualities: [Int] = [300, 900]) -> RunManifest {
    var manifest = StoreFixture.manifest(qualities: qualities)
    if refined { manifest.refinement = Refinement(metric: "psnr-y", targets: [40], band: 30...40) }
    return manifest
  }

  private func record(_ thousandths: Int, _ origin: PointOrigin) -> SweepRecord {
    .point(
      CaseRecord(
        key: StoreFixture.key(image, StoreFixture.jpeg, thousandths),
        outcome: .measured(StoreFixture.measurement(bytes: thousandths)), origin: origin))
  }

  @Test func refinedPointsBelongToRunsThatRefine() throws {
    let store = try ResultStore(folder: folder.path)
    try store.begin(manifest(refined: true), images: [image])
    for record in [record(300, .grid), record(600, .refined), record(900, .grid)] { try store.append(record) }
    #expect(try store.latestRows().map(\.origin) == [.grid, .refined, .grid])
    #expect(try store.latestRows().map(\.encodedBytes) == [300, 600, 900])
    let run = try #require(try store.latestRun()).id
    #expect(try store.qualitySummaries(of: run).map(\.quality.thousandths) == [300, 900])
    try store.begin(manifest(refined: false), images: [image])
    #expect(try store.latestRows().map(\.encodedBytes) == [300, 900])
    // In a later grid, it is a grid point.
    try store.begin(manifest(refined: true, qualities: [300, 600]), images: [image])
    // Another run's grid point of the same image also counts.
    #expect(try store.latestRows().map(\.origin) == [.grid, .grid, .grid])
  }

  @Test func aPointServesWhatItServedBefore() throws {
    let store = try ResultStore(folder: folder.path)
    try store.begin(manifest(refined: true), images: [image])
    try store.append(record(600, .grid))
    let key = StoreFixture.key(image, StoreFixture.jpeg, 600)
    let finished = {
      try #require(try store.finished(image, preparation: preparation, metric: "psnr-y")[key])
    }
    #expect(try finished() == FinishedPoint(bytes: 600, score: 41.25))
    try store.append(.reuse(key, .refined))
    #expect(try finished().origins == [.refined])
    try store.append(record(600, .searched))
    #expect(try finished().origins == [.refined, .searched])
    #expect(try store.finished(image, preparation: preparation, metric: "other")[key]?.score == nil)
  }

  @Test("A store of the first version is read without changing it, and updated by the next run")
  func olderStoresOpen() throws {
    let path = folder.path + "/heicbench.sqlite"
    let search = StoreFixture.manifest(target: "psnr-y=40")
    let old = try DatabaseQueue(path: path)
    try old.write { db in
      try db.execute(sql: StoreFixture.firstTables)
      try db.execute(
        sql: "INSERT INTO run(id, uid, manifest, host, list) VALUES (1, 'u', ?, 'h', 1)",
        arguments: [try StoredJSON.text(search)])
      try db.execute(
        sql: """
          INSERT INTO point(image, setup, quality, status, run, message)
          VALUES (1, 1, 400, 1, 1, 'no'), (1, 1, 500, 1, NULL, 'no')
          """)
    }
    try old.close()
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(try ResultStore(reading: folder.path).latestRun()?.manifest == search)
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
    _ = try ResultStore(folder: folder.path)
    let now = try DatabaseQueue(path: path)
    let origins = try now.read { try Int.fetchAll($0, sql: "SELECT origin FROM result ORDER BY quality") }
    #expect(origins == [2, 0], "a merged point has no run, and no search")
  }
}
