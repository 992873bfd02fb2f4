import Model
import Pixels
import Reports
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import HeicBenchKit

struct TileFiguresTests {
  /// A picture of 1,000 × 600 whose tiles cost 100 bytes and 2 ms each at level 0, and half of that at higher levels.
  private static func levels(tileSize: Int = 256, overlap: Int = 0, header: Int = 0) throws -> TiledLevels {
    let pyramid = try #require(TilePyramid(width: 1000, height: 600, tileSize: tileSize, overlap: overlap))
    var levels = TiledLevels(pyramid: pyramid)
    levels.tiles = pyramid.levels.map { level in
      let half = level.index == 0 ? 1 : 2
      return [TileCost](
        repeating: TileCost(bytes: 100 / half, cpuNanoseconds: Int64(2_000_000 / half)),
        count: level.tileCount)
    }
    levels.headerBytes = pyramid.levels.map { _ in header }
    return levels
  }

  private static func figures(_ levels: TiledLevels, score: Double? = nil) -> Figures {
    var figures = Figures(tiles: levels)
    figures.timing.encode = [TimingSample(wallNanoseconds: 0, cpuNanoseconds: 2_000_000)]
    figures[.plain] = score
    return figures
  }

  private static func whole(_ bytes: Int, score: Double? = nil) -> Figures {
    let times = [1_000_000, 3_000_000].map { [TimingSample(wallNanoseconds: 0, cpuNanoseconds: $0)] }
    return Figures(
      nativeQuality: 0, encodedBytes: bytes, encodedHash: "",
      timing: TimingSeries(conditions: .contended, encode: times[0], decode: times[1]),
      scores: score.map { ["ssimulacra2": $0] } ?? [:])
  }

  /// A cut, and its picture without tiles of 1,000 bytes.
  private static func records(
    _ name: String, _ figures: Figures, wholeScore: Double? = nil, isLossy: Bool = false, downscale: Int = 1
  ) throws -> [CaseRecord] {
    let pyramid = try #require(figures.tiles?.pyramid)
    let key = Case(
      image: ImageIdentity(name: name, contentHash: name), preparation: "downscale=\(downscale)",
      variant: CodecVariant(codec: "jpeg", settings: [:]), quality: 0.5,
      way: .tiles(TileCut(tileSize: pyramid.tileSize, overlap: pyramid.overlap, form: .files, view: "")),
      libraries: "")
    return [
      CaseRecord(
        key: key, outcome: .measured(figures),
        header: ImageHeader(
          format: isLossy ? "jpeg" : "png", width: 1000, height: 600, bitDepth: 8, layout: .rgb,
          isLossy: isLossy)),
      CaseRecord(key: key.untiled(at: key.quality), outcome: .measured(whole(1000, score: wholeScore))),
    ]
  }

  @Test func sumsBytesOfLevels() throws {
    let figures = try Self.levels(header: 7)
    // 4 × 3 tiles, 2 × 2, and 1.
    #expect(figures.tiles.map(\.count) == [12, 4, 1])
    #expect(figures.bytes(ofLevel: 0) == 1207)
    #expect(figures.totalBytes == 1207 + 207 + 57)
    let row = try #require(TileRow.all(Self.records("a", Self.figures(figures))).first)
    #expect(abs(try #require(row.overhead) - 20.7) < 1e-9)
    #expect(row.matchedOverhead == nil)
  }

