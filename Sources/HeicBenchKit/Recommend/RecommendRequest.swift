import Analysis
import Model
import Reports
import Store

/// A search for settings of a run that fulfil wishes, from measured points alone.
package struct RecommendRequest: Sendable {
  /// A results folder or a measurements.csv.
  package var results: String
  /// Lowest score of the headline metric; nil for the one that the headline uses.
  package var score: Double?
  /// Share of images that must have that score, 0 to 1.
  package var share = 0.9
  /// Smallest saving over the run's first variant at equal score, percent; nil for none.
  package var savingPercent: Double?
  /// Limits on CPU time by operation, milliseconds per megapixel; a missing one is unlimited.
  package var cpu = OperationTable<Double>()
  /// Codecs or variants to choose among, by name; empty for all.
  package var codecs: [String] = []
  package var judgement = Judgement()

  package init(results: String = "results") { self.results = results }

  /// Searches the results; measures nothing.
  /// - Throws: `HeicBenchError` if there are no results, or a wish is impossible.
  package func run() throws -> RecommendOutcome {
    try HeicBenchError.mapping {
      let source = try ResultsInput.rows(at: results)
      let options = try judgement.options(for: source)
      let headline = source.metrics.first { $0.id == options.headlineMetric }
      let wishes = Wishes(
        score: score ?? options.verdictTarget, share: share, savingPercent: savingPercent,
        cpu: cpu, codecs: codecs)
      try check(wishes, headline, source)
      let progress = try source.progress()
      guard
        var builder = RecommendationBuilder(
          wishes, variants: source.variants, metrics: source.metrics, options: options,
          isFinished: progress?.isFinished ?? true)
      else {
        throw HeicBenchError(.usage, "the results have no scores of \(options.headlineMetric)")
      }
      try source.forEachRow { builder.add($0) }
      return RecommendOutcome(
        found: builder.finish(), wishes: wishes, headline: headline, variants: source.variants,
        manifest: source.manifest, progress: progress, results: results)
    }
  }

  private func check(_ wishes: Wishes, _ headline: MetricTraits?, _ source: RowSource) throws {
    let problem: String? =
      if !wishes.score.isFinite || headline?.scale?.highest.map({ wishes.score > $0 }) == true {
        "there is no such score as \(wishes.score)"
      } else if !(share > 0 && share <= 1) {
        "the share of images lies over 0 and is at most 100 %"
      } else if let savingPercent, !(savingPercent > -1000 && savingPercent < 100) {
        "nothing saves \(savingPercent) %"
      } else if let limit = cpu.known.first(where: { !($0 > 0 && $0.isFinite) }) {
        "no CPU time is at most \(limit) ms/MP"
      } else {
        nil
      }
    if let problem { throw HeicBenchError(.usage, problem) }
    let known = source.variants.flatMap { [$0.codec, $0.name] }
    if !known.isEmpty, let stranger = codecs.first(where: { !known.contains($0) }) {
      let names = source.variants.map(\.name).joined(separator: ", ")
      throw HeicBenchError(.usage, "the results have no “\(stranger)”; there are \(names)")
    }
  }
}

/// Settings that fulfil wishes, fewest bytes first.
package struct RecommendOutcome: Sendable {
  let found: Recommendations
  let wishes: Wishes
  let headline: MetricTraits?
  let variants: [CodecVariant]
  let manifest: RunManifest?
  let progress: RunProgress?
  let results: String

  package var isFulfilled: Bool { !found.fulfilling.isEmpty }

  private var columns: RecommendationColumns {
    RecommendationColumns(headline: headline, reference: found.reference, manifest: manifest)
  }

  package var text: String {
    let wording = RecommendationWording(wishes, headline, found.reference, progress)
    var parts = [wording.sentence(found)]
    if let unfinished = wording.unfinished(found, manifest) { parts.append(unfinished) }
    if !found.fulfilling.isEmpty {
      let notes = [wording.legend(found), wording.bounds(found)].compactMap { $0 }
      parts.append(
        TextTableWriter(columns.brief).table(found.fulfilling) + "\n" + notes.joined(separator: "\n"))
    }
    parts += between(wording)
    if !found.fulfilling.isEmpty { parts.append(commands) }
    if !found.others.isEmpty {
      let title = found.fulfilling.isEmpty ? "The codecs" : "The other codecs"
      let note = found.fulfilling.isEmpty ? "\n" + wording.legend(found) : ""
      parts.append(
        "\(title) at the quality that comes nearest:\n\n"
          + TextTableWriter(columns.missing).table(found.others)
          + note)
    }
    return parts.map { $0.hasSuffix("\n") ? String($0.dropLast()) : $0 }.joined(separator: "\n\n") + "\n"
  }

  /// Qualities that would do by the curves, with commands that measure them and what others lack.
  private func between(_ wording: RecommendationWording) -> [String] {
    let estimated = (found.fulfilling + found.likely).filter { $0.estimate != nil }
    var parts: [String] = []
    if !estimated.isEmpty {
      var text = wording.estimates + "\n\n" + TextTableWriter(columns.estimates).table(estimated)
      if let manifest,
        let command = RecommendationCommand.measuring(estimated, variants: variants, manifest, into: results)
      {
        text += "To measure what the curves tell of: \(command)"
      }
      parts.append(text)
    }
    if let missing = wording.missing(found), let manifest,
      let command = RecommendationCommand.measuring(
        at: wishes.score, variants: variants, manifest, into: results)
    {
      parts.append("\(missing) To measure near to it: \(command)")
    }
    return parts
  }

  private var commands: String {
    var text = TextTableWriter(columns.commands).table(found.fulfilling)
    if let best = found.fulfilling.first,
      let command = manifest.flatMap({ RecommendationCommand.encoding(best, $0) })
    {
      text += "\nWith heicbench: \(command)\n"
    }
    return text + SettingColumns.notes(found.fulfilling.map(\.variant)).map { "\n" + $0 }.joined()
  }

  /// The answer as JSON, described by `$defs/recommendations` of docs/schema.json.
  package var json: String {
    RecommendationJSON.text(
      found, wishes: wishes, headline: headline, columns: columns.all, unfinished: progress?.phrase)
  }
}
