import GRDB
import Model
import Pixels
import TestSupport
import Testing

@testable import Store

struct ResultStoreTileTests {
  private let image = ImageIdentity(name: "a.png", contentHash: String(repeating: "ab", count: 32))
  private let question: TileScope

  init() throws {
    question = TileScope(preparation: "plain", view: try #require(PixelSize("100x80")))
  }

  private func record(
    _ tileSize: Int, _ libraries: String = "lib 1", view: String = "100x80", preparation: String = "plain",
    failure: String? = nil
  ) throws -> CaseRecord {
    let pyramid = try #require(TilePyramid(width: 200, height: 100, tileSize: tileSize, overlap: 2))
    var tiles = TiledLevels(pyramid: pyramid)
    tiles.tiles = pyramid.levels.map {
      Array(repeating: TileCost(bytes: 30, cpuNanoseconds: 7), count: $0.tileCount)
    }
    tiles.headerBytes = pyramid.levels.map { _ in 0 }
    var figures = Figures(tiles: tiles)
    figures.scores = ["ssimulacra2": 81.5, "psnr-y": 40]
    let key = Case(
      image: image, preparation: preparation,
      variant: CodecVariant(codec: "heic", settings: ["preset": "fast"]),
      quality: try #require(Quality(thousandths: 600)),
      way: .tiles(TileCut(tileSize: tileSize, overlap: 2, form: .files, view: view)), libraries: libraries)
    return CaseRecord(
      key: key,
      outcome: failure.map { .failed(Failure(kind: .crash, message: $0)) } ?? .measured(figures),
      header: ImageHeader(
        format: "png", width: 200, height: 100, bitDepth: 8, layout: .rgb, isLossy: false))
  }

  private func point(_ quality: Quality, scores: [String: Double] = ["ssimulacra2": 83]) throws -> CaseRecord
  {
    var figures = Figures(
      encodedBytes: 1000, encodedHash: String(repeating: "cd", count: 32),
      timing: TimingSeries(
        conditions: .contended, encode: [TimingSample(wallNanoseconds: 1, cpuNanoseconds: 2)],
        decode: [TimingSample(wallNanoseconds: 3, cpuNanoseconds: 4)]))
    figures.scores = scores
    return CaseRecord(key: try record(64).key.untiled(at: quality), outcome: .measured(figures))
  }

  @Test func whatWasCutIsThereAgain() throws {
    let folder = try TemporaryFolder()
    let records = [try record(64), try record(128, failure: "gone")]
    do {
      let store = try ResultStore(folder: folder.path)
      for record in records { try store.append(record) }
      try store.append(record(64, view: "10x10"))
      try store.append(record(32, preparation: "other"))
      // The same codec with other settings makes another curve.
      var other = try point(0.65)
      other.key.variant = CodecVariant(codec: "heic")
      for point in [try point(0.65), other] { try store.append(point) }
      try store.note(question)
    }
    let store = try ResultStore(folder: folder.path, options: ResultStore.Options(retryFailed: true))
    let stored = try store.tilings(question)
    #expect(try stored == records + [point(0.65)])
    #expect(try store.tileScope() == question)
    // The other viewport makes another cut, and failures are tried again.
    #expect(try store.finished(.tiles, preparation: "plain").count == 2)
    // Other libraries make other cuts, and the latest is shown.
    try store.append(record(64, "lib 2"))
    #expect(try store.tilings(question).map(\.key.libraries) == ["lib 2", "lib 1", "lib 1"])
  }

  @Test func shardsComeTogether() throws {
    let (one, two, all) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    for (folder, record) in [(one, try record(64, failure: "gone")), (two, try record(64))] {
      let store = try ResultStore(folder: folder.path)
      try store.append(record)
      try store.append(point(0.65))
      try store.note(question)
    }
    let store = try ResultStore(folder: all.path)
    for _ in 0..<2 { try store.mergeCosts([one.path, two.path]) }
    let stored = try store.tilings(question)
    #expect(try stored == [record(64), point(0.65)])
    #expect(try store.tileScope() == question)
  }

  @Test func cutsOfDeletedPicturesAreLeftOut() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    var other = try record(64)
    other.key.image = ImageIdentity(name: "b.png", contentHash: String(repeating: "ba", count: 32))
    for record in [try record(64), other] { try store.append(record) }
    // A store of an earlier version has no list.
    #expect(try store.tilings(question).count == 2)
    #expect(try store.note(pictures: ["a.png", "b.png"], of: .tiles, roots: "photos").isEmpty)
    #expect(try store.tilings(question).count == 2)
    #expect(try store.note(pictures: ["a.png"], of: .tiles, roots: "photos") == ["b.png"])
    #expect(try store.tilings(question) == [record(64)])
  }

  /// A folder with one cut, changed by SQL.
  private func folder(changedBy change: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try ResultStore(folder: folder.path).append(record(64))
    try DatabaseQueue(path: folder.path + "/heicbench.sqlite").write { db in
      try db.execute(sql: "UPDATE result " + change)
    }
    return folder
  }

  @Test(arguments: [
    "replace(detail, '\"bytes\":30', '\"bytes\":9223372036854775807')",
    "json_set(detail, '$.figures.tiles.headerBytes', json('[]'))",
  ])
  func tilesOfAStrangerAreLookedAtByReportsToo(detail: String) throws {
    let folder = try folder(changedBy: "SET detail = " + detail)
    #expect(throws: StoreError.self) { try ResultStore(reading: folder.path).tilings(question) }
  }

  @Test(arguments: [
    "SET detail = replace(detail, '\"width\":200', '\"width\":-200')",
    "SET detail = replace(detail, '\"tileSize\":64', '\"tileSize\":0')",
    "SET detail = replace(detail, '\"bytes\":30', '\"bytes\":9223372036854775807')",
    "SET way = 'tiles 64+2 files'", "SET sequence = NULL", "SET detail = NULL", "SET status = 2",
    "SET detail = '{}'",
  ])
  func tilesOfAStrangerAreLookedAt(change: String) throws {
    let folder = try folder(changedBy: change)
    #expect(throws: StoreError.self) { try ResultStore(folder: folder.path) }
  }
}
