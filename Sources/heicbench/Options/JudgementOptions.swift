import ArgumentParser
import BenchModel
import Metrics
import Results

/// What the analysis is asked for.
struct JudgementOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Scores of the headline metric at which sizes are compared, with commas between.", valueName: "scores"),
    transform: { try ScoreList(parsing: $0) })
  var at = ScoreList(scores: AnalysisOptions().targets)

  @Option(
    help: ArgumentHelp(
      "The range of scores over which BD-rates are taken. (default: 50...90)", valueName: "low...high"),
    transform: { try ScoreBand(parsing: $0) })
  var band = ScoreBand(range: AnalysisOptions().band)

  @Option(
    help: ArgumentHelp("The metric that --at and --band are scores of.", valueName: "metric"),
    completion: .list(MetricSuite.standard.map(\.id)))
  var headline = AnalysisOptions().headlineMetric

  /// The analysis's options.
  var options: AnalysisOptions {
    var options = AnalysisOptions(headlineMetric: headline, targets: at.scores, band: band.range)
    // The verdict speaks of the score that was asked for; of the default where that is among several.
    if !at.scores.contains(options.verdictTarget), let middle = at.scores.dropFirst(at.scores.count / 2).first
    {
      options.verdictTarget = middle
    }
    return options
  }
}

/// What `--at` takes: `70` or `50,70,90`.
struct ScoreList: Equatable {
  let scores: [Double]

  init(scores: [Double]) { self.scores = scores }

  init(parsing text: String) throws {
    scores = try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let score = Double(part), score.isFinite else {
        throw ValidationError("“\(part)” is no score; write numbers with commas between, such as 50,70,90.")
      }
      return score
    }.sorted()
  }
}

/// What `--band` takes: `50...90`.
struct ScoreBand: Equatable {
  let range: ClosedRange<Double>

  init(range: ClosedRange<Double>) { self.range = range }

  init(parsing text: String) throws {
    let ends = text.split(separator: "...", omittingEmptySubsequences: false).map { Double($0) }
    guard ends.count == 2, let low = ends[0], let high = ends[1], low.isFinite, high.isFinite, low < high
    else {
      throw ValidationError("“\(text)” is no range of scores; write LOW...HIGH, such as 50...90.")
    }
    range = low...high
  }
}
