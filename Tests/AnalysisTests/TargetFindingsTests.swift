import Model
import SampleData
import Testing

@testable import Analysis
@testable import Reports
@testable import Store

/// What a search says: its own question, and nothing that its probes happen to touch.
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
    #expect(
      analysis.sentence.hasPrefix("At the target SSIMULACRA2 73, HEIC takes 30 % fewer bytes than JPEG"))
    #expect(analysis.details[0].contains("but overshoot it unequally: HEIC by 4.00 and JPEG by 7.00"))
    #expect(analysis.matchedQualities.map(\.target) == [73])
    #expect(analysis.bdRates.isEmpty && analysis.contrasts.isEmpty && analysis.meanCurves.isEmpty)
    let findings = try #require(analysis.target)
    #expect(findings.images == 8)
    #expect(findings.totals.map(\.reached) == [8, 8])
    // The lowest qualities that reach 73: JPEG scores 80 at 0.8, HEIC 77 at 0.8.
    #expect(findings.totals.allSatisfy { abs(($0.meanQuality ?? 0) - 0.8) < 1e-9 })
    #expect(abs(try #require(findings.totals[1].meanScores["ssimulacra2"]) - 77) < 1e-9)
  }

  @Test func aSearchForASizeSaysWhichLooksBetterAndByHowMuch() throws {
    let analysis = try SampleRows(share: { 0.5 + 0.02 * Double($0) }).analysis(options: size(200_000))
    let gain = try #require(analysis.target?.gains.first)
    #expect(gain.points.images == 8)
    #expect(abs(gain.score - gain.referenceScore - gain.points.mean) < 1e-9)
    let sentence = analysis.sentence
    #expect(sentence.hasPrefix("Within the target of 200 kB, HEIC reaches a mean SSIMULACRA2 of "))
    #expect(sentence.contains(" points better, 95 % interval ") || sentence.contains("but the 95 % interval"))
    #expect(analysis.matchedQualities.isEmpty && analysis.bdRates.isEmpty)
  }

  @Test func aSizeThatNothingFitsSaysSo() throws {
    let analysis = try SampleRows().analysis(options: size(5))
    #expect(analysis.verdicts[0].direction == .unknown)
    #expect(
      analysis.sentence
        == "Within the target of 5 bytes no image has a file of both HEIC and JPEG.")
    #expect(analysis.target?.totals.map(\.reached) == [0, 0])
  }

  @Test func sumsOfForgedSizesDoNotTrap() throws {
    var sweep = SampleRows(images: 3)
    sweep.change = { $0.encodedBytes = .max - 1 }
    let analysis = try sweep.analysis(options: size(.max))
    #expect(analysis.target?.totals.map(\.bytes) == [.max, .max])
  }

  @Test func scoresKeepTheirDigits() {
    #expect(MetricTraits.sampleSSIM.phrase(0.995) == "SSIM 0.995")
    #expect(MetricTraits.sampleSSIM.phrase(0.9985) == "SSIM 0.9985")
    #expect([70, 72.5, -0.25].map(Numerals.brief) == ["70", "72.5", "−0.25"])
    #expect([0.0123, 0.151, 0.997, 2.44, 44.4].map(Numerals.ratio) == ["0.012", "0.15", "1.0", "2.4", "44"])
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
