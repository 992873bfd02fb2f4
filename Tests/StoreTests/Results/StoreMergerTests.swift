import Foundation
import GRDB
import Model
import TestSupport
import Testing

@testable import Store

/// What is copied from one store into another, and what a refused merge leaves unchanged.
struct StoreMergerTests {
  private let folder: TemporaryFolder
  private let image = StoreFixture.image("a.png")

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  /// A store with one run over the images, and these records.
  @discardableResult
  private func store(
    _ name: String, images: [ImageIdentity]? = nil, metrics: [String] = ["psnr-y"], host: String = "host-a",
    _ records: [SweepRecord] = []
  ) throws -> ResultStore {
    let store = try ResultStore(folder: path(name))
    let manifest = StoreFixture.manifest(
      variants: [StoreFixture.jpeg], qualities: [300], metrics: metrics, host: host)
    let run = try store.begin(manifest, images: images ?? [image])
    for record in records { try store.append(record) }
    try store.finish(run, at: "2026-01-02T05:00:00Z")
    return store
  }

  private func point(
    _ thousandths: Int = 300, bytes: Int = 4_000, scores: [String: Double] = ["psnr-y": 41.25]
  ) -> SweepRecord {
    StoreFixture.point(
      StoreFixture.key(image, StoreFixture.jpeg, thousandths),
      StoreFixture.measurement(bytes: bytes, scores: scores))
  }

  private func merge(_ name: String, into target: ResultStore, _ report: inout MergeReport) throws {
    _ = try StoreMerger.merge(ResultStore(reading: path(name)), into: target, &report)
  }

  @Test(
    "a file that is lossless on only one side is a contradiction, whichever side it is",
    arguments: [(Double.infinity, 41.25), (41.25, Double.infinity)])
  func losslessOnOneSide(here: Double, there: Double) throws {
    let target = try store("here", [point(scores: ["psnr-y": here])])
    try store("there", [point(scores: ["psnr-y": there])])
    let error = #expect(throws: StoreError.self) { try target.merge([path("there")]) }
    guard case .conflict(let conflict)? = error else {
      Issue.record("no conflict: \(String(describing: error))")
      return
    }
    #expect(conflict.quantity == "psnr-y" && conflict.sides.map(\.value) == ["\(here)", "\(there)"])
  }

  @Test func afterARefusalTheStoreMergesAsBefore() throws {
    let target = try store("here", [point()])
    try store("good", [point(600)])
    try store("other", [point(900), point(bytes: 9)])
    var report = MergeReport(run: RunID(rawValue: 0))
    try merge("good", into: target, &report)
    let before = report
    #expect(throws: StoreError.self) { try merge("other", into: target, &report) }
    #expect(report == before, "nothing was counted")
    #expect(try target.row(of: StoreFixture.key(image, StoreFixture.jpeg, 900)) == nil)
    // Neither the other store's file nor the tables of numbers are left behind.
    let left = try target.read { db in
      try String.fetchAll(db, sql: "SELECT name FROM temp.sqlite_master")
        + String.fetchAll(db, sql: "SELECT name FROM pragma_database_list WHERE name = 'shard'")
    }
    #expect(left.isEmpty)
    try merge("good", into: target, &report)
    #expect(report.added == 1 && report.present == 1)
  }

  @Test("stores before a damaged one are merged, and the rest once it is intact again")
  func damagedAmongOthers() throws {
    let target = try store("here", [point()])
    try store("good", [point(600)])
    let bad = try store("bad", [point(900)])
    try bad.database.write { try $0.execute(sql: "UPDATE result SET bytes = -5") }
    let stores = [path("good"), path("bad")]
    #expect(throws: StoreError.self) { try target.merge(stores) }
    for (quality, isThere) in [(600, true), (900, false)] {
      #expect(try (target.row(of: StoreFixture.key(image, StoreFixture.jpeg, quality)) != nil) == isThere)
    }
    try bad.database.write { try $0.execute(sql: "UPDATE result SET bytes = 4000") }
    let report = try target.merge(stores)
    #expect(report.added == 1 && report.present == 1)
  }

