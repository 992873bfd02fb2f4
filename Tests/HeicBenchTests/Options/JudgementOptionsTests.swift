import ArgumentParser
import Metrics
import Model
import Testing

@testable import Analysis
@testable import Commands
@testable import HeicBenchKit

@Suite("Where codecs are compared")
struct JudgementOptionsTests {
  private func options(
    _ arguments: [String], target: String? = nil, metrics: [MetricTraits] = MetricTraits.standard
  ) throws -> AnalysisOptions {
    try JudgementOptions.parse(arguments).judgement.options(
      metrics: metrics, target: target.flatMap { QualityTarget($0, metrics: metrics) })
  }

  @Test("each metric has scores of its own", arguments: MetricTraits.standard)
  func defaults(metric: MetricTraits) throws {
    let scale = try #require(metric.scale)
    let options = try options(["--headline", metric.id])
    #expect(options.headlineMetric == metric.id)
    #expect(options.targets == scale.targets && options.targets == options.targets.sorted())
    #expect(options.targets.contains(options.verdictTarget))
    #expect(options.band == scale.band && options.takesBDRates)
    #expect(options.targets.allSatisfy(metric.isPossible))
  }

  @Test(
    "defaults are the analysis's; the first score leads, or in a sorted list the nearest to the metric's own"
  )
  func letsTheFirstScoreOutOfOrderLead() throws {
    #expect(try options([]) == AnalysisOptions())
    let chosen = try options(["--score", "85,75,85"])
    #expect(chosen.targets == [75, 85])
    #expect(chosen.verdictTarget == 85)
    // In a sorted list, the score nearest to the metric's own 70 leads.
    let lists = [("50,70,90", 70), ("80,90", 80), ("50,90", 50), ("90,70,50", 90), ("60", 60)]
    for (list, leading) in lists {
      #expect(try options(["--score", list]).verdictTarget == Double(leading), "\(list)")
    }
  }

  @Test("a search is judged at its target alone")
  func search() throws {
    let score = try options([], target: "psnr-y=38")
    #expect(score.headlineMetric == "psnr-y" && score.targets == [38] && score.verdictTarget == 38)
    #expect(!score.takesBDRates)
    let size = try options([], target: "bytes=30000")
    #expect(size.headlineMetric == "ssimulacra2" && size.targets.isEmpty && !size.takesBDRates)
    #expect(try options(["--score", "60"], target: "ssimulacra2=80").targets == [60])
  }

  @Test(
    "impossible scores and bands are refused",
    arguments: [
      (["--score", "200"], "at most 100"),
      (["--headline", "ssim", "--score", "0.95,1,5"], "between -1 and 1"),
      (["--headline", "ssim", "--band", "50...90"], "cannot be compared at 50"),
      (["--headline", "psnr"], "did you mean “psnr-y”?"), (["--headline", "nonsense"], "no such metric"),
    ])
  func refused(arguments: [String], reason: String) throws {
    let error = #expect(throws: HeicBenchError.self) { try options(arguments) }
    #expect(error.map { "\($0)" }?.contains(reason) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test("a user's own metric can lead if its scores are given")
  func ownMetric() throws {
    let own = MetricTraits(id: "mine", column: "mine", title: "mine", higherIsBetter: false, decimals: 4)
    #expect(throws: HeicBenchError.self) { try options(["--headline", "mine"], metrics: [own]) }
    let one = try options(["--headline", "mine", "--score", "1.5"], metrics: [own])
    #expect(one.targets == [1.5] && !one.takesBDRates)
    #expect(try options(["--headline", "mine", "--score", "2,1"], metrics: [own]).band == 1...2)
    #expect(throws: HeicBenchError.self) { try options(["--headline", "ssim"], metrics: [own]) }
  }
}
