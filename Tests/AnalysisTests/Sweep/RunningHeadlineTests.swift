import Model
import SampleData
import Store
import Testing

@testable import Analysis

@Suite struct RunningHeadlineTests {
  private static func headline(_ sweep: SampleRows, _ options: AnalysisOptions = .init()) throws
    -> RunningHeadline
  {
    try #require(
      RunningHeadline(variants: sweep.variants, metric: .sampleHeadline, options: options))
  }

  private static func add(_ row: ResultRow, to headline: inout RunningHeadline) throws {
    headline.add(
      ImageIdentity(name: row.image, contentHash: row.imageHash ?? ""), try #require(row.variant),
      bytes: try #require(row.encodedBytes), score: row.scores["ssimulacra2"])
  }

  @Test("when everything is measured, it is the answer, whatever the order")
  func isTheAnswer() throws {
    let sweep = SampleRows(images: 12, share: { 0.6 + 0.02 * Double($0) })
    let verdict = try sweep.analysis().verdicts[0]
    for rows in [sweep.rows(), sweep.rows().reversed()] {
      var headline = try Self.headline(sweep)
      for row in rows { try Self.add(row, to: &headline) }
      let told = try #require(headline.verdicts(outOf: 12).first)
      let (own, final) = (try #require(told.bytes), try #require(verdict.bytes))
      #expect(abs(own.mean - final.mean) < 1e-9)
      #expect(abs((own.interval?.lower ?? 0) - (final.interval?.lower ?? 1)) < 1e-9)
      #expect(own.images == 12 && own.outOf == 12 && told.direction == verdict.direction)
      #expect(told.target == verdict.target && own.best == final.best && own.worst == final.worst)
    }
  }

  @Test("there is none before five images have a figure, or if points are far apart")
  func isSilent() throws {
    let sweep = SampleRows(images: 12)
    var headline = try Self.headline(sweep)
    for row in sweep.rows() {
      #expect(headline.verdicts(outOf: 12).allSatisfy { ($0.bytes?.images ?? 0) >= 5 })
      try Self.add(row, to: &headline)
    }
    #expect(headline.verdicts(outOf: 12).first?.bytes?.outOf == 12)
    // Three points of a wide scale leave a gap around the score.
    let wide = SampleRows(images: 12, qualities: 2)
    var gappy = try Self.headline(wide)
    for row in wide.rows() { try Self.add(row, to: &gappy) }
    #expect(gappy.verdicts(outOf: 12).isEmpty)
  }

  @Test("invalid scores and other codecs are ignored")
  func strangers() throws {
    let sweep = SampleRows(images: 6)
    var headline = try Self.headline(sweep)
    let image = ImageIdentity(name: "a", contentHash: "")
    headline.add(image, CodecVariant(codec: "other"), bytes: 5, score: 70)
    for score in [nil, Double.nan, .infinity] {
      headline.add(image, sweep.variants[0], bytes: 5, score: score)
    }
    #expect(headline.verdicts(outOf: 1).isEmpty)
    #expect(RunningHeadline(variants: [sweep.variants[0]], metric: .sampleHeadline, options: .init()) == nil)
  }
}
