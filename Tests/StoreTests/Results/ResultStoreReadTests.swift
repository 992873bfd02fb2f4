import GRDB
import Model
import TestSupport
import Testing

@testable import Store

struct ResultStoreReadTests {
  private let image = ImageIdentity(name: "a.heic", contentHash: String(repeating: "ab", count: 32))

  private func record(
    _ route: ReadRoute, _ wanted: WantedPixels, outcome: Outcome<Figures>? = nil,
    libraries: String = "lib 1", preparation: String = "",
    encoding: ReadEncoding? = nil, conditions: TimingSeries.Conditions = .single, build: String? = nil
  ) -> CaseRecord {
    var figures = Figures(format: "heic", fileBytes: 100, width: 8, height: 9, touchedBytes: 60)
    (figures[.decodedWidth], figures[.decodedHeight]) = (8, 9)
    (figures[.deliveredWidth], figures[.deliveredHeight]) = (4, 5)
    figures.timing.conditions = conditions
    figures.timing.decode = [TimingSample(wallNanoseconds: 2, cpuNanoseconds: 1)]
    figures.scores["psnr-y"] = .infinity
    figures.remarks = ["a remark"]
    return CaseRecord(
      key: Case(
        image: image, encoding: encoding, format: "heic", preparation: preparation, route: route,
        wanted: wanted, libraries: libraries,
        build: build),
      outcome: outcome ?? .measured(figures))
  }

