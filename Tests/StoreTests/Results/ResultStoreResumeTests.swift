import Model
import Pixels
import TestSupport
import Testing

@testable import Store

/// Which points the next run does not need to measure.
struct ResultStoreResumeTests {
  private let folder: TemporaryFolder
  private let image = StoreFixture.image("a.png")
  private let preparation = Preparation().canonicalSpelling

  init() throws { folder = try TemporaryFolder() }

  private func finished(
    _ manifest: RunManifest = StoreFixture.manifest(), options: ResultStore.Options = .init()
  ) throws -> Set<Case> {
    let store = try ResultStore(folder: folder.path, options: options)
    try store.begin(manifest, images: [image])
    return Set(try store.finished(image, preparation: preparation, metric: nil).keys)
  }

  private func measure(_ records: [SweepRecord], in manifest: RunManifest = StoreFixture.manifest()) throws {
    let store = try ResultStore(folder: folder.path)
    try store.begin(manifest, images: [image])
    for record in records { try store.append(record) }
  }

  @Test func countsMeasuredUnsupportedAndFailedPoints() throws {
    let keys = [
      StoreFixture.key(image), StoreFixture.key(image, StoreFixture.heic),
      StoreFixture.key(image, .jpegAt444),
    ]
    try measure([
      StoreFixture.point(keys[0]), .point(CaseRecord(key: keys[1], outcome: .unsupported("no"))),
      .point(CaseRecord(key: keys[2], outcome: .failed(Failure(kind: .crash, message: "x")))),
    ])
    #expect(try finished() == Set(keys))
    #expect(try finished(options: .init(retryFailed: true)) == Set(keys.prefix(2)))
  }

