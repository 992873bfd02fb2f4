import Foundation
import Model
import Pixels
import SampleData
import Store
import TestSupport
import Testing

@testable import Analysis
@testable import HeicBenchKit
@testable import Reports

/// Extreme figures never trap, and the JSON is valid.
@Suite(.timeLimit(.minutes(30))) struct ExtremeFiguresTests {
  private static func expectJSON(_ text: String) throws {
    _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  @Test("recommendations", arguments: 0..<16) func recommendations(_ seed: Int) throws {
    let wishes = [
      Wishes(score: 70, savingPercent: 10, cpu: [.encode: 1e308, .decode: 0]),
      Wishes(score: -1e308, share: 0), Wishes(score: .infinity, share: 1),
    ]
    for wish in wishes {
      var builder = try #require(
        RecommendationBuilder(
          wish, variants: SyntheticSweep.variants, metrics: SyntheticSweep.metrics, options: AnalysisOptions()
        ))
      let (headline, score) = (builder.headline, builder.score)
      for row in SyntheticSweep.disturbedRows(seed: seed) { try builder.add(row) }
      let outcome = RecommendOutcome(
        found: builder.finish(), wishes: wish, score: score, headline: headline,
        variants: SyntheticSweep.variants,
        manifest: nil, progress: nil, results: "results")
      try Self.expectJSON(outcome.json)
      #expect(!outcome.text().contains("nan"))
    }
  }

  @Test("a stored metric whose scores do not ascend") func scale() throws {
    var metric = MetricTraits(id: "mine", column: "mine", title: "mine", decimals: 2)
    metric.scale = MetricTraits.Scale(targets: [90, 50], headline: 70, band: 50...90)
    var judgement = Judgement()
    judgement.headline = "mine"
    #expect(try judgement.options(metrics: [metric]).targets == [50, 90])
  }

  @Test("answers about reads", arguments: 0..<16) func reads(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let scores: [Double?] = [nil, 0, -1e308, 1e308, .infinity, .leastNonzeroMagnitude]
    let times: [Int64] = [0, 1, 10_000_000_000_000_000]
    let sizes = [1, 1 << 31, 1 << 50]
    let records = SampleReads.records(names: ["a", "b", "c", "d", "e", "f"]).map { record in
      guard case .measured(var figures) = record.outcome else { return record }
      figures[.plain] = scores.randomElement(using: &generator) ?? nil
      figures[.ceiling] = scores.randomElement(using: &generator) ?? nil
      let time = times.randomElement(using: &generator) ?? 0
      figures.timing.decode = [TimingSample(wallNanoseconds: time, cpuNanoseconds: time)]
      figures.figures[.decodePeak] = sizes.randomElement(using: &generator)
      figures.encodedBytes = sizes.randomElement(using: &generator) ?? 1
      figures[.touchedBytes] = min(figures[.touchedBytes], figures.encodedBytes)
      (figures[.width], figures[.deliveredWidth]) = (Int(Int32.max), Int(Int32.max))
      #expect(figures.impossibility(of: .read(.full, .all)) == nil)
      var strange = figures
      strange.scores["made up"] = 1
      #expect(strange.impossibility(of: .read(.full, .all)) != nil)
      strange = figures
      strange.failedScores["ssimulacra2"] = "made up"
      #expect(strange.impossibility(of: .read(.full, .all)) != nil)
      var record = record
      record.outcome = .measured(figures)
      return record
    }
    for bandwidth in [nil, 0, .leastNonzeroMagnitude, 1e308] {
      let report = DecodeReport(records, ReadScope(score: 90, bandwidth: bandwidth))
      var csv = ""
      let feature = report.feature()
      try feature.table.write(.csv, to: &csv)
      #expect(!feature.markdown.isEmpty && !csv.isEmpty)
      let folder = try TemporaryFolder()
      try feature.write(to: OwnedFolder(folder.path), version: "1")
      try Self.expectJSON(String(contentsOfFile: folder.path + "/decode.json", encoding: .utf8))
    }
  }

  @Test("tiles: impossible figures are rejected, and possible ones are shown", arguments: 0..<16)
  func tiles(_ seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let pyramid = try #require(TilePyramid(width: 1000, height: 600, tileSize: 256))
    let bytes = [1, 1 << 31, 1 << 42]
    let times: [Int64] = [0, 1, 10_000_000_000_000_000]
    let records = try ["a", "b", "c"].flatMap { name in
      var tiles = TiledLevels(pyramid: pyramid)
      tiles.tiles = pyramid.levels.map { level in
        (0..<level.tileCount).map { _ in
          TileCost(
            bytes: bytes.randomElement(using: &generator) ?? 1,
            cpuNanoseconds: times.randomElement(using: &generator) ?? 0)
        }
      }
      tiles.headerBytes = pyramid.levels.map { _ in 1 << 42 }
      (tiles.seamStep, tiles.wholeSeamStep) = (1e308, .leastNonzeroMagnitude)
      let key = Case(
        image: ImageIdentity(name: name, contentHash: name), preparation: "",
        variant: CodecVariant(codec: "jpeg"),
        quality: try #require(Quality(thousandths: 500)),
        way: .tiles(TileCut(tileSize: 256, overlap: 0, form: .files, view: "")), libraries: "")
      var figures = Figures(tiles: tiles)
      figures[.plain] = [-1e308, 1e308, .infinity].randomElement(using: &generator)
      #expect(figures.impossibility(of: key.way) == nil)
      tiles.tiles[1].removeLast()
      #expect(Figures(tiles: tiles).impossibility(of: key.way) != nil)
      func sample(_ nanoseconds: Int64) -> [TimingSample] {
        [TimingSample(wallNanoseconds: 0, cpuNanoseconds: nanoseconds)]
      }
      let whole = Figures(
        nativeQuality: 0, encodedBytes: bytes.randomElement(using: &generator) ?? 1, encodedHash: "",
        timing: TimingSeries(
          conditions: .contended, encode: sample(times[2]),
          decode: sample(times.randomElement(using: &generator) ?? 0)),
        scores: ["ssimulacra2": [-1e308, 1e308, .infinity].randomElement(using: &generator) ?? 0])
      return [
        CaseRecord(key: key, outcome: .measured(figures)),
        CaseRecord(key: key.untiled(at: key.quality), outcome: .measured(whole)),
      ]
    }
    let view = PixelSize(width: 1920, height: 1080)
    let report = TileReport(records, view: view)
    let feature = report.feature
    #expect(!feature.markdown.isEmpty)
    let folder = try TemporaryFolder()
    let rows = report.rows.map(ResultRow.init(cut:))
    let columns = BaselineColumns.all(.tiles, scores: BaselineColumns.scores(of: .tiles))
    try RowWriter(csv: columns).text(rows).write(
      toFile: folder.path + "/b.csv", atomically: true, encoding: .utf8)
    #expect(try ResultsInput(folder.path + "/b.csv").rows(of: .tiles) == rows)
    try feature.write(to: OwnedFolder(folder.path), version: "1")
    try Self.expectJSON(String(contentsOfFile: folder.path + "/tiles.json", encoding: .utf8))
  }
}
