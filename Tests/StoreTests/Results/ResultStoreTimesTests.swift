import GRDB
import Model
import TestSupport
import Testing

@testable import Store

/// Times belong to the machine and the jobs with which they were measured, and stored points to their images.
struct ResultStoreTimesTests {
  private let folder: TemporaryFolder
  private let image = StoreFixture.image("a.png")

  init() throws { folder = try TemporaryFolder() }

  private func measure(
    _ records: [SweepRecord], _ manifest: RunManifest, options: ResultStore.Options = .init()
  ) throws {
    let store = try ResultStore(folder: folder.path, options: options)
    let run = try store.begin(manifest, images: [image])
    for record in records { try store.append(record) }
    try store.note(drift: 41.4, of: run)
  }

  private func exclusive(_ milliseconds: [Int64]) -> SweepRecord {
    .timing(
      StoreFixture.key(image), StoreFixture.timing(.exclusive, milliseconds))
  }

  @Test func timesOfAnotherHostAreLeftOutAndNamed() throws {
    try measure(
      [StoreFixture.point(StoreFixture.key(image)), exclusive([30])], StoreFixture.manifest(host: "slowbox"))
    try measure([], StoreFixture.manifest(host: "here"))
    let store = try ResultStore(reading: folder.path)
    let row = try #require(try store.latestRows().first)
    #expect(row.encodedBytes == 4_000 && row.scores == ["psnr-y": 41.25], "sizes and scores stay")
    #expect(
      row[.encode, .cpu] == nil && row[.decode, .wall] == nil && row.conditions == nil && row.repeats == nil)
    #expect(row.foreignHost == "slowbox")
    let run = try #require(try store.latestRun())
    #expect(
      try store.qualitySummaries(of: run.id).first?.millisecondsPerMegapixel[TimedCall(.encode, .cpu)] == nil)
  }

  @Test func jobsAreThoseOfTheRunThatTimed() throws {
    var one = StoreFixture.manifest()
    one.jobs = 1
    try measure([StoreFixture.point(StoreFixture.key(image))], one)
    try measure([StoreFixture.point(StoreFixture.key(image, StoreFixture.heic))], StoreFixture.manifest())
    let rows = try ResultStore(reading: folder.path).latestRows()
    #expect(rows.map(\.timesOrigin?.jobs) == [1, 2])
    #expect(rows.map(\.timesOrigin?.host) == ["host-a", "host-a"])
    #expect(rows.map(\.timesOrigin?.processor) == ["P", "P"])
  }

  @Test func totalsHaveTheTimesOfTheExclusivePass() throws {
    try measure(
      [
        .image(StoreFixture.record(of: image)), StoreFixture.point(StoreFixture.key(image)),
        exclusive([35, 30, 31]),
      ], StoreFixture.manifest())
    let store = try ResultStore(reading: folder.path)
    let (row, run) = (try #require(try store.latestRows().first), try #require(try store.latestRun()))
    let summary = try #require(try store.qualitySummaries(of: run.id).first)
    for operation in TimedOperation.allCases {
      let own = try #require(row[operation, .cpu]).median / (Double(summary.totalPixels) / 1e6)
      let total = try #require(summary.millisecondsPerMegapixel[TimedCall(operation, .cpu)])
      #expect(row.conditions == .exclusive && abs(total / own - 1) < 1e-6)
    }
  }

  @Test func freshForgetsExclusiveTimes() throws {
    let manifest = StoreFixture.manifest()
    try measure([StoreFixture.point(StoreFixture.key(image)), exclusive([30, 31, 32])], manifest)
    try measure(
      [StoreFixture.point(StoreFixture.key(image), StoreFixture.measurement(repeats: [9]))], manifest,
      options: .init(fresh: true))
    let row = try #require(try ResultStore(reading: folder.path).latestRows().first)
    #expect(row.conditions == .contended && row[.encode, .wall]?.median == 9)
  }

  @Test func driftSpreadAndDisturbanceAreToldFromTheStore() throws {
    let samples = [10, 14, 20].map { (milliseconds: Int64) in
      TimingSample(wallNanoseconds: milliseconds * 1_000_000, cpuNanoseconds: milliseconds * 500_000)
    }
    let timing = TimingSeries(conditions: .exclusive, encode: samples, decode: samples)
    try measure(
      [
        StoreFixture.point(StoreFixture.key(image)),
        .timing(StoreFixture.key(image), timing),
      ], StoreFixture.manifest())
    let row = try #require(try ResultStore(reading: folder.path).latestRows().first)
    #expect(row.conditions == .exclusive && row.timesOrigin?.driftPercent == 41.4)
    // A median of 14 with deviations of 4, 0 and 6; CPU times are half as long.
    #expect(row[.encode, .wall] == ResultRow.Timing(minimum: 10, median: 14, deviation: 4))
    #expect(row[.encode, .cpu]?.median == 7)
  }

  @Test func aNarrowerRunTakesNothingAway() throws {
    let keys = [300, 500, 900].map { StoreFixture.key(image, StoreFixture.jpeg, $0) }
    try measure(keys.map { StoreFixture.point($0) }, StoreFixture.manifest(qualities: [300, 500, 900]))
    let store = try ResultStore(folder: folder.path)
    let run = try store.begin(StoreFixture.manifest(qualities: [900]), images: [image])
    #expect(try store.latestRows().compactMap(\.quality?.thousandths) == [300, 500, 900])
    #expect(try store.replacement(by: run) == nil)
    try store.append(
      .point(CaseRecord(key: keys[0], outcome: .failed(Failure(kind: .crash, message: "x")))))
    #expect(try store.failures(of: run).isEmpty, "failures outside its plan do not count")
  }

  @Test func whatIsReplacedIsNamed() throws {
    try measure([StoreFixture.point(StoreFixture.key(image))], StoreFixture.manifest())
    let store = try ResultStore(folder: folder.path)
    var other = StoreFixture.manifest()
    other.roots = ["elsewhere"]
    let replaced = try store.replacement(by: store.begin(other, images: [StoreFixture.image("b.png")]))
    guard case .replaced(let path, let run, let points)? = replaced else {
      Issue.record("\(String(describing: replaced))")
      return
    }
    #expect(path == folder.path && points == 1 && run.roots == ["corpus"] && run.target == nil)
    #expect(run.variants.map(\.variant.name) == ["jpeg", "heic:chroma=444,preset=medium"])
  }

  @Test func aStoreOfTheFirstVersionIsReadAndMerged() throws {
    let old = try TemporaryFolder()
    let path = old.path + "/" + ResultStore.fileName
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: StoreFixture.firstTables) }
    try queue.write { db in
      var identifiers = StoreIdentifiers()
      let manifest = try StoredJSON.text(StoreFixture.manifest(host: "old"))
      try db.execute(
        sql: "INSERT INTO run(uid, manifest, host, list) VALUES ('u', ?, 'old', 1)", arguments: [manifest])
      let id = try identifiers.image(image, db)
      try db.execute(sql: "INSERT INTO list_image VALUES (1, 0, ?)", arguments: [id])
      try db.execute(
        sql: """
          INSERT INTO preparation VALUES (1, ?);
          INSERT INTO setup VALUES (1, 1, 'jpeg', '{}', 'libjpeg 1.0');
          INSERT INTO point(image, setup, quality, status, run, native_quality, bytes, hash, agree, conditions,
            encode_wall, encode_cpu, decode_wall, decode_cpu) VALUES (?, 1, 300, 0, 1, 30, 77, 'h', 1, 0, 9, 8, 7, 6);
          INSERT INTO timing VALUES (?, 1, 300, 2, ?);
          """,
        arguments: [
          Preparation().canonicalSpelling, id, id, StoredTiming.blob(StoreFixture.timing(.exclusive, [5])),
        ])
    }
    try queue.close()
    let rows = try ResultStore(reading: old.path).latestRows()
    #expect(rows.map(\.encodedBytes) == [77] && rows.first?.conditions == .exclusive)
    #expect(rows.first?.timesOrigin?.host == "old")
    let reopened = try DatabaseQueue(path: path)
    #expect(
      try reopened.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 1, "reading changes nothing")
    try reopened.close()
    let store = try ResultStore(folder: folder.path)
    #expect(try store.merge([old.path]).added == 1)
    #expect(try store.latestRows().map(\.encodedBytes) == [77])
  }
}
