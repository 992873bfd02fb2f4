import Model
import Store
import TestSupport
import Testing

/// Files of other encoders in the store.
struct ResultStoreImportTests {
  private let folder: TemporaryFolder
  private let image = StoreFixture.image("a.png")

  init() throws { folder = try TemporaryFolder() }

  private func record(
    _ file: String, bytes: Int, score: Double = 40, series: String = "phone"
  ) -> CaseRecord {
    let decode = TimingSample(wallNanoseconds: 2_000_000, cpuNanoseconds: 1_000_000)
    var figures = Figures(
      encodedBytes: bytes, timing: TimingSeries(conditions: .contended, encode: [], decode: [decode]),
      scores: ["psnr-y": score])
    (figures.format, figures.decoder, figures.making) = ("heic", "libheif 1", "Photos 1.5")
    figures.asked = ["psnr-y"]
    return CaseRecord(
      key: Case(image: image, preparation: Preparation().canonicalSpelling, series: series, file: file),
      outcome: .measured(figures),
      fileHash: SHA256.hexDigest(of: Array("\(file) \(bytes)".utf8)))
  }

  private func store(_ name: String, imports: [CaseRecord], series: [String] = ["phone"]) throws
    -> ResultStore
  {
    let store = try ResultStore(folder: folder.path + "/" + name)
    var manifest = StoreFixture.manifest()
    manifest.imports = series.map { ImportedSeries(name: $0, folder: "from-\($0)") }
    let run = try store.begin(manifest, images: [image])
    try store.append(.image(StoreFixture.record(of: image)))
    try store.append(StoreFixture.point(StoreFixture.key(image), StoreFixture.measurement()))
    for record in imports { try store.append(record) }
    try store.finish(run, at: "2026-01-02T05:00:00Z")
    return store
  }

  @Test func filesAreRowsBehindThePointsWithoutAQuality() throws {
    let refused = CaseRecord(
      key: record("bad.heic", bytes: 1).key,
      outcome: .failed(Failure(kind: .source, message: "shows another picture")), fileHash: "")
    let store = try store(
      "one", imports: [record("b.heic", bytes: 900, score: .infinity), refused, record("a.heic", bytes: 500)])
    let rows = try store.latestRows()
    #expect(rows.map(\.importedFile) == [nil, "a.heic", "b.heic", "bad.heic"])
    #expect(rows.map(\.variant?.name) == ["jpeg", "phone", "phone", "phone"])
    #expect(rows.dropFirst().allSatisfy { $0.quality == nil && $0.width == 30 })
    #expect(rows.map(\.status) == [.measured, .measured, .measured, .failed])
    #expect(
      rows[1].encodedBytes == 500 && rows[1][.decode, .cpu]?.median == 1 && rows[1][.encode, .cpu] == nil)
    #expect(rows[1].importedMaking == "Photos 1.5" && rows[1].importedFormat == "heic")
    #expect(rows[2].scores["psnr-y"] == .infinity)
    #expect(rows[3].error == "shows another picture")
    // Imported files are not among a run's planned points.
    #expect(try store.progress(of: #require(try store.latestRun()).id)?.done == 1)
  }

  @Test("Files are not shown beside a search, in which they have no place, but again in the next sweep")
  func search() throws {
    let store = try store("search", imports: [record("a.heic", bytes: 500)])
    var manifest = try #require(try store.latestRun()).manifest
    manifest.target = "psnr-y=38"
    try store.begin(manifest, images: [image])
    #expect(try store.latestRows().allSatisfy { $0.importedFile == nil })
    #expect(manifest.shownVariants == manifest.variants.map(\.variant))
    manifest.target = nil
    try store.begin(manifest, images: [image])
    #expect(try store.latestRows().contains { $0.importedFile == "a.heic" })
  }

  @Test func aFileIsReplacedByItsNameAndForgottenByItsKey() throws {
    let store = try store("two", imports: [record("a.heic", bytes: 500), record("b.heic", bytes: 600)])
    try store.append(record("a.heic", bytes: 700))
    let spelling = Preparation().canonicalSpelling
    let key = record("b.heic", bytes: 600).key
    #expect(try store.imports(preparation: spelling, series: ["phone"]).count == 2)
    try store.remove([key])
    let left = try store.imports(preparation: spelling, series: ["phone"])
    #expect(left.count == 1 && left.values.first == record("a.heic", bytes: 700))
    #expect(try store.imports(preparation: spelling, series: ["other"]).isEmpty)
    #expect(try store.imports(preparation: "other", series: ["phone"]).isEmpty)
  }

  @Test func mergingBringsSeriesAndFilesTogether() throws {
    _ = try store("x", imports: [record("a.heic", bytes: 500)])
    _ = try store(
      "y", imports: [record("c.heic", bytes: 800, series: "camera"), record("a.heic", bytes: 999)],
      series: ["phone", "camera"])
    let merged = try ResultStore(folder: folder.path + "/z")
    try merged.merge([folder.path + "/x", folder.path + "/y"])
    let manifest = try #require(try merged.latestRun()?.manifest)
    #expect(manifest.imports?.map(\.name) == ["phone", "camera"])
    let rows = try merged.latestRows().filter { $0.importedFile != nil }
    // If two stores have the file, the first one counts.
    #expect(rows.map(\.encodedBytes) == [500, 800])
    try merged.merge([folder.path + "/y"])
    #expect(try merged.latestRows().filter { $0.importedFile != nil } == rows)
  }
}
