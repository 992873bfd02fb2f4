package import Analysis
import Model

package struct ImportWording {
  private let analysis: Analysis

  package init(_ analysis: Analysis) { self.analysis = analysis }

  private static let mostTold = 4

  /// All comparisons if there are few, else those with the codec that needs the fewest bytes.
  package var sentences: [String] {
    let all = analysis.importComparisons
    guard all.count > Self.mostTold else { return all.map(sentence) }
    let figures = analysis.verdicts.compactMap { verdict in verdict.bytes.map { (verdict.variant, $0.mean) } }
    let best = figures.min { $0.1 < $1.1 }.flatMap { $0.1 < 0 ? $0.0 : nil } ?? all[0].variant
    let told = all.filter { $0.variant == best }
    guard !told.isEmpty else { return all.map(sentence) }
    return told.map(sentence) + [
      "For the other codecs, see “Files of other encoders” in summary.md and report.html."
    ]
  }

  /// `phone’s files take 1.31 times the bytes of heic at equal SSIMULACRA2 (95 % 1.20 to 1.40, 24 images).`
  package func sentence(_ comparison: ImportComparison) -> String {
    let (series, variant) = (comparison.series.name, comparison.variant.name)
    let metric = analysis.headline?.title ?? "score"
    let reasons = reasons(comparison)
    guard let bytes = comparison.bytes, let ratio = comparison.ratio else {
      return "\(series)’s files cannot be compared with \(variant) at equal \(metric): \(reasons)."
    }
    let among =
      bytes.images == bytes.outOf
      ? Numerals.counted(bytes.images, "image") : "\(bytes.images) of \(bytes.outOf) images"
    let compared = comparison.files - comparison.problems.values.reduce(0, +)
    let all = Numerals.counted(comparison.files, "file")
    let whose = compared == comparison.files ? "\(series)’s files" : "\(compared) of \(series)’s \(all)"
    var text =
      "\(whose) \(compared == 1 && comparison.files > 1 ? "needs" : "need") \(Self.factor(ratio)) times the bytes "
      + "of \(variant) at equal \(metric) (\(Self.interval(bytes) ?? "too few for an interval"), "
      + "\(among))"
    if let quality = comparison.medianQuality {
      text += "; \(variant) looks the same at quality \(Numerals.fixed(quality, decimals: 2)) (median)"
    }
    return text + (reasons.isEmpty ? "." : "; \(reasons).") + whole(comparison, compared)
  }

  /// The figure for whole files with its reason, if it differs; otherwise empty.
  private func whole(_ comparison: ImportComparison, _ compared: Int) -> String {
    guard let ratio = comparison.ratio, let whole = comparison.wholeRatio, let more = comparison.moreBytes,
      Self.factor(ratio) != Self.factor(whole)
    else { return "" }
    let interval = comparison.wholeFiles.flatMap(Self.interval).map { " (\($0))" }
    let count = "\(comparison.filesWithMore) of \(Numerals.counted(compared, "file"))"
    return
      " With profiles, metadata and previews, the ratio is \(Self.factor(whole))\(interval ?? ""): \(count) "
      + "\(comparison.filesWithMore == 1 ? "has" : "have") \(more < 0 ? "less" : "more") of these than "
      + "\(comparison.variant.name)’s, by \(Numerals.grouped(abs(more), decimals: 0)) bytes (median)."
  }

  private func reasons(_ comparison: ImportComparison) -> String {
    ImportComparison.Problem.allCases.compactMap { problem in
      comparison.problems[problem].map { count in
        "\(count) of \(Numerals.counted(comparison.files, "file")) \(phrase(problem, count, comparison))"
      }
    }.joined(separator: ", ")
  }

  private func phrase(
    _ problem: ImportComparison.Problem, _ count: Int, _ comparison: ImportComparison
  ) -> String {
    let (has, scores, lies) = count == 1 ? ("has", "scores", "lies") : ("have", "score", "lie")
    let isReversed = analysis.headline?.higherIsBetter == false
    let (worse, better) = isReversed ? ("higher", "lower") : ("lower", "higher")
    let variant = comparison.variant.name
    return switch problem {
    case .unscored: "\(has) no score"
    case .noCurve: "\(has) too few \(variant) results to compare with"
    case .below: "\(scores) \(worse) than every \(variant) result"
    case .above: "\(scores) \(better) than every \(variant) result"
    case .sparse: "\(lies) between \(variant) qualities that are too far apart"
    }
  }

  private static func interval(_ figure: CorpusFigure) -> String? {
    figure.interval.map { "95 % \(factor(1 + $0.lower / 100)) to \(factor(1 + $0.upper / 100))" }
  }

  private static func factor(_ ratio: Double) -> String { Numerals.fixed(ratio, decimals: 2) }
}