  @Test("Many files are returned by name, each read once, whatever the order of arrival")
  func manyFiles() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    // More than are read at once, some with a second content under the same name.
    let names = (0..<150).map { "folder/\($0)é.heic" }
    for name in names.shuffled(seed: 7) {
      for (wanted, libraries) in [(WantedPixels.all, "lib 1"), (.side(320), "lib 1"), (.all, "lib 2")] {
        var record = record(.full, wanted, libraries: libraries)
        let digit = libraries == "lib 2" && name.contains("7") ? "cd" : "ab"
        record.key.image = ImageIdentity(name: name, contentHash: String(repeating: digit, count: 32))
        try store.append(record)
      }
    }
    let reads = try store.reads()
    #expect(reads.count == 300)
    let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    #expect(reads.map(\.key.image.name) == sorted.flatMap { [$0, $0] })
    #expect(reads.map(\.key.wanted) == sorted.flatMap { _ in [WantedPixels.side(320), .all] })
    #expect(reads.allSatisfy { $0.key.libraries == ($0.key.wanted == .all ? "lib 2" : "lib 1") })
    var streamed: [CaseRecord] = []
    try store.forEachRead { record in
      // The store can be used meanwhile.
      if try streamed.isEmpty || store.hasReads() { streamed.append(record) }
    }
    #expect(streamed == reads)
    #expect(throws: CancellationError.self) { try store.forEachRead { _ in throw CancellationError() } }
  }

  @Test func whatWasReadIsThereAgain() throws {
    let folder = try TemporaryFolder()
    let quality = try #require(Quality(thousandths: 800))
    let encoding = ReadEncoding(
      variant: CodecVariant(codec: "heic", settings: ["thumbnail": "320"]), quality: quality)
    let encoded = record(.thumbnail, .side(320), preparation: "plain", encoding: encoding)
    let records = [
      record(.full, .side(160)), record(.full, .all), record(.ycbcr, .all, outcome: .unsupported("too old")),
      record(.region, .part(width: 5, height: 6), outcome: .failed(Failure(kind: .crash, message: "gone"))),
      encoded,
    ]
    do {
      let store = try ResultStore(folder: folder.path)
      for record in records.shuffled(seed: 3) { try store.append(record) }
    }
    let store = try ResultStore(folder: folder.path)
    #expect(try store.reads() == records)
    let finished = try store.finished(.read, preparation: "plain", alone: false)
    #expect(finished == Set(records.map(\.key)))
    #expect(try store.finished(.read, preparation: "other", alone: false).count == 4)
  }

  @Test func failedAndContendedReadsCountWhereTheyAreWanted() throws {
    let folder = try TemporaryFolder()
    let failed = record(.full, .all, outcome: .failed(Failure(kind: .source, message: "broken")))
    let contended = record(.full, .side(10), conditions: .contended)
    do {
      let store = try ResultStore(folder: folder.path, options: ResultStore.Options(retryFailed: true))
      for record in [failed, contended] { try store.append(record) }
      #expect(try store.finished(.read, preparation: "", alone: false) == [contended.key])
      #expect(try store.finished(.read, preparation: "", alone: true).isEmpty)
    }
    let fresh = try ResultStore(folder: folder.path, options: ResultStore.Options(fresh: true))
    #expect(try fresh.finished(.read, preparation: "", alone: false).isEmpty)
  }

  /// Other libraries make other reads, and the latest is shown.
  @Test func theLatestLibrariesAreShown() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    for libraries in ["lib 1", "lib 2", "lib 1"] {
      try store.append(record(.full, .all, libraries: libraries))
    }
    #expect(try store.reads().map(\.key.libraries) == ["lib 1"])
    #expect(try store.finished(.read, preparation: "", alone: false).count == 2)
  }

  /// Times that no report shows say nothing about the processor of those that it shows.
  @Test func processorsAreThoseOfTheLatestReads() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    func add(_ wanted: WantedPixels, _ libraries: String, _ processor: String) throws {
      var record = record(.full, wanted, libraries: libraries)
      record.timesOrigin = TimesOrigin(host: "h", processor: processor, jobs: 1)
      try store.append(record)
    }
    for side in 1...3 { try add(.side(side), "lib 1", "old") }
    try add(.all, "lib 1", "other")
    #expect(try store.readProcessors() == ["old", "other"])
    for side in 1...3 { try add(.side(side), "lib 2", "new") }
    #expect(try store.readProcessors() == ["new", "other"])
  }

  @Test func buildsAreOtherReads() throws {
    let folder = try TemporaryFolder()
    let quality = try #require(Quality(thousandths: 800))
    let encoded = record(
      .full, .all,
      encoding: ReadEncoding(variant: CodecVariant(codec: "heic", build: "new"), quality: quality),
      build: "new")
    let records = [record(.full, .all), record(.full, .all, build: "new"), encoded]
    let store = try ResultStore(folder: folder.path)
    for record in records { try store.append(record) }
    #expect(try store.reads() == records)
    let merged = try TemporaryFolder()
    let target = try ResultStore(folder: merged.path)
    try target.mergeCosts([folder.path])
    #expect(try target.reads() == records)
  }

  /// Otherwise two calls with different metrics would undo each other's work forever.
  @Test func scoresOfOtherMetricsStayWhileTheFileIsTheSame() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    func scored(_ scores: [String: Double], failed: [String: String] = [:], bytes: Int = 100) -> CaseRecord {
      var record = record(.full, .all)
      guard case .measured(var figures) = record.outcome else { return record }
      (figures.encodedBytes, figures.scores, figures.failedScores) = (bytes, scores, failed)
      record.outcome = .measured(figures)
      return record
    }
    func stored() throws -> Figures? { try store.reads().first?.figures }
    try store.append(scored(["ssimulacra2": 80, "ssim": 0.9, "other": 1]))
    try store.append(scored(["ssimulacra2": 80, "ms-ssim": 0.8], failed: ["other": "no program"]))
    #expect(try stored()?.scores == ["ssimulacra2": 80, "ssim": 0.9, "ms-ssim": 0.8])
    #expect(try stored()?.failedScores == ["other": "no program"])
    try store.append(scored(["ssimulacra2": 80, "other": 2]))
    #expect(try stored()?.scores == ["ssimulacra2": 80, "ssim": 0.9, "ms-ssim": 0.8, "other": 2])
    #expect(try stored()?.failedScores == [:])
    try store.append(scored(["ssimulacra2": 70], bytes: 101))
    #expect(try stored()?.scores == ["ssimulacra2": 70], "another file has other scores")
  }

  @Test func questionsOfMergedStoresAreJoined() throws {
    let folders = [try TemporaryFolder(), try TemporaryFolder()]
    let target = try TemporaryFolder()
    for (folder, metric) in zip(folders, ["ssim", "psnr-y"]) {
      let store = try ResultStore(folder: folder.path)
      try store.append(record(.full, metric == "ssim" ? .all : .side(4)))
      try store.note(
        ReadScope(score: 60, roots: [metric, "both"], metrics: [StoreFixture.metric(metric)]))
    }
    let store = try ResultStore(folder: target.path)
    for _ in 0..<2 { try store.mergeCosts(folders.map(\.path)) }
    let question = try store.readScope()
    #expect(
      question.metrics?.map(\.id) == ["ssim", "psnr-y"] && question.roots == ["ssim", "both", "psnr-y"])
    #expect(question.score == 60 && question.bandwidth == nil)
  }

  @Test("pictures that were deleted from a shard are left out once it is merged again")
  func deletedPictures() throws {
    let (one, two, all) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
    func list(_ names: Set<String>, in folder: TemporaryFolder) throws {
      let store = try ResultStore(folder: folder.path)
      for name in names {
        var record = record(.full, .all)
        record.key.image = StoreFixture.image(name)
        try store.append(record)
      }
      _ = try store.note(pictures: names, of: .reads, roots: "photos")
    }
    func merged() throws -> [String] {
      let store = try ResultStore(folder: all.path)
      try store.mergeCosts([one.path, two.path])
      return try store.reads().map(\.key.image.name)
    }
    try list(["a.heic", "b.heic"], in: one)
    // Another store over roots of the same name keeps its own list.
    try list(["c.heic"], in: two)
    #expect(try merged() == ["a.heic", "b.heic", "c.heic"])
    try list(["a.heic"], in: one)
    #expect(try merged() == ["a.heic", "c.heic"])
  }

  @Test func chainsAloneAreMerged() throws {
    let folders = [try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder()]
    var keys: [Case] = []
    for (folder, name) in zip(folders, ["a.png", "b.png"]) {
      let store = try ResultStore(folder: folder.path)
      var key = StoreFixture.key(StoreFixture.image(name))
      let count = keys.count + 2
      key.way = .generations(count, reaching: nil)
      let file = StoreFixture.measurement()
      var figures = Figures(encodedBytes: file.encodedBytes)
      (figures.generations, figures.asked) = (Array(repeating: file, count: count), ["psnr-y"])
      try store.append(CaseRecord(key: key, outcome: .measured(figures)))
      try store.note(ChainScope([key]))
      figures.asked = ["ssim"]
      try store.append(CaseRecord(key: key, outcome: .measured(figures)))
      keys.append(key)
    }
    let store = try ResultStore(folder: folders[2].path)
    try store.mergeCosts(folders[..<2].map(\.path))
    // Each store was asked only about its own images.
    var crossed = keys[0]
    crossed.way = keys[1].way
    try store.append(CaseRecord(key: crossed, outcome: .unsupported("not asked for")))
    let chains = try #require(try store.chains())
    #expect(chains.map(\.key) == keys && chains.allSatisfy { $0.figures?.asked == ["ssim", "psnr-y"] })
    let empty = try TemporaryFolder()
    _ = try ResultStore(folder: empty.path)
    #expect(throws: StoreError.self) { try store.mergeCosts([empty.path]) }
  }

  @Test func aStoreIsNotMergedIntoItself() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    try store.append(record(.full, .all))
    let error = #expect(throws: StoreError.self) { try store.mergeCosts([folder.path]) }
    #expect(error?.description.contains("it is the destination of the merge") == true)
  }

  @Test func scoresOfBothStoresAreKept() throws {
    let folders = [try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder()]
    for (folder, metric) in zip(folders, ["ssim", "ms-ssim"]) {
      var read = record(.full, .all)
      var figures = try #require(read.figures)
      figures.scores[metric] = 0.5
      read.outcome = .measured(figures)
      try ResultStore(folder: folder.path).append(read)
    }
    let store = try ResultStore(folder: folders[2].path)
    for _ in 0..<2 { try store.mergeCosts(folders[..<2].map(\.path)) }
    let reads = try store.reads()
    #expect(reads.map(\.figures?.scores) == [["psnr-y": .infinity, "ssim": 0.5, "ms-ssim": 0.5]])
  }

  @Test func readsOfAStrangerAreLookedAt() throws {
    let folder = try TemporaryFolder()
    try ResultStore(folder: folder.path).append(record(.full, .all))
    try DatabaseQueue(path: folder.path + "/heicbench.sqlite").write { db in
      try db.execute(sql: "UPDATE result SET detail = replace(detail, '\"width\":8', '\"width\":-8')")
    }
    #expect(throws: StoreError.self) { try ResultStore(folder: folder.path) }
    #expect(throws: StoreError.self) { try ResultStore(reading: folder.path).reads() }
  }
}

extension Array {
  /// The elements in another order, which is the same each time.
  fileprivate func shuffled(seed: UInt64) -> [Element] {
    var generator = SeededGenerator(seed: seed)
    return shuffled(using: &generator)
  }
}
