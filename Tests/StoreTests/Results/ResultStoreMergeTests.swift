import Model
import Store
import TestSupport
import Testing

/// Several stores as one.
struct ResultStoreMergeTests {
  private let folder: TemporaryFolder
  private let images = (0..<6).map { StoreFixture.image("\($0).png") }

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  /// A store with a run over some images, each measured at all points of the fixture's manifest.
  @discardableResult
  private func shard(
    _ name: String, _ images: [ImageIdentity], _ manifest: RunManifest, bytes: Int = 4_000,
    scores: [String: Double] = ["psnr-y": 41.25], fresh: Bool = false
  ) throws -> String {
    let store = try ResultStore(folder: path(name), options: .init(fresh: fresh))
    let run = try store.begin(manifest, images: images)
    for image in images.reversed() {
      try store.append(.image(StoreFixture.record(of: image)))
      for variant in manifest.variants {
        for quality in manifest.qualities {
          let key = StoreFixture.key(image, variant.variant, quality.thousandths)
          let size = bytes + quality.thousandths
          try store.append(StoreFixture.point(key, StoreFixture.measurement(bytes: size, scores: scores)))
        }
      }
    }
    try store.finish(run, at: "2026-01-02T05:00:00Z")
    return path(name)
  }

  /// Composed, decomposed, and mixed, as typed on Vietnamese keyboards.
  private static let spellings = ["ế Müller.png", "e\u{302}\u{301} Mu\u{308}ller.png", "ê\u{301} Müller.png"]

