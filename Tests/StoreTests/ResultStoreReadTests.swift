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

  @Test("Many files are handed out by name, each read once, whatever order they came in")
  func manyFiles() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    // More than are read at a time, some with a second content under the name.
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
      // The store may be used meanwhile.
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

  /// Other libraries are other reads, of which the latest is shown.
  @Test func theLatestLibrariesAreShown() throws {
    let folder = try TemporaryFolder()
    let store = try ResultStore(folder: folder.path)
    for libraries in ["lib 1", "lib 2", "lib 1"] {
      try store.append(record(.full, .all, libraries: libraries))
    }
    #expect(try store.reads().map(\.key.libraries) == ["lib 1"])
    #expect(try store.finished(.read, preparation: "", alone: false).count == 2)
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

  @Test func readsOfAStrangerAreLookedAt() throws {
    let folder = try TemporaryFolder()
    try ResultStore(folder: folder.path).append(record(.full, .all))
    try DatabaseQueue(path: folder.path + "/heicbench.sqlite").write { db in
      try db.execute(sql: "UPDATE result SET detail = replace(detail, '\"width\":8', '\"width\":-8')")
    }
    #expect(throws: StoreError.self) { try ResultStore(folder: folder.path) }
  }
}

extension Array {
  /// The elements in another order, always the same one.
  fileprivate func shuffled(seed: UInt64) -> [Element] {
    var generator = SeededGenerator(seed: seed)
    return shuffled(using: &generator)
  }
}
