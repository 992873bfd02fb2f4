import ArgumentParser
import HeicBenchKit
import Metrics
import Model

struct JudgementOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Scores of the headline metric at which sizes are compared, with commas between; the headline speaks of the one "
        + "nearest to 70 (the metric's own), or of the first where they are not in order, as in 90,50,70. (default: "
        + "the target of a search, else those of the metric: 50,70,80,90 for ssimulacra2)",
      valueName: "scores"),
    transform: { try ScoreList(parsing: $0) })
  var at: ScoreList?

  @Option(
    help: ArgumentHelp(
      "The range of scores over which BD-rates are taken. (default: that of the metric, 50...90 for ssimulacra2)",
      valueName: "low...high"),
    transform: { try ScoreBand(parsing: $0) })
  var band: ScoreBand?

  @Option(
    help: ArgumentHelp(
      "The metric that --at and --band are scores of. (default: that of a searched target, else ssimulacra2)",
      valueName: "metric"),
    completion: .list(MetricTraits.standard.map(\.id)))
  var headline: String?

  var judgement: Judgement {
    var judgement = Judgement()
    judgement.headline = headline
    judgement.scores = at?.scores ?? []
    judgement.band = band?.range
    return judgement
  }
}

/// The value of `--at` or `--score`: `70` or `50,70,90`.
struct ScoreList: Equatable {
  /// The scores in the order given.
  let scores: [Double]

  init(_ scores: Double...) { self.scores = scores }

  init(parsing text: String) throws {
    scores = try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let score = Double(part), score.isFinite else {
        throw ValidationError("“\(part)” is no score; write numbers with commas between, such as 50,70,90.")
      }
      return score
    }
  }
}

/// The value of `--band`: `50...90`.
struct ScoreBand: Equatable {
  let range: ClosedRange<Double>

  init(parsing text: String) throws {
    let ends = text.split(separator: "...", omittingEmptySubsequences: false).map { Double($0) }
    guard ends.count == 2, let low = ends[0], let high = ends[1], low.isFinite, high.isFinite, low < high
    else {
      throw ValidationError("“\(text)” is no range of scores; write LOW...HIGH, such as 50...90.")
    }
    range = low...high
  }
}