  @Test func filesPointsUnderContentPreparationAndLibraries() throws {
    try measure([StoreFixture.point(StoreFixture.key(image))])
    let store = try ResultStore(folder: folder.path)
    #expect(
      try store.finished(StoreFixture.image("a.png", "edited"), preparation: preparation, metric: nil).isEmpty
    )
    #expect(
      try store.finished(image, preparation: Preparation(downscale: 2).canonicalSpelling, metric: nil).isEmpty
    )
    #expect(
      try store.finished(image, preparation: preparation, metric: nil)[
        StoreFixture.key(image, libraries: "2.0")] == nil)
  }

  @Test func measuresAgainWhereAMetricIsMissing() throws {
    try measure([StoreFixture.point(StoreFixture.key(image))])
    #expect(try finished(StoreFixture.manifest(metrics: [])).count == 1)
    #expect(try finished(StoreFixture.manifest(metrics: ["psnr-y", "ssim"])).isEmpty)
  }

  /// A run with a program of this digest as its metric.
  private func manifest(program digest: String?) -> RunManifest {
    var manifest = StoreFixture.manifest(metrics: ["mine"])
    manifest.metricPrograms = digest.map { ["mine": $0] }
    return manifest
  }

  @Test("scores by another command or program belong to another metric")
  func programs() throws {
    let key = StoreFixture.key(image)
    try measure(
      [StoreFixture.point(key, StoreFixture.measurement(scores: ["mine": 7]))], in: manifest(program: "a1"))
    #expect(try finished(manifest(program: "a1")).count == 1)
    #expect(try ResultStore(reading: folder.path).latestRows().map(\.scores) == [["mine": 7]])
    #expect(try finished(manifest(program: "b2")).isEmpty)
    #expect(try ResultStore(reading: folder.path).latestRows().map(\.scores) == [[:]])
    do {
      let store = try ResultStore(folder: folder.path)
      try store.begin(manifest(program: "b2"), images: [image])
      #expect(try store.row(of: key)?.scores == [:])
      try store.append(StoreFixture.point(key, StoreFixture.measurement(scores: ["mine": 9])))
      #expect(try store.row(of: key)?.scores == ["mine": 9])
      #expect(try store.latestRows().map(\.scores) == [["mine": 9]])
    }
    // 0.1.0 did not record which program its scores came from.
    #expect(try finished(manifest(program: nil)).isEmpty)
  }

  @Test("a failed score counts as a failure, and is tried again with other failures")
  func failedScores() throws {
    let key = StoreFixture.key(image)
    var measurement = StoreFixture.measurement(scores: [:])
    measurement.failedScores = ["mine": "ended with status 1"]
    let manifest = manifest(program: "a1")
    try measure([StoreFixture.point(key, measurement)], in: manifest)
    let store = try ResultStore(reading: folder.path)
    let run = try #require(try store.latestRun())
    #expect(
      try store.failures(of: run.id).map(\.failure) == [
        Failure(kind: .metric, message: "mine ended with status 1")
      ])
    #expect(try store.latestRows().map(\.error) == ["mine ended with status 1"])
    #expect(try finished(manifest).count == 1)
    #expect(try finished(manifest, options: .init(retryFailed: true)).isEmpty)
    // A run without the metric has nothing to try again.
    #expect(try finished(StoreFixture.manifest(metrics: []), options: .init(retryFailed: true)).count == 1)
    let later = try ResultStore(reading: folder.path)
    #expect(try later.failures(of: try #require(try later.latestRun()).id).isEmpty)
  }

  @Test func doesNotMeasureForeverWhereAMetricIsUndefined() throws {
    let both = StoreFixture.manifest(metrics: ["psnr-y", "ms-ssim"])
    try measure([StoreFixture.point(StoreFixture.key(image))], in: both)
    #expect(try finished(both).count == 1)
  }

  @Test func measuresAgainForMoreRepeats() throws {
    try measure([StoreFixture.point(StoreFixture.key(image))], in: StoreFixture.manifest(repeats: 3))
    #expect(try finished(StoreFixture.manifest(repeats: 2)).count == 1)
    #expect(try finished(StoreFixture.manifest(repeats: 5)).isEmpty)
  }

  @Test func freshMeasuresAgainAndKeepsTheOldUntilThen() throws {
    let old = [StoreFixture.key(image), StoreFixture.key(image, StoreFixture.heic)]
    try measure(old.map { StoreFixture.point($0) })
    let store = try ResultStore(folder: folder.path, options: .init(fresh: true))
    try store.begin(StoreFixture.manifest(), images: [image])
    #expect(try store.finished(image, preparation: preparation, metric: nil).isEmpty)
    try store.append(StoreFixture.point(old[0], StoreFixture.measurement(bytes: 99)))
    #expect(try store.finished(image, preparation: preparation, metric: nil).keys.first == old[0])
    #expect(try store.latestRows().map(\.encodedBytes) == [99, 4_000])
  }

  @Test("what a fresh run has begun to replace counts neither in reports nor as finished, at any quality")
  func freshReplacesOtherQualities() throws {
    let other = StoreFixture.image("b.png")
    func begin(_ qualities: [Int], options: ResultStore.Options = .init()) throws -> ResultStore {
      let store = try ResultStore(folder: folder.path, options: options)
      let manifest = StoreFixture.manifest(variants: [StoreFixture.jpeg], qualities: qualities)
      try store.begin(manifest, images: [image, other])
      return store
    }
    func append(_ image: ImageIdentity, _ quality: Int, to store: ResultStore) throws {
      try store.append(StoreFixture.point(StoreFixture.key(image, StoreFixture.jpeg, quality)))
    }
    func rows(_ store: ResultStore) throws -> [String] {
      try store.latestRows().map { "\($0.image) \($0.quality?.thousandths ?? 0)" }
    }
    do {
      let store = try begin([300, 600])
      for image in [image, other] { for quality in [300, 600] { try append(image, quality, to: store) } }
    }
    let left = ["a.png 300", "b.png 300", "b.png 600"]
    do {
      let store = try begin([300], options: .init(fresh: true))
      #expect(try rows(store) == ["a.png 300", "a.png 600", "b.png 300", "b.png 600"])
      try append(image, 300, to: store)
      #expect(try rows(store) == left)
    }
    let store = try begin([300])
    #expect(try rows(store) == left)
    let keys = Set(try store.finished(image, preparation: preparation, metric: nil).keys)
    #expect(keys == [StoreFixture.key(image)])
    #expect(try store.finished(other, preparation: preparation, metric: nil).keys.count == 2)
    try append(image, 600, to: store)
    #expect(try rows(store).count == 4)
  }

  @Test func takesRecordsFromManyThreads() async throws {
    let store = try ResultStore(folder: folder.path)
    let images = (0..<200).map { StoreFixture.image("\($0).png") }
    try store.begin(StoreFixture.manifest(), images: images)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for slot in 0..<4 {
        group.addTask {
          for image in images.enumerated().filter({ $0.offset % 4 == slot }).map(\.element) {
            try store.append(StoreFixture.point(StoreFixture.key(image)))
            _ = try store.finished(image, preparation: Preparation().canonicalSpelling, metric: nil)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try store.latestRows().count == 200)
  }

  @Test func fewerMetricsKeepTheOtherScoresOfTheSameFile() throws {
    let (kept, other) = (StoreFixture.key(image), StoreFixture.key(image, .jpegAt444))
    let both = ["psnr-y": 41.25, "ssim": 0.98]
    try measure(
      [kept, other].map { StoreFixture.point($0, StoreFixture.measurement(scores: both)) },
      in: StoreFixture.manifest(metrics: ["psnr-y", "ssim"]))
    try measure([
      StoreFixture.point(kept, StoreFixture.measurement(scores: ["psnr-y": 40])),
      StoreFixture.point(other, StoreFixture.measurement(bytes: 5000, scores: ["psnr-y": 40])),
    ])
    let store = try ResultStore(reading: folder.path)
    #expect(try store.row(of: kept)?.scores == ["psnr-y": 40, "ssim": 0.98])
    #expect(try store.row(of: other)?.scores == ["psnr-y": 40], "another file has its own scores")
    // A score that the run requests and does not get has failed.
    try measure(
      [StoreFixture.point(kept, StoreFixture.measurement(scores: ["psnr-y": 40]))],
      in: StoreFixture.manifest(metrics: ["psnr-y", "ssim"]))
    #expect(try ResultStore(reading: folder.path).row(of: kept)?.scores == ["psnr-y": 40])
  }

  @Test func aRunKnowsHowFarItCame() throws {
    let (broken, other) = (StoreFixture.image("b.png"), StoreFixture.image("c.png"))
    let store = try ResultStore(folder: folder.path)
    let run = try store.begin(StoreFixture.manifest(), images: [image, broken, other])
    try store.append(.image(StoreFixture.record(of: broken, problem: Failure(kind: .source, message: "x"))))
    try store.append(StoreFixture.point(StoreFixture.key(image)))
    try store.append(StoreFixture.point(StoreFixture.key(image, StoreFixture.jpeg, 500)))
    let progress = try #require(try store.progress(of: run))
    #expect(
      progress
        == RunProgress(
          planned: 8, done: 1, images: 2, isFinished: false,
          untouched: RunProgress.Untouched(names: ["c.png"], count: 1)))
    try store.finish(run, at: "2026-01-02T03:04:05Z")
    #expect(try store.progress(of: run)?.isFinished == true)
    let search = try store.begin(StoreFixture.manifest(target: "ssim=0.9"), images: [image])
    let searched = try #require(try store.progress(of: search))
    #expect(searched.planned == nil && searched.done == 2 && !searched.isFinished)
  }

  @Test("points also count under another preparation if it makes the same pixels of the image")
  func adoptsPointsOfTheSamePixels() throws {
    func manifest(_ preparation: Preparation) -> RunManifest {
      var manifest = StoreFixture.manifest(variants: [StoreFixture.heic])
      manifest.preparation = preparation
      return manifest
    }
    let kept = Preparation(keepsAlpha: true, maximumBitDepth: 12)
    let images: [(name: String, layout: ChannelLayout, depth: Int, steps: [String])] = [
      ("opaque", .rgb, 8, []), ("deep", .rgb, 12, []), ("transparent", .rgba, 8, []),
      ("all opaque", .rgba, 8, [ImageRecord.opaqueAlphaStep]),
    ]
    let identities = images.map { StoreFixture.image($0.name) }
    func keys(_ preparation: Preparation, options: ResultStore.Options = .init()) throws -> [String] {
      let store = try ResultStore(folder: folder.path, options: options)
      try store.begin(manifest(preparation), images: identities)
      return try identities.filter {
        try !store.finished($0, preparation: preparation.canonicalSpelling, metric: nil).keys.isEmpty
      }.map(\.name)
    }
    do {
      let store = try ResultStore(folder: folder.path)
      try store.begin(manifest(kept), images: identities)
      for (identity, image) in zip(identities, images) {
        var record = StoreFixture.record(of: identity)
        record.preparation = kept.canonicalSpelling
        record.header?.layout = image.layout
        record.header?.bitDepth = image.depth
        record.steps = image.steps
        record.preparedFormat = PixelFormat(layout: image.layout, bitDepth: image.depth)
        try store.append(.image(record))
        var key = StoreFixture.key(identity, StoreFixture.heic)
        key.preparation = kept.canonicalSpelling
        try store.append(StoreFixture.point(key, StoreFixture.measurement(repeats: [8, 9])))
      }
    }
    #expect(try keys(Preparation(maximumBitDepth: 10), options: .init(fresh: true)) == [])
    #expect(try keys(Preparation()) == ["opaque", "all opaque"])
    #expect(try keys(Preparation(maximumBitDepth: 16)) == ["opaque", "deep", "all opaque"])
    #expect(try keys(Preparation(keepsAlpha: true, downscale: 2)) == [])
    var rows: [ResultRow] = []
    let latest = try ResultStore(folder: folder.path)
    let run = try latest.begin(manifest(Preparation()), images: identities)
    try latest.forEachRow(of: run) { rows.append($0) }
    #expect(rows.filter { $0.status == .measured }.map(\.image) == ["opaque", "all opaque"])
    #expect(rows.allSatisfy { $0.bitDepth == 8 && $0.repeats == 2 })
  }
}

extension CodecVariant {
  fileprivate static let jpegAt444 = CodecVariant(codec: "jpeg", settings: ["chroma": "444"])
}
