import Model
import SampleData
import Testing

@testable import Analysis
@testable import Store

/// The findings of a search answer its own question, not others that its probes happen to touch.
@Suite struct TargetFindingsTests {
  private func score(_ value: Double) -> AnalysisOptions {
    AnalysisOptions(
      targets: [value], verdictTarget: value, target: QualityTarget(.score(.sampleHeadline, value)))
  }

  private func size(_ bytes: Int) -> AnalysisOptions {
    AnalysisOptions(targets: [], target: QualityTarget(.bytes(bytes)))
  }

  @Test func aSearchForAScoreAnswersAtThatScore() throws {
    let analysis = try SampleRows().analysis(options: score(73))
    let verdict = analysis.verdicts[0]
    #expect(verdict.direction == .saves && verdict.target == 73)
    #expect(abs(try #require(verdict.bytes).mean + 30) < 0.05)
    #expect(analysis.matchedQualities.map(\.target) == [73])
    #expect(analysis.bdRates.isEmpty && analysis.contrasts.isEmpty && analysis.meanCurves.isEmpty)
    let findings = try #require(analysis.target)
    #expect(findings.images == 8)
    #expect(findings.totals.map(\.reached) == [8, 8])
    // The lowest qualities that reach 73: JPEG scores 80 at 0.8, HEIC 77 at 0.8.
    #expect(findings.totals.allSatisfy { abs(($0.meanQuality ?? 0) - 0.8) < 1e-9 })
    let scores = try findings.totals.map { try #require($0.meanScores["ssimulacra2"]) }
    #expect(abs(scores[0] - 80) < 1e-9 && abs(scores[1] - 77) < 1e-9)
  }

  @Test func aSearchForASizeTellsWhichLooksBetterAndByHowMuch() throws {
    let analysis = try SampleRows(share: { 0.5 + 0.02 * Double($0) }).analysis(options: size(200_000))
    let gain = try #require(analysis.target?.gains.first)
    #expect(gain.points.images == 8)
    #expect(abs(gain.score - gain.referenceScore - gain.points.mean) < 1e-9)
    #expect(gain.metric == "ssimulacra2" && gain.points.interval != nil)
    // For a size as target, a saving is better.
    #expect(analysis.verdicts[0].direction == .saves && gain.points.mean > 0)
    #expect(analysis.matchedQualities.isEmpty && analysis.bdRates.isEmpty)
  }

  @Test func aSizeThatNothingFitsHasNoVerdict() throws {
    let analysis = try SampleRows().analysis(options: size(5))
    #expect(analysis.verdicts[0].direction == .unknown)
    #expect(analysis.target?.totals.map(\.reached) == [0, 0])
  }

  @Test func sumsOfForgedSizesDoNotTrap() throws {
    var sweep = SampleRows(images: 3)
    sweep.change = { $0.encodedBytes = .max - 1 }
    let analysis = try sweep.analysis(options: size(.max))
    #expect(analysis.target?.totals.map(\.bytes) == [.max, .max])
  }

  @Test func scoresThatCannotBeAreKnown() {
    let ssim = MetricTraits(
      id: "ssim", column: "ssim", title: "SSIM", curveScale: .decibelsBelowOne, decimals: 5,
      scale: .init(targets: [0.9], headline: 0.9, band: 0.9...0.99, lowest: -1, highest: 1))
    #expect(ssim.isPossible(0.995))
    #expect([5, 1, -2, .nan].allSatisfy { !ssim.isPossible($0) })
    #expect(MetricTraits.sampleHeadline.isPossible(-30))
  }
}