  /// Compares with the size that the picture without tiles has at the tiles' score.
  @Test func comparesOverheadAtEqualScore() throws {
    let records = try Self.records("a", Self.figures(Self.levels(), score: 69.5), wholeScore: 70)
    func point(_ bytes: Int, _ score: Double, _ quality: Int) -> CaseRecord {
      CaseRecord(
        key: records[0].key.untiled(at: Quality(thousandths: quality)),
        outcome: .measured(Self.whole(bytes, score: score)))
    }
    let points = [point(900, 69, 450), point(1100, 71, 550)]
    let row = try #require(TileRow.all(records + points).first)
    let matched = try #require(row.matchedOverhead)
    // Between 900 and 1,000 bytes without tiles, and 1,200 with them.
    #expect(matched > 20 && matched < 33.4)
    // A score beyond the measured ones has no such size.
    let outside = try Self.records("a", Self.figures(Self.levels(), score: 60), wholeScore: 70)
    #expect(TileRow.all(outside + points).first?.matchedOverhead == nil)
  }

  /// Only the smaller size has a score that the picture without tiles reaches.
  @Test func aSentenceHasOneBasisForAllSizes() throws {
    let small = try Self.records("a", Self.figures(Self.levels(), score: 69.5), wholeScore: 70)
    let large = try Self.records("a", Self.figures(Self.levels(tileSize: 512)))
    let points = [(900, 69.0, 450), (1100, 71, 550)].map { bytes, score, quality in
      CaseRecord(
        key: small[0].key.untiled(at: Quality(thousandths: quality)),
        outcome: .measured(Self.whole(bytes, score: score)))
    }
    let rows = TileRow.all(small + large + points)
    #expect(rows.map { $0.matchedOverhead == nil } == [false, true])
    let sentence = TileSummary(rows, viewport: PixelSize(width: 300, height: 200)).sentences.first ?? ""
    let words =
      "at the same setting, level 0 takes 60.0 % less in 512-pixel tiles and 20.0 % more in 256-pixel "
    #expect(sentence.contains(words), "\(sentence)")

    let overlapping = try Self.records("a", Self.figures(Self.levels(overlap: 8)))
    let answers = [small + points, small + points + overlapping].map {
      TileSummary(TileRow.all($0), viewport: PixelSize(width: 300, height: 200)).answer
    }
    #expect(answers[0].contains(" % bytes against no tiles at equal SSIMULACRA2)"), "\(answers)")
    #expect(answers[1].contains("+20.0 % bytes against no tiles at the same setting)"), "\(answers)")
  }

  /// An older store has a picture with its tiles, which counts as long as there is no point.
  @Test func olderPicturesCountWithoutAPoint() throws {
    let records = try Self.records("a", Self.figures(Self.levels()))
    var older = records[1]
    (older.key.way, older.outcome) = (.whole, .measured(Self.whole(600)))
    #expect(TileRow.all([records[0], older]).first?.overhead == 100)
    for order in [[records[0], older, records[1]], [records[1], older, records[0]]] {
      #expect(abs(try #require(TileRow.all(order).first?.overhead) - 20) < 1e-9)
    }
    #expect(try #require(TileRow.all([records[0]]).first).overhead == nil)
  }

  @Test func viewportCountsTheTilesThatItTouches() throws {
    let figures = try Self.levels(header: 5)
    let corner = ViewportCost.of(PixelRegion(x: 0, y: 0, width: 256, height: 256), level: 0, figures)
    #expect(corner == ViewportCost(tiles: 1, bytes: 105, cpu: 2))
    let across = ViewportCost.of(PixelRegion(x: 255, y: 255, width: 2, height: 2), level: 0, figures)
    #expect(across == ViewportCost(tiles: 4, bytes: 405, cpu: 8))
    let all = ViewportCost.anywhere(PixelSize(width: 5000, height: 5000), level: 0, figures)
    #expect(all == ViewportCost(tiles: 12, bytes: 1205, cpu: 24))
    let some = ViewportCost.anywhere(PixelSize(width: 300, height: 300), level: 0, figures)
    #expect(some == ViewportCost.anywhere(PixelSize(width: 300, height: 300), level: 0, figures))
    #expect(some.tiles >= 2.25 && some.tiles <= 9)
  }