  @Test("a metric is found by name, whatever its number in either store") func numbersOfMetrics()
    throws
  {
    let target = try store("here", metrics: ["a", "b"], [point(scores: ["a": 1, "b": 2])])
    try store("there", metrics: ["c", "b", "a"], [point(600, scores: ["c": 30, "b": 20, "a": 10])])
    try target.merge([path("there")])
    func scores(_ thousandths: Int) throws -> [String: Double]? {
      try target.row(of: StoreFixture.key(image, StoreFixture.jpeg, thousandths))?.scores
    }
    #expect(try scores(300) == ["a": 1, "b": 2])
    #expect(try scores(600) == ["a": 10, "b": 20, "c": 30])
  }

  private func read(_ libraries: String) -> CaseRecord {
    var figures = Figures(format: "png", fileBytes: 9, width: 2, height: 2, touchedBytes: 9)
    (figures[.decodedWidth], figures[.decodedHeight]) = (2, 2)
    (figures[.deliveredWidth], figures[.deliveredHeight]) = (2, 2)
    figures.timing.decode = [TimingSample(wallNanoseconds: 2, cpuNanoseconds: 1)]
    return CaseRecord(
      key: Case(
        image: image, encoding: nil, format: "png", route: .full, wanted: .all, libraries: libraries),
      outcome: .measured(figures))
  }

  @Test("among reads by several libraries, the last one of the last store counts")
  func sequences() throws {
    let target = try store("here")
    try target.append(read("lib 3"))
    let source = try store("there")
    for libraries in ["lib 2", "lib 1"] { try source.append(read(libraries)) }
    let report = try target.merge([path("there")])
    #expect(report.added == 0 && report.present == 0, "reads are not points")
    #expect(try target.reads().map(\.key.libraries) == ["lib 1"])
    try target.append(read("lib 4"))
    try target.merge([path("there")])
    #expect(try target.reads().map(\.key.libraries) == ["lib 4"], "earlier merges add nothing new")
  }

  @Test func onlyTheLatestRunsImagesAreShown() throws {
    let target = try store("here", images: [StoreFixture.image("z.png")])
    let source = try store("there", images: [image, StoreFixture.image("old.png")], [point()])
    try source.begin(
      StoreFixture.manifest(variants: [StoreFixture.jpeg], qualities: [300], started: "2026-02-02T00:00:00Z"),
      images: [StoreFixture.image("new.png")])
    let report = try target.merge([path("there")])
    #expect(report.images == 2 && report.added == 1)
    let latest = try #require(try target.latestRun())
    let names = try target.read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT i.name FROM list_image l JOIN image i ON i.id = l.image
          WHERE l.list = (SELECT list FROM run WHERE id = ?) ORDER BY l.position
          """, arguments: [latest.id.rawValue])
    }
    #expect(names == ["new.png", "z.png"])
    // The earlier run's point is there again if its image is.
    #expect(try target.row(of: StoreFixture.key(image)) != nil)
  }

  @Test func timesTakenAloneStayWhereThereAreSome() throws {
    func alone(_ milliseconds: Int64) -> SweepRecord {
      .timing(StoreFixture.key(image), StoreFixture.timing(.exclusive, [milliseconds]))
    }
    let target = try store("here", host: "host-a", [point(), alone(30)])
    try store("there", host: "host-b", [point(), alone(7)])
    try target.merge([path("there")])
    let row = try #require(try target.latestRows().first)
    #expect(row[.encode, .wall]?.median == 30 && row.timesOrigin?.host == "host-a")
  }

  @Test func aFailureNeverTakesTheReasonOfAnother() throws {
    func failed(_ message: String) -> SweepRecord {
      let failure = Failure(kind: .codec, message: message)
      return .point(CaseRecord(key: StoreFixture.key(image), outcome: .failed(failure)))
    }
    let target = try store("here", [failed("mine")])
    try store("there", [failed("theirs")])
    let report = try target.merge([path("there")])
    #expect(report.present == 1 && report.improved == 0)
    #expect(try target.latestRows().first?.error == "mine")
  }

  @Test(
    "a folder's name may have a meaning in SQL or in a URI", arguments: ["it's", "a?mode=ro%41"])
  func namesOfFolders(name: String) throws {
    let target = try store("here")
    try store(name, [point()])
    #expect(try target.merge([path(name)]).added == 1)
  }
}
