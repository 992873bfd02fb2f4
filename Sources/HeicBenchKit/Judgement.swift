package import Analysis
import Metrics
package import Model
package import Reports

/// The metric and scores at which variants are compared.
public struct Judgement: Sendable, Hashable {
  /// The metric of `scores` and `band`; nil for the metric of a searched target, otherwise SSIMULACRA2, or PU21-MS-SSIM
  /// in an HDR run.
  public var headline: String?
  /// The scores at which sizes are compared; empty for the metric's own, which are 50, 70, 80 and 90 for SSIMULACRA2.
  /// The headline uses the one nearest to the metric's own (70) in an ascending list, otherwise the first.
  public var scores: [Double] = []
  /// The range of scores for BD-rates; nil for the metric's own, which is 50 to 90 for SSIMULACRA2.
  public var band: ClosedRange<Double>?

  /// Creates a judgement at the metric's own scores.
  public init() {}

  /// True if the user requested something that may have no answer.
  var isExplicit: Bool { !scores.isEmpty || band != nil || headline != nil }

  package func options(for source: RowSource) throws -> AnalysisOptions {
    let target = source.manifest?.target.flatMap { QualityTarget($0, metrics: source.metrics) }
    return try options(
      metrics: source.metrics, target: target, population: source.manifest?.sample?.population)
  }

  /// The analysis options.
  /// - Parameters:
  ///   - metrics: The run's metrics.
  ///   - target: The target of a search; nil for a sweep.
  ///   - population: The number of images from which the run's images were drawn; nil if it has all.
  /// - Throws: `HeicBenchError` for an unknown metric or an impossible score.
  package func options(
    metrics: [MetricTraits], target: QualityTarget? = nil, population: Int? = nil
  ) throws -> AnalysisOptions {
    let id = try headline(among: metrics) ?? target?.metric?.id ?? MetricTraits.headline(among: metrics).id
    // Runs of earlier versions did not store their metrics' scales.
    let traits = (MetricTraits.standard + MetricTraits.hdr + metrics).first { $0.id == id }
    for score in scores + (band.map { [$0.lowerBound, $0.upperBound] } ?? []) {
      if let traits, !traits.isPossible(score) { throw Self.impossible(score, traits) }
    }
    let searched = target.flatMap { target -> Double? in
      if case .score(let metric, let score) = target.goal, metric.id == id { score } else { nil }
    }
    // A search for a size has no score of its own, and the points it measures answer no other question.
    let ownTargets = searched.map { [$0] } ?? (target == nil ? traits?.scale?.targets : [])
    guard let targets = scores.isEmpty ? ownTargets : Set(scores).sorted() else {
      throw HeicBenchError(
        .usage,
        "--headline \(id): its scale is unknown; give the scores to compare at with --score")
    }
    // Without a scale, the scores are those of the request or of the search, in order.
    let range =
      band ?? traits?.scale?.band ?? targets.first.map { $0...(targets.last ?? $0) }
      ?? AnalysisOptions.standard.band
    var options = AnalysisOptions.standard
    (options.headlineMetric, options.target, options.band) = (id, target, range)
    options.population = population
    options.targets = Set(targets.filter(\.isFinite)).sorted()
    options.verdictTarget = spokenOf(traits) ?? searched ?? traits?.scale?.headline ?? targets.first ?? 0
    return options
  }

  /// The requested score that the headline uses: in an ascending list the one nearest to the metric's own, or the lower
  /// of two; otherwise the first, which must have been put first on purpose.
  private func spokenOf(_ traits: MetricTraits?) -> Double? {
    guard scores == scores.sorted(), let own = traits?.scale?.headline else { return scores.first }
    return scores.min { abs($0 - own) < abs($1 - own) }
  }

  /// The requested metric; throws if the results do not have its scores.
  private func headline(among metrics: [MetricTraits]) throws -> String? {
    guard let headline, !metrics.contains(where: { $0.id == headline }) else { return headline }
    let known = (MetricTraits.standard + metrics).map(\.id)
    let own = metrics.map(\.id).joined(separator: ", ")
    let problem =
      known.contains(headline)
      ? "these scores are missing"
      : "there is no such metric\(suggestion(for: headline, among: known))"
    throw HeicBenchError(
      .usage,
      "--headline \(headline): \(problem); the results have \(own.isEmpty ? "no scores at all" : own)")
  }

  private static func impossible(_ score: Double, _ traits: MetricTraits) -> HeicBenchError {
    let lowest = traits.scale?.lowest.map(Numerals.short) ?? ""
    let highest = traits.scale?.highest.map(Numerals.short) ?? ""
    let range =
      lowest.isEmpty
      ? (highest.isEmpty ? "" : "; it is at most \(highest)") : "; it is between \(lowest) and \(highest)"
    return HeicBenchError(
      .usage, "\(traits.title) cannot be compared at \(Numerals.short(score))\(range)")
  }
}

/// The contents of the page besides plots and tables.
public struct PageSettings: Sendable, Hashable {
  /// Number of images to show, those with extreme and median savings first; nil for all.
  public var images: Int? = 3
  /// True to embed pictures in the page, false to put them in a folder next to it; nil embeds up to 20 MB.
  public var embedsImages: Bool?
  /// The page's title; nil names the codecs.
  public var title: String?

  /// Creates the default settings, with three images.
  public init() {}

  /// All settings as text that distinguishes one page from another.
  var spelling: String {
    [images.map(String.init), embedsImages.map { $0 ? "in" : "beside" }, title].map { $0 ?? "-" }
      .joined(separator: "\n")
  }
}
