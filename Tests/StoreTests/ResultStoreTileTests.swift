import GRDB
import Model
import Pixels
import TestSupport
import Testing

@testable import Store

struct ResultStoreTileTests {
  private let image = ImageIdentity(name: "a.png", contentHash: String(repeating: "ab", count: 32))
  private let question: TileQuestion

  init() throws {
    question = TileQuestion(preparation: "plain", view: try #require(TileView("100x80")))
  }

  private func record(
    _ tileSize: Int, _ libraries: String = "lib 1", view: String = "100x80", failure: String? = nil
  ) throws -> TilingRecord {
    let pyramid = try #require(TilePyramid(width: 200, height: 100, tileSize: tileSize))
    var figures = TilingMeasurement(
      pyramid: pyramid, whole: WholeFigures(bytes: 900, encodeNanoseconds: 5, decodeNanoseconds: 6))
    figures.tiles = pyramid.levels.map {
      Array(repeating: TileCost(bytes: 30, cpuNanoseconds: 7), count: $0.tileCount)
    }
    figures.headerBytes = pyramid.levels.map { _ in 0 }
    figures.ssimulacra2 = 81.5
    let key = TilingKey(
      image: image, variant: CodecVariant(codec: "heic", settings: ["preset": "fast"]),
      quality: try #require(Quality(thousandths: 600)), tileSize: tileSize, overlap: 2, form: .files,
      view: view, libraries: libraries)
    figures.pyramid = try #require(
      TilePyramid(width: 200, height: 100, tileSize: tileSize, overlap: key.overlap))
    return TilingRecord(
      key: key,
      outcome: failure.map { .failed(Failure(kind: .crash, message: $0)) } ?? .measured(figures),
      header: ImageHeader(
        format: "png", width: 200, height: 100, bitDepth: 8, layout: .rgb, isLossy: false), downscale: 1)
  }

  private var point: WholePoint {
    get throws {
      WholePoint(
        image: image, variant: CodecVariant(codec: "heic"),
        quality: try #require(Quality(thousandths: 650)), bytes: 1000, ssimulacra2: 83, libraries: "lib 1")
    }
  }

  @Test func whatWasCutIsThereAgain() throws {
    let folder = try TemporaryFolder()
    let records = [try record(64), try record(128, failure: "gone")]
    do {
      let store = try ResultStore(folder: folder.path)
      for record in records { try store.append(record, preparation: "plain") }
      try store.append(try record(64, view: "10x10"), preparation: "plain")
      try store.append(try record(32), preparation: "other")
      try store.append(try point, preparation: "plain")
      try store.note(question)
    }
    let store = try ResultStore(folder: folder.path, options: ResultStore.Options(retryFailed: true))
    let stored = try store.tilings(question)
    #expect(try stored.records == records && stored.points == [point])
    #expect(try store.tileQuestion() == question)
    // The other viewport is another cut; what failed is tried again.
    #expect(try store.finishedTilings(preparation: "plain").count == 2)
    // Other libraries are other cuts, of which the latest is shown.
    try store.append(try record(64, "lib 2"), preparation: "plain")
    #expect(try store.tilings(question).records.map(\.key.libraries) == ["lib 2", "lib 1"])
  }

  @Test func shardsComeTogether() throws {
    let (one, two, all) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    for (folder, record) in [(one, try record(64, failure: "gone")), (two, try record(64))] {
      let store = try ResultStore(folder: folder.path)
      try store.append(record, preparation: "plain")
      try store.append(try point, preparation: "plain")
      try store.note(question)
    }
    let store = try ResultStore(folder: all.path)
    for _ in 0..<2 { try store.mergeCosts([one.path, two.path]) }
    let stored = try store.tilings(question)
    #expect(try stored.records == [record(64)] && stored.points == [point])
    #expect(try store.tileQuestion() == question)
  }

  @Test(arguments: [
    "SET outcome = replace(outcome, '\"width\":200', '\"width\":-200')",
    "SET outcome = replace(outcome, '\"tileSize\":64', '\"tileSize\":0')",
    "SET outcome = replace(outcome, '\"bytes\":30', '\"bytes\":9223372036854775807')",
    "SET cut = '64+2 files'", "SET status = 2", "SET outcome = '{}'",
  ])
  func tilesOfAStrangerAreLookedAt(change: String) throws {
    let folder = try TemporaryFolder()
    try ResultStore(folder: folder.path).append(try record(64), preparation: "plain")
    try DatabaseQueue(path: folder.path + "/heicbench.sqlite").write { db in
      try db.execute(sql: "UPDATE tiling " + change)
    }
    #expect(throws: StoreError.self) { try ResultStore(folder: folder.path) }
  }
}
