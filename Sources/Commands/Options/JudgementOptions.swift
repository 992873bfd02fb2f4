import ArgumentParser
import HeicBenchKit
import Metrics
import Reports

struct JudgementOptions: ParsableArguments {
  @Option(
    "Scores of the headline metric at which sizes are compared, comma-separated; the headline uses the one "
      + "nearest to 70 (or the metric's equivalent), or the first if they are not ascending, as in 90,50,70. (default: "
      + "the target of a search, else those of the metric: 50,70,80,90 for ssimulacra2)", value: "scores")
  var score: ScoreList?

  @Option(
    "The range of scores for BD-rates. (default: the metric's, 50...90 for ssimulacra2)", value: "low...high")
  var band: ScoreBand?

  @Option(
    "The metric of --score and --band. (default: that of --target, or ssimulacra2)", value: "metric",
    completion: .list(MetricTraits.standard.map(\.id)))
  var headline: String?

  var judgement: Judgement {
    var judgement = Judgement()
    judgement.headline = headline
    judgement.scores = score?.scores ?? []
    judgement.band = band?.range
    return judgement
  }
}

/// The value of `--score`: `70` or `50,70,90`.
struct ScoreList: ParsedValue, Equatable, CustomStringConvertible {
  let scores: [Double]

  var description: String { scores.map(Numerals.short).joined(separator: ",") }

  init(_ scores: Double...) { self.scores = scores }

  init(parsing text: String) throws {
    var seen: Set<Double> = []
    scores = try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let score = Double(part), score.isFinite else {
        throw ValidationError("“\(part)” is not a score; write comma-separated numbers, such as 50,70,90.")
      }
      return score
    }.filter { seen.insert($0).inserted }
  }
}

/// The value of `--band`: `50...90`.
struct ScoreBand: ParsedValue, Equatable {
  let range: ClosedRange<Double>

  init(parsing text: String) throws {
    let ends = text.split(separator: "...", omittingEmptySubsequences: false).map { Double($0) }
    guard ends.count == 2, let low = ends[0], let high = ends[1], low.isFinite, high.isFinite, low < high
    else {
      throw ValidationError("“\(text)” is not a range of scores; write LOW...HIGH, such as 50...90.")
    }
    range = low...high
  }
}
