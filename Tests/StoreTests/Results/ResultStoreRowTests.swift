import Model
import Store
import TestSupport
import Testing

/// The rows of a run: which ones, in which order, with which figures.
struct ResultStoreRowTests {
  private let store: ResultStore
  private let folder: TemporaryFolder
  private let b = StoreFixture.image("b.png")
  private let a = StoreFixture.image("a.png")

  init() throws {
    folder = try TemporaryFolder()
    store = try ResultStore(folder: folder.path)
  }

  @Test func comeInPlanOrderWhateverFinishedFirst() throws {
    let images = (0..<150).map { StoreFixture.image("\(150 - $0).png") }
    let manifest = StoreFixture.manifest(
      variants: [StoreFixture.heic, StoreFixture.jpeg], qualities: [100, 900, 1000])
    try store.begin(manifest, images: images)
    var plan = images.flatMap { image in
      manifest.variants.flatMap { variant in
        [100, 900, 1000].map { StoreFixture.key(image, variant.variant, $0) }
      }
    }
    let names = plan.map { "\($0.image.name) \($0.variant) \($0.quality)" }
    var generator = SeededGenerator(seed: 5)
    plan.shuffle(using: &generator)
    for key in plan { try store.append(StoreFixture.point(key)) }
    let rows = try store.latestRows()
    #expect(rows.map { "\($0.image) \($0.variant?.name ?? "") \($0.quality?.description ?? "")" } == names)
  }

  @Test func carryWhatWasMeasured() throws {
    try store.begin(StoreFixture.manifest(), images: [b])
    try store.append(.image(StoreFixture.record(of: b)))
    var measurement = StoreFixture.measurement(bytes: 1_800, repeats: [10, 2, 4, 3])
    measurement.remarks = ["odd", "very"]
    try store.append(StoreFixture.point(StoreFixture.key(b), measurement))
    let row = try #require(try store.latestRows().first)
    #expect(row.imageHash == b.contentHash)
    #expect([row.width, row.height, row.bitDepth, row.rawBytes] == [30, 40, 8, 3_600])
    #expect(row.alpha == false && row.sourceFormat == "png" && row.sourceIsLossy == false)
    #expect(row.variant == StoreFixture.jpeg && row.libraries == "libjpeg 1.0")
    #expect(row.bitsPerPixel == 12 && row.compressionRatio == 2)
    #expect(row.conditions == .contended && row.repeats == 4 && row.repeatsAgree == true)
    #expect(row[.encode, .wall] == ResultRow.Timing(minimum: 2, median: 3.5, deviation: 1))
    #expect(row.figures[.peakMemory] == 3)
    #expect(row.scores == ["psnr-y": 41.25])
    #expect(row.error == "odd; very")
  }

  @Test func takeAllTimesFromTheExclusivePassWhereThereWasOne() throws {
    try store.begin(StoreFixture.manifest(), images: [b])
    let key = StoreFixture.key(b)
    try store.append(StoreFixture.point(key, StoreFixture.measurement(repeats: [20])))
    let exclusive = StoreFixture.timing(.exclusive, [10, 11, 12, 13, 14])
    try store.append(.timing(key, exclusive))
    let row = try #require(try store.latestRows().first)
    #expect(row.conditions == .exclusive && row.repeats == 5)
    #expect(row[.encode, .wall] == ResultRow.Timing(minimum: 10, median: 12, deviation: 1))
    #expect(row[.encode, .cpu]?.minimum == 9 && row[.encode, .cpu]?.median == 10.8)
  }

  @Test func areThoseOfTheRunsImagesVariantsAndLibraries() throws {
    for key in [
      StoreFixture.key(a), StoreFixture.key(b), StoreFixture.key(b, StoreFixture.heic),
      StoreFixture.key(b, StoreFixture.jpeg, 500), StoreFixture.key(b, libraries: "0.9"),
    ] { try store.append(StoreFixture.point(key)) }
    try store.begin(StoreFixture.manifest(variants: [StoreFixture.jpeg]), images: [b])
    #expect(try store.latestRows().map(\.libraries) == ["libjpeg 1.0", "libjpeg 1.0"])
    try store.begin(StoreFixture.manifest(variants: [StoreFixture.jpeg], target: "ssim=0.9"), images: [b])
    #expect(try store.latestRows().compactMap(\.quality?.thousandths) == [300, 500])
  }

  @Test func letABodyUseTheStoreAndThrow() throws {
    try store.begin(StoreFixture.manifest(), images: [b])
    try store.append(StoreFixture.point(StoreFixture.key(b)))
    let run = try #require(try store.latestRun())
    #expect(throws: CancellationError.self) {
      try store.forEachRow(of: run.id) { _ in
        #expect(try store.row(of: StoreFixture.key(b)) != nil)
        throw CancellationError()
      }
    }
  }

  @Test func showAnImageThatCannotBeUsedOnce() throws {
    let problem = Failure(kind: .limit, message: "too large")
    try store.begin(StoreFixture.manifest(), images: [a, b])
    try store.append(.image(StoreFixture.record(of: a, problem: problem)))
    try store.append(.image(StoreFixture.record(of: b, problem: problem)))
    try store.append(StoreFixture.point(StoreFixture.key(b)))
    let rows = try store.latestRows()
    #expect(rows.map(\.image) == ["a.png", "b.png"])
    #expect(rows.map(\.status) == [.failed, .measured], "measurements under another limit stay")
    #expect(rows[0].variant == nil && rows[0].error == "too large")
  }
}
