import Analysis
import Model
import Reports
import Store

package struct Wishes: Sendable {
  /// The lowest acceptable score of the headline metric; nil for the one that the headline uses.
  package var score: Double?
  /// Share of images that must reach that score, 0 to 1.
  package var share = QualitySetting.usualShare
  /// The smallest acceptable saving over the run's first variant at equal score, percent; nil for none.
  package var savingPercent: Double?
  /// Largest CPU time of each limited operation, milliseconds per megapixel.
  package var cpu = OperationTable<Double>()
  /// Where files will be shown; nil orders settings by bytes only.
  package var purpose: Purpose?
  /// Names of the codecs or variants to choose among; empty for all.
  package var codecs: [String] = []
}

/// A search for settings of a run that meet requirements, using only measured points.
package struct RecommendRequest: Sendable {
  /// A results folder or a measurements.csv.
  package var results: String
  package var wishes = Wishes()
  package var judgement = Judgement()

  package init(results: String = "results") { self.results = results }

  /// Searches the results; measures nothing.
  /// - Throws: `HeicBenchError` if there are no results, or a requirement is impossible.
  package func run() throws -> RecommendOutcome {
    try HeicBenchError.mapping {
      let source = try ResultsInput.rows(at: results)
      let options = try judgement.options(for: source)
      let progress = try source.progress()
      if let problem = problem(options, source) { throw HeicBenchError(.usage, problem) }
      guard
        var builder = RecommendationBuilder(
          wishes, variants: source.variants, metrics: source.metrics, options: options,
          isFinished: progress?.isFinished ?? true)
      else {
        throw HeicBenchError(.usage, "the results have no \(options.headlineMetric) scores")
      }
      let (score, headline) = (builder.score, builder.headline)
      try source.forEachPooledRow { try builder.add($0) }
      try builder.directions.refuseReversed([headline.id])
      return RecommendOutcome(
        found: builder.finish(), wishes: wishes, score: score, headline: headline,
        variants: source.variants, manifest: source.manifest, progress: progress, results: results)
    }
  }

  private func problem(_ options: AnalysisOptions, _ source: RowSource) -> String? {
    let score = wishes.score ?? options.verdictTarget
    let highest = source.metrics.first { $0.id == options.headlineMetric }?.scale?.highest
    let known = source.variants.flatMap { [$0.codec, $0.name] }
    if !score.isFinite || score > highest ?? .infinity {
      return "--score \(Numerals.short(score)): \(options.headlineMetric) has no such score"
        + (highest.map { "; the highest is \(Numerals.short($0))" } ?? "")
    } else if !(wishes.share > 0 && wishes.share <= 1) {
      return "--share must be above 0 and at most 100 %"
    } else if let saving = wishes.savingPercent, !(saving.isFinite && saving < 100) {
      return "--saves must be a number below 100 %"
    } else if let limit = wishes.cpu.known.first(where: { !($0 > 0 && $0.isFinite) }) {
      return "the CPU limit must be above 0 ms/MP, not \(limit)"
    } else if !known.isEmpty, let stranger = wishes.codecs.first(where: { !known.contains($0) }) {
      let names = source.variants.map(\.name).joined(separator: ", ")
      return "the results have no “\(stranger)”; they have \(names)"
    }
    return nil
  }
}
