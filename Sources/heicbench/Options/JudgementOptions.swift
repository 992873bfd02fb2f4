import Analysis
import ArgumentParser
import Curves
import Metrics
import Model
import Reports

/// What the analysis is asked for.
struct JudgementOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Scores of the headline metric at which sizes are compared, with commas between; the headline speaks of the "
        + "first. (default: the target of a search, else those of the metric: 50,70,80,90 for ssimulacra2, with "
        + "70 in the headline)", valueName: "scores"),
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
    completion: .list(MetricSuite.standard.map(\.id)))
  var headline: String?

  /// Whether anything was asked for that could have no answer.
  var isExplicit: Bool { at != nil || band != nil || headline != nil }

  /// The analysis's options for rows from a store or a file.
  func options(for source: RowSource) throws -> AnalysisOptions {
    let target = source.manifest?.target.flatMap { QualityTarget($0, metrics: source.metrics) }
    return try options(metrics: source.metrics, target: target)
  }

  /// The analysis's options.
  /// - Parameters:
  ///   - metrics: those of the run.
  ///   - target: what the run searched for; nil for a sweep.
  /// - Throws: `CommandError` where a metric or a score cannot be.
  func options(metrics: [MetricTraits], target: QualityTarget? = nil) throws -> AnalysisOptions {
    let id = try headline(among: metrics) ?? target?.metric?.id ?? AnalysisOptions().headlineMetric
    // Runs of earlier versions have not kept the scales of their metrics.
    let traits = (MetricSuite.standard + metrics).first { $0.id == id }
    for score in (at?.scores ?? []) + (band.map { [$0.range.lowerBound, $0.range.upperBound] } ?? []) {
      if let traits, !traits.isPossible(score) { throw Self.impossible(score, traits) }
    }
    let searched = target.flatMap { target -> Double? in
      if case .score(let metric, let score) = target.goal, metric.id == id { score } else { nil }
    }
    // A search for a size has no score of its own, and what it measured on its way answers no other question.
    let ownTargets = searched.map { [$0] } ?? (target == nil ? traits?.scale?.targets : [])
    guard let targets = at?.scores ?? ownTargets else {
      throw CommandError(
        .usage,
        "--headline \(id): nothing is known of its scale; say with --at at which scores to compare")
    }
    let measured = targets.first.map { $0...(targets.last ?? $0) }
    let range = band?.range ?? traits?.scale?.band ?? measured ?? AnalysisOptions().band
    return AnalysisOptions(
      headlineMetric: id, targets: targets, band: range,
      verdictTarget: at?.first ?? searched ?? traits?.scale?.headline ?? targets.first ?? 0, target: target,
      takesBDRates: range.lowerBound < range.upperBound)
  }

  /// The metric that was asked for, if it exists.
  private func headline(among metrics: [MetricTraits]) throws -> String? {
    guard let headline, !metrics.contains(where: { $0.id == headline }) else { return headline }
    let known = (MetricSuite.standard + metrics).map(\.id)
    let own = metrics.map(\.id).joined(separator: ", ")
    let problem =
      known.contains(headline)
      ? "the results have no such scores"
      : "there is no such metric\(suggestion(for: headline, among: known))"
    throw CommandError(
      .usage, "--headline \(headline): \(problem); there are \(own.isEmpty ? "no scores at all" : own)")
  }

  private static func impossible(_ score: Double, _ traits: MetricTraits) -> CommandError {
    let lowest = traits.scale?.lowest.map(Numerals.short) ?? ""
    let highest = traits.scale?.highest.map(Numerals.short) ?? ""
    let range =
      lowest.isEmpty
      ? (highest.isEmpty ? "" : ", it is at most \(highest)") : ", it lies between \(lowest) and \(highest)"
    return CommandError(
      .usage, "\(traits.title) cannot be compared at \(Numerals.short(score))\(range)")
  }
}

/// What `--at` takes: `70` or `50,70,90`.
struct ScoreList: Equatable {
  /// Ascending.
  let scores: [Double]
  /// The one that was written first.
  let first: Double?

  init(parsing text: String) throws {
    let written = try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      guard let score = Double(part), score.isFinite else {
        throw ValidationError("“\(part)” is no score; write numbers with commas between, such as 50,70,90.")
      }
      return score
    }
    (scores, first) = (Set(written).sorted(), written.first)
  }
}

/// What `--band` takes: `50...90`.
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