  @Test func cacheKeepsWhatWasUsedLast() {
    var cache = TileCache(capacity: 20)
    let places = (0..<3).map { TilePyramid.Place(level: 0, column: $0, row: 0) }
    // The third replaces the second, which is the least recently used.
    let had = [0, 1, 0, 2, 0, 1].map { cache.has(places[$0], bytes: 10) }
    #expect(had == [false, false, true, false, true, false])
  }

  /// A larger cache never fetches more tiles, and one that holds all of them fetches each once.
  @Test func walksFetchLessWithMoreMemory() throws {
    let figures = try Self.levels()
    let walks = [1 << 10, 1 << 18, 1 << 20, 1 << 30].map {
      TileWalk(figures, viewport: PixelSize(width: 300, height: 200), cacheBytes: $0)
    }
    for (small, large) in zip(walks, walks.dropFirst()) {
      #expect(large.cost.bytes <= small.cost.bytes)
      #expect(large.looks == small.looks)
    }
    let last = try #require(walks.last)
    #expect(last.cost.tiles <= 17)
    #expect(Double(last.looks - last.hits) == last.cost.tiles)
  }

  /// The steps are the same in every release, or figures of two releases could not be compared. Another program counted
  /// them.
  @Test func theWalkIsAlwaysTheSame() throws {
    let figures = try Self.levels(header: 7)
    let small = TileWalk(figures, viewport: PixelSize(width: 300, height: 200), cacheBytes: 1 << 19)
    #expect(small.looks == 431 && small.hits == 104)
    #expect(small.cost == ViewportCost(tiles: 327, bytes: 28971, cpu: 579))
    let places = ViewportCost.anywhere(PixelSize(width: 300, height: 200), level: 1, figures)
    #expect(places == ViewportCost(tiles: 2.84375, bytes: 149.1875, cpu: 2.84375))
  }

  /// Level 0 takes 1,200 bytes instead of 1,000: 20 % more, of which containers are 12 points.
  @Test func whatTilesTakeMoreIsContainersAndCodedPictures() throws {
    var figures = try Self.figures(Self.levels())
    (figures.figures[.container], figures.figures[.wholeContainer]) = (150, 30)
    let rows = TileRow.all(try Self.records("a", figures))
    let all = try #require(TileFigures.all(rows, viewport: PixelSize(width: 300, height: 200)).first)
    #expect(abs(try #require(all.containerShare) - 12) < 1e-9)
    #expect(abs(try #require(all.codedShare) - 8) < 1e-9)
    // The higher levels take 200 and 50 bytes in addition to 1,200.
    #expect(abs(try #require(all.upperShare) - 250 / 12.0) < 1e-9)
  }

  /// Sources that were already coded in blocks say nothing about tile sizes, unless they were shrunk.
  @Test func lossySourcesAreLeftOut() throws {
    let figures = try Self.figures(Self.levels())
    let rows = TileRow.all(
      try Self.records("png", figures) + Self.records("phone", figures, isLossy: true)
        + Self.records("shrunk", figures, isLossy: true, downscale: 2))
    #expect(rows.map(\.isJudged) == [true, false, true])
    let all = TileFigures.all(rows, viewport: PixelSize(width: 300, height: 200))
    #expect(all.map(\.images) == [2])
  }

  @Test(arguments: [4, 5])
  func changesHaveIntervalsFromFivePicturesOn(pictures: Int) throws {
    let records = try (1...pictures).flatMap { try Self.records("\($0)", Self.figures(Self.levels())) }
    let summary = TileSummary(TileRow.all(records), viewport: PixelSize(width: 300, height: 200))
    for sentence in [summary.answer] + summary.sentences {
      #expect(PercentClaims.withoutInterval(in: sentence) == [])
      #expect(sentence.contains("(+20.0 to +20.0 %)") == (pictures == 5), "\(sentence)")
      #expect(sentence.hasSuffix("; 4 pictures, too few for an interval.") == (pictures == 4), "\(sentence)")
    }
  }