  @Test func oneImageInSeveralSpellingsCountsOnce() throws {
    let stores = try Self.spellings.enumerated().map { number, name in
      try shard(
        "\(number)", [StoreFixture.image("a.png"), StoreFixture.image(name, "the picture")],
        StoreFixture.manifest())
    }
    let merged = try ResultStore(folder: path("merged"))
    let report = try merged.merge(stores)
    #expect(report.images == 2 && report.added == 8 && report.present == 16)
    #expect(try Set(merged.latestRows().map(\.image)).count == 2)
    for name in Self.spellings {
      let image = StoreFixture.image(name, "the picture")
      #expect(
        try merged.finished(image, preparation: Preparation().canonicalSpelling, metric: nil).count == 4)
      #expect(try merged.points(of: image, preparation: Preparation().canonicalSpelling).count == 4)
    }
    // Another picture under another spelling replaces it, as it does under the same spelling.
    let other = try shard(
      "other", [StoreFixture.image(Self.spellings[1], "another")], StoreFixture.manifest())
    let replaced = try merged.merge([other])
    #expect(replaced.images == 2 && replaced.replacedImages.count == 1)
  }

  @Test func aRunContinuesUnderAnotherSpelling() throws {
    try shard("store", [StoreFixture.image(Self.spellings[0], "the picture")], StoreFixture.manifest())
    let store = try ResultStore(folder: path("store"))
    for (name, content) in [(Self.spellings[1], "the picture"), (Self.spellings[2], "another")] {
      let run = try store.begin(StoreFixture.manifest(), images: [StoreFixture.image(name, content)])
      #expect(try store.latestRows().count == (content == "another" ? 0 : 4))
      #expect(
        try store.notices(for: run) == (content == "another" ? [.changed(image: Self.spellings[0])] : []))
    }
  }

  @Test func shardsGiveTheRowsOfTheWholeRun() throws {
    try shard("whole", images, StoreFixture.manifest())
    let odd = images.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    let even = images.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    let stores = [
      try shard("b", odd, StoreFixture.manifest(host: "host-b", shard: "2/2")),
      try shard("a", even, StoreFixture.manifest(host: "host-a", shard: "1/2")),
    ]
    let merged = try ResultStore(folder: path("merged"))
    let report = try merged.merge(stores)
    #expect(report.images == 6 && report.added == 24 && report.present == 0 && report.improved == 0)
    // The whole run was measured on one host.
    let hosts = try Set(merged.latestRows().map(\.timesOrigin?.host))
    #expect(hosts == ["host-a", "host-b"])
    #expect(try rows(of: merged) == rows(of: ResultStore(reading: path("whole"))))
    let manifest = try #require(try merged.latestRun()?.manifest)
    #expect(manifest.shard == nil && manifest.machine.host == "host-b, host-a")
    #expect(manifest.passedOver == ["hidden": 3])
    for image in images {
      #expect(
        try merged.finished(image, preparation: Preparation().canonicalSpelling, metric: nil).count == 4)
    }
  }

  /// The rows of a store, without the hosts that timed them.
  private func rows(of store: ResultStore) throws -> [ResultRow] {
    try store.latestRows().map { row in
      var row = row
      row.timesOrigin = nil
      return row
    }
  }

  @Test func mergingTwiceIsMergingOnce() throws {
    let stores = [
      try shard("a", Array(images[..<3]), StoreFixture.manifest(shard: "1/2")),
      try shard("b", Array(images[3...]), StoreFixture.manifest(shard: "2/2")),
    ]
    let merged = try ResultStore(folder: path("merged"))
    let first = try merged.merge(stores)
    let rows = try merged.latestRows()
    let runs = try merged.runs()
    let second = try merged.merge(stores)
    #expect(second.added == 0 && second.present == 24 && second.run == first.run)
    #expect(try merged.runs() == runs)
    #expect(try merged.latestRows() == rows)
    try shard("b", [StoreFixture.image("9.png")], StoreFixture.manifest(shard: "2/2"))
    #expect(try merged.merge(stores).added == 4)
    #expect(try merged.latestRows().last?.image == "9.png")
  }

  @Test(arguments: [
    (4_001, 41.25, "encoded bytes", "4301", "4300"),
    (4_000, 41.26, "psnr-y", "41.26", "41.25"),
  ])
  func aContradictionNamesPointAndHosts(
    _ bytes: Int, _ score: Double, _ quantity: String, _ there: String, _ here: String
  ) throws {
    try shard("here", images, StoreFixture.manifest(host: "old-host"))
    let other = try shard(
      "there", Array(images[2...]), StoreFixture.manifest(host: "new-host"), bytes: bytes,
      scores: ["psnr-y": score])
    let store = try ResultStore(folder: path("here"))
    let (rows, runs) = (try store.latestRows(), try store.runs())
    let error = #expect(throws: StoreError.self) { try store.merge([other]) }
    guard case .conflict(let conflict)? = error else {
      Issue.record("no conflict: \(String(describing: error))")
      return
    }
    #expect(conflict.quantity == quantity)
    #expect(conflict.point == "“2.png” with jpeg at 0.3")
    #expect(conflict.sides.map(\.host) == ["old-host", "new-host"])
    #expect(conflict.sides.map(\.value) == [here, there])
    #expect(try store.latestRows() == rows && store.runs() == runs, "nothing was merged")
    try store.append(StoreFixture.point(StoreFixture.key(images[0])))
  }

  @Test("a run that was fresh in its own folder replaces nothing of others, whatever the order") func fresh()
    throws
  {
    let stores = [
      try shard("fresh", [images[0]], StoreFixture.manifest(qualities: [300]), fresh: true),
      try shard("other", [images[0]], StoreFixture.manifest(qualities: [300, 600])),
    ]
    for (name, stores) in [("one", stores), ("two", stores.reversed())] {
      let merged = try ResultStore(folder: path(name))
      try merged.merge(stores)
      #expect(try Set(merged.latestRows().map { $0.quality?.thousandths }) == [300, 600], "\(name)")
      #expect(try merged.latestRun()?.manifest.isFresh == nil)
    }
  }

  @Test func scoresThatDifferInTheLastBitAgree() throws {
    try shard("here", images, StoreFixture.manifest(), scores: ["psnr-y": 41.25, "x": .infinity])
    let other = try shard(
      "there", images, StoreFixture.manifest(), scores: ["psnr-y": (41.25).nextUp, "x": .infinity])
    let report = try ResultStore(folder: path("here")).merge([other])
    #expect(report.added == 0 && report.improved == 0 && report.present == 24)
  }

  @Test func aMeasuredPointTakesThePlaceOfAFailedOneAndNotTheReverse() throws {
    let manifest = StoreFixture.manifest(variants: [StoreFixture.jpeg], qualities: [300])
    let good = try shard("good", [images[0]], manifest)
    let bad = try ResultStore(folder: path("bad"))
    try bad.begin(manifest, images: [images[0]])
    let problem = Failure(kind: .crash, message: "killed")
    try bad.append(.image(StoreFixture.record(of: images[0], problem: problem)))
    try bad.append(.point(CaseRecord(key: StoreFixture.key(images[0]), outcome: .failed(problem))))
    let merged = try ResultStore(folder: path("merged"))
    #expect(try merged.merge([path("bad"), good]).improved == 1)
    #expect(try merged.latestRows().map(\.status) == [.measured])
    #expect(try merged.latestRows().first?.width == 30)
    try merged.merge([path("bad")])
    #expect(try merged.latestRows().map(\.status) == [.measured])
  }

  @Test func scoresOfBothSidesComeTogether() throws {
    try shard("here", images, StoreFixture.manifest(metrics: ["a"]), scores: ["a": 1])
    let other = try shard("there", images, StoreFixture.manifest(metrics: ["b"]), scores: ["b": 2])
    let store = try ResultStore(folder: path("here"))
    #expect(try store.merge([other]).improved == 24)
    #expect(try store.latestRows().allSatisfy { $0.scores == ["a": 1, "b": 2] })
    #expect(try store.latestRun()?.manifest.metrics.map(\.id) == ["a", "b"])
  }

  @Test func theLaterContentsOfAnImageStand() throws {
    try shard("here", [images[0], images[1]], StoreFixture.manifest())
    let edited = StoreFixture.image("1.png", "edited")
    let other = try shard("there", [edited], StoreFixture.manifest())
    let store = try ResultStore(folder: path("here"))
    #expect(try store.merge([other]).replacedImages == ["1.png"])
    #expect(
      Set(try store.latestRows().compactMap(\.imageHash)) == [images[0].contentHash, edited.contentHash])
  }

  @Test func exclusiveTimesComeAlong() throws {
    let manifest = StoreFixture.manifest(variants: [StoreFixture.jpeg], qualities: [300])
    let other = try shard("there", [images[0]], manifest)
    let exclusive = StoreFixture.timing(.exclusive, [1, 2, 3])
    try ResultStore(folder: other).append(
      .timing(StoreFixture.key(images[0]), exclusive))
    let merged = try ResultStore(folder: path("merged"))
    try merged.merge([other])
    #expect(try merged.latestRows().first?[.encode, .wall]?.median == 2)
  }

  @Test func runsThatAskOtherQuestionsAreRefused() throws {
    try shard("here", images, StoreFixture.manifest())
    let store = try ResultStore(folder: path("here"))
    let search = try ResultStore(folder: path("search"))
    try search.begin(StoreFixture.manifest(target: "ssim=0.9"), images: images)
    let empty = try ResultStore(folder: path("empty"))
    for (folder, reason) in [
      (search.folder, "the search for ssim=0.9"), (empty.folder, "it has no run"),
      (store.folder, "destination of the merge"),
    ] {
      let error = #expect(throws: StoreError.self) { try store.merge([folder]) }
      #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }
    #expect(throws: StoreError.missing(path: path("none") + "/heicbench.sqlite")) {
      try store.merge([path("none")])
    }
  }
}
