import Model
import Store
import TestSupport
import Testing

/// Sums over a run and notices about its images.
struct ResultStoreSummaryTests {
  private let store: ResultStore
  private let folder: TemporaryFolder
  private let images = (0..<4).map { StoreFixture.image("\($0).png") }

  init() throws {
    folder = try TemporaryFolder()
    store = try ResultStore(folder: folder.path)
  }

  @Test func sumUpWhatWasMeasuredAndNothingElse() throws {
    try store.append(StoreFixture.point(StoreFixture.key(StoreFixture.image("other.png"))))
    let run = try store.begin(StoreFixture.manifest(qualities: [300]), images: images)
    for (index, image) in images.enumerated() {
      try store.append(.image(StoreFixture.record(of: image)))
      let measurement = StoreFixture.measurement(
        bytes: 300 * (index + 1), scores: ["psnr-y": 40 + Double(index)], repeats: [12, 8, 10])
      try store.append(StoreFixture.point(StoreFixture.key(image), measurement))
      guard index < 2 else { continue }
      try store.append(
        StoreFixture.point(StoreFixture.key(image, StoreFixture.heic), StoreFixture.measurement(bytes: 150)))
    }
    let failed = CaseRecord(
      key: StoreFixture.key(images[3], StoreFixture.heic),
      outcome: .failed(Failure(kind: .crash, message: "x")))
    try store.append(.point(failed))
    let summaries = try store.qualitySummaries(of: run)
    #expect(summaries.map(\.variant) == [StoreFixture.jpeg, StoreFixture.heic])
    let jpeg = summaries[0]
    #expect(jpeg.images == 4 && jpeg.failed == 0)
    #expect(jpeg.totalBytes == 3_000 && jpeg.totalPixels == 4_800)
    #expect(jpeg.meanBitsPerPixel == 5 && jpeg.compressionRatio == 4.8)
    #expect(jpeg.percentOfReference == 100)
    #expect(jpeg.millisecondsPerMegapixel[TimedCall(.encode, .cpu)] == 4 * 9e6 / 4_800)
    #expect(jpeg.meanScores == ["psnr-y": 41.5] && jpeg.peakMemoryMiB == 3)
    let heic = summaries[1]
    #expect(heic.images == 2 && heic.failed == 1 && heic.totalBytes == 300)
    #expect(heic.percentOfReference == 300.0 / 900 * 100)
    let against = try store.qualitySummaries(of: run, against: StoreFixture.heic)
    #expect(against.map(\.percentOfReference) == [300, 100])
  }

  @Test func countCopiesOnce() throws {
    let copies = [StoreFixture.image("a.png", "0.png"), StoreFixture.image("b.png", "1.png")]
    let run = try store.begin(StoreFixture.manifest(qualities: [300]), images: images + copies)
    // Of the second image, only the copy was measured so far.
    for image in [images[0], copies[0], copies[1]] {
      try store.append(.image(StoreFixture.record(of: image)))
      try store.append(StoreFixture.point(StoreFixture.key(image), StoreFixture.measurement(bytes: 300)))
    }
    let summaries = try store.qualitySummaries(of: run)
    #expect(summaries.map(\.images) == [2] && summaries.map(\.totalBytes) == [600])
  }

  @Test func tellWhatVanishedAndWhatChanged() throws {
    try store.begin(StoreFixture.manifest(), images: images)
    let edited = StoreFixture.image("2.png", "edited")
    let run = try store.begin(
      StoreFixture.manifest(), images: [images[0], edited, StoreFixture.image("new.png")])
    let expected = [StoreNotice.gone(image: "1.png"), .changed(image: "2.png"), .gone(image: "3.png")]
    #expect(try store.notices(for: run) == expected)
    let resumed = try store.begin(
      StoreFixture.manifest(), images: [images[0], edited, StoreFixture.image("new.png")])
    #expect(try store.notices(for: resumed) == expected, "a resumed run says the same")
  }

  @Test func compareNoImagesWithThoseOfAnotherCorpusOrShard() throws {
    try store.begin(StoreFixture.manifest(shard: "1/2"), images: images)
    var other = StoreFixture.manifest(shard: "2/2")
    #expect(try store.notices(for: store.begin(other, images: [StoreFixture.image("x.png")])).isEmpty)
    other.shard = "1/2"
    other.roots = ["elsewhere"]
    #expect(try store.notices(for: store.begin(other, images: [StoreFixture.image("x.png")])).isEmpty)
  }

  @Test func keepRowsOfEarlierLibrariesAndContents() throws {
    let old = try store.begin(StoreFixture.manifest(libraries: "1.0"), images: [images[0]])
    try store.append(StoreFixture.point(StoreFixture.key(images[0]), StoreFixture.measurement(bytes: 1)))
    let edited = StoreFixture.image("0.png", "edited")
    let new = try store.begin(StoreFixture.manifest(libraries: "2.0"), images: [edited])
    try store.append(
      StoreFixture.point(StoreFixture.key(edited, libraries: "2.0"), StoreFixture.measurement(bytes: 2)))
    for (run, bytes) in [(old, 1), (new, 2)] {
      var found: [Int?] = []
      try store.forEachRow(of: run) { found.append($0.encodedBytes) }
      #expect(found == [bytes])
    }
  }
}