  /// A tile of 512 pixels costs three times as many bytes here, and nearly none in another picture that was not cut into
  /// smaller tiles.
  @Test func sizesAreComparedByTheSamePictures() throws {
    let view = PixelSize(width: 300, height: 200)
    func rows(_ name: String, _ tileSize: Int, bytes: Int) throws -> [TileRow] {
      var levels = try Self.levels(tileSize: tileSize)
      levels.tiles = levels.tiles.map { $0.map { TileCost(bytes: bytes, cpuNanoseconds: $0.cpuNanoseconds) } }
      return TileRow.all(try Self.records(name, Self.figures(levels)))
    }
    let small = try rows("a", 256, bytes: 100) + rows("b", 256, bytes: 100)
    let (here, there) = (try rows("a", 512, bytes: 300), try rows("c", 512, bytes: 1))
    let all = small + here + there
    let compared = all.comparable.map { "\($0.record.key.image.name) \($0.cut.tileSize)" }
    #expect(compared == ["a 256", "a 512"])
    let figures = TileFigures.all(all, viewport: view)
    #expect(figures.map(\.images) == [2, 2] && figures[1].viewport.bytes < figures[0].viewport.bytes)
    let over = try #require(figures[1].bytesOverBest)
    #expect(over.images == 1 && over.mean > 0 && figures[0].bytesOverBest?.mean == 0)
    let answer = TileSummary(all, viewport: view).answer
    #expect(answer.contains("in tiles of 256 pixels") && answer.contains("; 1 picture,"), "\(answer)")

    // A size with nothing in common is named instead, once.
    let apart = TileSummary(small + there, viewport: view)
    #expect(TileFigures.all(small + there, viewport: view)[1].bytesOverBest == nil)
    let text = apart.answer
    #expect(text.contains("Not compared with other sizes") && text.hasSuffix(": 512 with JPEG."), "\(text)")
    #expect(!apart.sentences.contains { $0.contains("Not compared") })
    #expect(!answer.contains("Not compared"))
  }

  @Test func picturesThatCouldNotBeCutAreNotCounted() throws {
    var records = try ["a", "b"].flatMap { try Self.records($0, Self.figures(Self.levels())) }
    var broken = records[0]
    broken.key.image = ImageIdentity(name: "broken", contentHash: "broken")
    (broken.outcome, broken.header) = (.failed(Failure(kind: .source, message: "damaged")), nil)
    records.append(broken)
    let answer = TileSummary(TileRow.all(records), viewport: PixelSize(width: 300, height: 200)).answer
    #expect(answer.hasSuffix("; 2 pictures, too few for an interval."), "\(answer)")
    #expect(!answer.contains(" on "), "the change covers all pictures that it names")
  }

  /// Cuts with and without an overlap are distinguished wherever both are listed.
  @Test func overlapsAreToldApart() throws {
    let view = PixelSize(width: 300, height: 200)
    let plain = try Self.records("a", Self.figures(Self.levels()))
    let overlapping = try Self.records("a", Self.figures(Self.levels(overlap: 8)))
    let both = TileSummary(TileRow.all([plain[0]] + overlapping), viewport: view)
    #expect(both.sentences.map { $0.prefix { $0 != ":" } } == ["JPEG", "JPEG +8"])
    let tables = both.blocks.text()
    #expect(tables.ranges(of: "Overlap (px)").count == 3, "a column in each table")
    var charts: [ReportChart] = []
    for case .inMarkdown(let blocks) in both.blocks {
      if case .charts(let drawn)? = blocks.first { charts += drawn }
    }
    #expect(!charts.isEmpty)
    #expect(charts.allSatisfy { $0.svg.contains(">JPEG, 256<") && $0.svg.contains(">JPEG +8, 256<") })
    let one = TileSummary(TileRow.all(plain), viewport: view)
    #expect(!one.blocks.text().contains("Overlap"))
  }

