import Model
import TestSupport
import Testing

@testable import Store

/// What goes in comes out again, field by field, even if the store was closed in between.
struct ResultStoreRecordTests {
  private let image = StoreFixture.image("folder/a “b”.png")

  @Test(arguments: [
    StoreFixture.measurement(),
    StoreFixture.measurement(scores: ["psnr-y": .infinity, "weird id; DROP TABLE point": -1e-300]),
    StoreFixture.measurement(scores: [:], repeats: [8, 3, 5], conditions: .single),
    StoreFixture.measurement(repeats: []),
    StoreFixture.measurement(repeats: [Int64.max / 1_000_000, 0, 1]),
  ])
  func keepsEveryFieldOfAMeasurement(_ measurement: Figures) throws {
    let folder = try TemporaryFolder()
    var measurement = measurement
    measurement.repeatsAgree = false
    measurement.remarks = ["warnings while decoding: 2", "odd \u{0} text"]
    let key = StoreFixture.key(image, StoreFixture.heic)
    try ResultStore(folder: folder.path).append(StoreFixture.point(key, measurement))
    for store in [try ResultStore(folder: folder.path), try ResultStore(reading: folder.path)] {
      let row = try #require(try store.row(of: key))
      #expect(row.nativeQuality == 30 && row.encodedBytes == 4_000 && row.repeatsAgree == false)
      #expect(row.conditions == measurement.timing.conditions)
      #expect(row.repeats == measurement.timing.encode.count)
      for call in TimedCall.of(TimedOperation.allCases) {
        let times = measurement.timing[call.operation].map { $0[call.clock] }
        #expect(row.times[call] == ResultRow.Timing(nanoseconds: times))
      }
      #expect(row.figures[.peakMemory] == 3 && row.scores == measurement.scores)
      #expect(row.error == "warnings while decoding: 2; odd \u{0} text")
      let point = try store.points(of: image, preparation: key.preparation)[key]?.figures
      #expect(point?.encodedHash == measurement.encodedHash && point?.encodedBytes == 4_000)
      #expect(point?.scores == measurement.scores)
    }
  }

  @Test func keepsAnImageWithoutAHeaderOrAHash() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    let full = StoreFixture.record(of: image)
    let broken = ImageRecord(
      identity: ImageIdentity(name: "b.png", contentHash: ""), preparation: full.preparation, fileBytes: 0,
      problem: Failure(kind: .source, message: "cannot be read"))
    try store.begin(StoreFixture.manifest(), images: [image, broken.identity])
    try store.append(.image(full))
    try store.append(StoreFixture.point(StoreFixture.key(image)))
    try store.append(.image(broken))
    let rows = try store.latestRows()
    #expect(rows.map(\.image) == [image.name, "b.png"] && rows.map(\.imageHash) == [image.contentHash, nil])
    #expect([rows[0].width, rows[0].sourceBytes] == [full.preparedWidth, full.fileBytes])
    #expect(rows[1].width == nil && rows[1].sourceBytes == 0 && rows[1].error == "cannot be read")
  }

  @Test func keepsManifestsAndRunsInOrder() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    #expect(try store.latestRun() == nil)
    let first = StoreFixture.manifest(metrics: ["ssim"], target: "ssimulacra2=80", shard: "3/16")
    let a = try store.begin(first, images: [image])
    try store.finish(a, at: "2026-01-02T04:00:00Z")
    let b = try store.begin(StoreFixture.manifest(), images: [image])
    let runs = try ResultStore(reading: folder.path).runs()
    #expect(runs.map(\.id) == [a, b])
    #expect(runs.map(\.finished) == ["2026-01-02T04:00:00Z", nil])
    #expect(runs.map(\.manifest) == [first, StoreFixture.manifest()])
    #expect(try store.latestRun() == runs.last)
    #expect(try store.manifest(a) == first)
  }

  @Test func listsFailuresOfPointsAndImages() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    let broken = StoreFixture.image("broken.png")
    let run = try store.begin(StoreFixture.manifest(), images: [broken, image])
    let crash = Failure(kind: .crash, message: "killed by SIGSEGV")
    let problem = Failure(kind: .source, message: "no image data")
    try store.append(.image(StoreFixture.record(of: image)))
    try store.append(.image(StoreFixture.record(of: broken, problem: problem)))
    try store.append(.point(CaseRecord(key: StoreFixture.key(image), outcome: .failed(crash))))
    try store.append(
      .point(CaseRecord(key: StoreFixture.key(image, StoreFixture.heic), outcome: .unsupported("too small")))
    )
    let failures = try store.failures(of: run)
    #expect(failures.map(\.image) == [broken, image])
    #expect(failures.map(\.key) == [nil, StoreFixture.key(image)])
    #expect(failures.map(\.failure) == [problem, crash])
    #expect(try store.latestRows().map(\.error) == ["no image data", "killed by SIGSEGV", "too small"])
    #expect(try store.latestRows().map(\.status) == [.failed, .failed, .unsupported])
    // Measured under another limit: the image's problem is gone, but a failure beside it remains.
    try store.append(StoreFixture.point(StoreFixture.key(broken)))
    #expect(try store.failures(of: run).map(\.failure) == [crash])
  }

  /// As after a run with a smaller --max-pixels.
  @Test func keepsWhatIsKnownOfAnImageThatAnotherLimitRefuses() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    let (missing, broken) = (StoreFixture.image("b.png"), StoreFixture.image("c.png"))
    let run = try store.begin(StoreFixture.manifest(), images: [image, missing, broken])
    try store.append(.image(StoreFixture.record(of: image)))
    for variant in [StoreFixture.jpeg, StoreFixture.heic] {
      for quality in [300, 900] {
        try store.append(StoreFixture.point(StoreFixture.key(image, variant, quality)))
      }
    }
    let rows = try store.latestRows()
    let problem = Failure(kind: .limit, message: "too many pixels")
    for image in [image, broken] {
      try store.append(
        .image(
          ImageRecord(
            identity: image, preparation: Preparation().canonicalSpelling, fileBytes: 12_345,
            problem: problem)))
    }
    let failed = CaseRecord(key: StoreFixture.key(broken), outcome: .failed(problem))
    try store.append(.point(failed))
    #expect(try Array(store.latestRows().prefix(4)) == rows && rows.allSatisfy { $0.width == 30 })
    let progress = try #require(try store.progress(of: run))
    #expect(progress.planned == 8 && progress.done == 4 && progress.images == 2)
    // A record without a problem replaces everything.
    var other = StoreFixture.record(of: image)
    (other.profile, other.steps) = (nil, [])
    try store.append(.image(other))
    #expect(try store.latestRows().first?.remarks == [])
  }

  @Test func remembersFilesByTheirStamp() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    var stamp = FileStamp(path: [0x2f, 0xff], size: 7, modifiedNanoseconds: 9, inode: .max)
    let file = CachedFile(
      contentHash: image.contentHash, header: StoreFixture.record(of: image).header,
      problem: Failure(kind: .source, message: "broken"))
    #expect(try store.cachedFile(for: stamp) == nil)
    try store.remember(file, for: stamp)
    #expect(try store.cachedFile(for: stamp) == file)
    stamp.modifiedNanoseconds = 10
    #expect(try store.cachedFile(for: stamp) == nil)
    try store.remember(CachedFile(contentHash: "x", header: nil), for: stamp)
    #expect(try store.cachedFile(for: stamp)?.contentHash == "x")
  }
}
