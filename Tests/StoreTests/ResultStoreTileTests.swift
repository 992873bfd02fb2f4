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
    _ tileSize: Int, _ libraries: String = "lib 1", view: String = "100x80", preparation: String = "plain",
    failure: String? = nil
  ) throws -> CaseRecord {
    let pyramid = try #require(TilePyramid(width: 200, height: 100, tileSize: tileSize))
    var figures = TilingMeasurement(
      pyramid: pyramid, whole: WholeFigures(bytes: 900, encodeNanoseconds: 5, decodeNanoseconds: 6))
    figures.tiles = pyramid.levels.map {
      Array(repeating: TileCost(bytes: 30, cpuNanoseconds: 7), count: $0.tileCount)
    }
    figures.headerBytes = pyramid.levels.map { _ in 0 }
    figures.ssimulacra2 = 81.5
    let key = Case(
      image: image, preparation: preparation,
      variant: CodecVariant(codec: "heic", settings: ["preset": "fast"]),
      quality: try #require(Quality(thousandths: 600)),
      way: .tiles(TileCut(tileSize: tileSize, overlap: 2, form: .files, view: view)), libraries: libraries)
    figures.pyramid = try #require(
      TilePyramid(width: 200, height: 100, tileSize: tileSize, overlap: key.cut.overlap))
    return CaseRecord(
      key: key,
      outcome: failure.map { .failed(Failure(kind: .crash, message: $0)) }
        ?? .measured(Figures(tiles: figures)),
      header: ImageHeader(
        format: "png", width: 200, height: 100, bitDepth: 8, layout: .rgb, isLossy: false))
  }

  private var point: CaseRecord {
    get throws {
      CaseRecord(
        key: Case(
          image: image, preparation: "plain", variant: CodecVariant(codec: "heic"),
          quality: try #require(Quality(thousandths: 650)), way: .whole, libraries: "lib 1"),
        outcome: .measured(Figures(whole: 1000, ssimulacra2: 83)))
    }
  }

  @Test func whatWasCutIsThereAgain() throws {
    let folder = try TemporaryFolder()
    let records = [try record(64), try record(128, failure: "gone")]
    do {
      let store = try ResultStore(folder: folder.path)
      for record in records { try store.append(record) }
      try store.append(record(64, view: "10x10"))
      try store.append(record(32, preparation: "other"))
      try store.append(point)
      try store.note(question)
    }
    let store = try ResultStore(folder: folder.path, options: ResultStore.Options(retryFailed: true))
    let stored = try store.tilings(question)
    #expect(try stored == records + [point])
    #expect(try store.tileQuestion() == question)
    // The other viewport is another cut; what failed is tried again.
    #expect(try store.finished(.tiles, preparation: "plain").count == 2)
    // Other libraries are other cuts, of which the latest is shown.
    try store.append(record(64, "lib 2"))
    #expect(try store.tilings(question).map(\.key.libraries) == ["lib 2", "lib 1", "lib 1"])
  }

  @Test func shardsComeTogether() throws {
    let (one, two, all) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    for (folder, record) in [(one, try record(64, failure: "gone")), (two, try record(64))] {
      let store = try ResultStore(folder: folder.path)
      try store.append(record)
      try store.append(point)
      try store.note(question)
    }
    let store = try ResultStore(folder: all.path)
    for _ in 0..<2 { try store.mergeCosts([one.path, two.path]) }
    let stored = try store.tilings(question)
    #expect(try stored == [record(64), point])
    #expect(try store.tileQuestion() == question)
  }

  @Test(arguments: [
    "SET detail = replace(detail, '\"width\":200', '\"width\":-200')",
    "SET detail = replace(detail, '\"tileSize\":64', '\"tileSize\":0')",
    "SET detail = replace(detail, '\"bytes\":30', '\"bytes\":9223372036854775807')",
    "SET way = 'tiles 64+2 files'", "SET sequence = NULL", "SET detail = NULL", "SET status = 2",
    "SET detail = '{}'",
  ])
  func tilesOfAStrangerAreLookedAt(change: String) throws {
    let folder = try TemporaryFolder()
    try ResultStore(folder: folder.path).append(record(64))
    try DatabaseQueue(path: folder.path + "/heicbench.sqlite").write { db in
      try db.execute(sql: "UPDATE result " + change)
    }
    #expect(throws: StoreError.self) { try ResultStore(folder: folder.path) }
  }
}