  /// Bytes cover all pictures, and times only those that one processor has timed.
  @Test func timesOfUnlikeProcessorsStandSideBySide() throws {
    let view = PixelSize(width: 300, height: 200)
    func records(_ name: String, _ processor: String, slower: Int64, whole: String? = nil) throws
      -> [CaseRecord]
    {
      var levels = try Self.levels()
      levels.tiles = levels.tiles.map {
        $0.map { TileCost(bytes: $0.bytes, cpuNanoseconds: $0.cpuNanoseconds * slower) }
      }
      var records = try Self.records(name, Self.figures(levels))
      records[0].timesOrigin = TimesOrigin(host: "h", processor: processor, jobs: 1)
      records[1].timesOrigin = TimesOrigin(host: "h", processor: whole ?? processor, jobs: 1)
      return records
    }
    let (fast, slow) = (try records("a", "P 1", slower: 1), try records("c", "Q 2", slower: 10))
    let like = TileRow.all(fast + (try records("b", "P 1", slower: 3)))
    let rows = like + TileRow.all(slow)
    #expect(like.unlikeProcessors.isEmpty && rows.unlikeProcessors == ["P 1", "Q 2"])
    let all = try #require(TileFigures.all(rows, viewport: view).first)
    let own = try ["P 1", "Q 2"].map { try #require(TileFigures.all(rows, viewport: view, of: $0).first) }
    #expect(all.images == 3 && all.encodeCPU == nil && own.map(\.images) == [2, 1])
    #expect(own[0].encodeCPU?.mean == 100 && own[1].viewport.cpu == 5 * own[0].viewport.cpu)

    let summary = TileSummary(rows, viewport: view)
    let (alone, text) = (TileSummary(like, viewport: view), summary.blocks.text())
    #expect(summary.answer == alone.answer && summary.sentences.last?.contains("timed") == true)
    #expect(text.ranges(of: "Q 2        JPEG").count == 4 && !alone.blocks.text().contains("P 1"), "\(text)")
    let columns = [like, rows].map { TileRow.columns(of: $0, viewport: view).map(\.name) }
    #expect(!columns[0].contains("processor") && columns[1].contains("processor"))
    // If another processor timed the picture without tiles, it has bytes but no times.
    let mixed = TileRow.all(try records("a", "P 1", slower: 1, whole: "Q 2"))
    #expect(mixed[0].overhead == like[0].overhead && mixed[0].whole?.timing == Figures.untimed)
  }

  /// Of two sizes that are each cheaper in one respect, neither is dominated.
  @Test func frontierHoldsWhatIsNotBeaten() throws {
    var large = try Self.levels(tileSize: 512)
    large.tiles = large.tiles.map {
      $0.map { TileCost(bytes: $0.bytes * 8, cpuNanoseconds: $0.cpuNanoseconds / 4) }
    }
    let rows = TileRow.all(
      try Self.records("a", Self.figures(Self.levels())) + Self.records("a", Self.figures(large)))
    let figures = TileFigures.all(rows, viewport: PixelSize(width: 300, height: 200))
    #expect(figures.least(\.bytes)?.tileSize == 256 && figures.least(\.cpu)?.tileSize == 512)
    #expect(figures.frontier.map(\.tileSize) == [256, 512])
    #expect(abs(try #require(figures.first?.bytesOverBest?.mean)) < 1e-9)
    #expect(try #require(figures.last?.bytesOverBest?.mean) > 0)
    // A size that needs as much CPU time as another and more bytes is dominated.
    var (few, many) = (figures[0], figures[1])
    many.viewport.cpu = few.viewport.cpu
    #expect([few, many].frontier.map(\.tileSize) == [256])
    (few.viewport.cpu, many.viewport.bytes) = (many.viewport.cpu + 1, few.viewport.bytes)
    #expect([few, many].frontier.map(\.tileSize) == [512])
  }
}
