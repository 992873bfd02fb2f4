import Analysis
package import Model
import Store

enum FindingColumns {
  static let points: [Column<ResultRow>] = [
    .code("image", "Image") { $0.image },
    .code("variant", "Codec") { $0.variant?.name },
    Column("quality", title: "Quality") { row in row.quality.map { .numeral($0.description) } ?? .empty },
    .text("error", "Cause") { $0.error },
  ]

  static let images: [Column<ResultRow>] = [
    .code("image", "Image") { $0.image },
    .text("error", "Reason") { $0.error },
  ]

  static let unsupported: [Column<RunDigest.Unsupported>] = [
    .code("variant", "Codec") { $0.variant },
    .count("points", "Points") { $0.points },
    .text("reason", "Reason") { $0.reason },
    .code("example", "For example") { $0.example },
  ]

  static let sanity: [Column<SanityReport.Violation>] = [
    .text("kind", "Finding") { $0.kind.title },
    .code("image", "Image") { $0.image },
    .code("variant", "Codec") { $0.variant.name },
    .text("qualities", "Quality") { $0.qualities.map(\.description).joined(separator: " and ") },
    .text("detail", "Seen") { $0.evidence.phrase },
  ]
}

extension Outcome {
  package var word: String { ResultRow.Status(self).rawValue }

  package func remark(_ remarks: (Value) -> [String]) -> String? {
    switch self {
    case .measured(let value): remarks(value).isEmpty ? nil : remarks(value).joined(separator: "; ")
    case .unsupported(let reason): reason
    case .failed(let failure): "\(failure.kind.rawValue): \(failure.message)"
    }
  }
}

enum ImageFigureColumns {
  static let savingsName = "savings.csv"
  static let ratesName = "bd-rates.csv"

  /// One row for each image, variant and score of the headline metric, `metric`.
  static func savings(metric: String) -> [Column<ImageSaving>] {
    [
      .code("image", "Image") { $0.image.name },
      .code("variant", "Codec") { $0.variant.name },
      .code("reference", "Against") { $0.reference.name },
      .code("metric", "Metric") { _ in metric },
      Column("score", title: "Score") { .numeral(Numerals.short($0.target)) },
      .change("bytes_change_percent", "Bytes", decimals: 1) { $0.sizes?.changePercent },
      .number("bytes", "Bytes", decimals: 0) { $0.sizes?.bytes },
      .number("reference_bytes", "Reference, bytes", decimals: 0) { $0.sizes?.referenceBytes },
      .number("quality", "Quality", decimals: 2) { $0.sizes?.quality },
      .number("reference_quality", "Reference, quality", decimals: 2) { $0.sizes?.referenceQuality },
      .flag("small_image", "Small image") { $0.image.isSmall },
      .text("problem", "Left out") { $0.result.problem?.explanation },
    ]
  }

  static let comparisonsName = "comparisons.csv"
  static let bdRateComparisonsName = "bd-rate-comparisons.csv"

  /// One row for every pair of variants at every score.
  static let comparisons =
    [Column<PairedComparison>("score", title: "Score") { .numeral(Numerals.short($0.scores.lowerBound)) }]
    + pair("bytes_change", "Bytes")

  /// One row for every pair of variants over the range of scores.
  static let bdRateComparisons =
    [
      Column<PairedComparison>("score_from", title: "Scores from") {
        .numeral(Numerals.short($0.scores.lowerBound))
      },
      Column("score_to", title: "to") { .numeral(Numerals.short($0.scores.upperBound)) },
    ] + pair("bd_rate", "BD-rate")

  static func pairTables(
    _ analysis: Analysis
  ) -> [(name: String, columns: [Column<PairedComparison>], rows: [PairedComparison])] {
    [
      (comparisonsName, comparisons, analysis.comparisons),
      (bdRateComparisonsName, bdRateComparisons, analysis.bdRateComparisons),
    ]
  }

  private static func pair(_ change: String, _ title: String) -> [Column<PairedComparison>] {
    [
      .code("variant", "Codec") { $0.variant.name },
      .code("against", "Against") { $0.against.name },
      .change("\(change)_percent", title, decimals: 1) { $0.changePercent },
      .change("\(change)_lower_percent", "95 % from", decimals: 1) { $0.interval?.lower },
      .change("\(change)_upper_percent", "to", decimals: 1) { $0.interval?.upper },
      .count("images", "Images") { $0.images },
      .count("smaller_in", "Smaller in") { $0.smallerIn },
      .flag("told_apart", "Told apart") { $0.isToldApart },
    ]
  }

  static let rates: [Column<ImageBDRate>] = [
    .code("image", "Image") { $0.image.name },
    .code("variant", "Codec") { $0.variant.name },
    .code("reference", "Against") { $0.reference.name },
    .code("metric", "Metric") { $0.metric.id },
    .code("range", "Range") { $0.range == .overlap ? "overlap" : "band" },
    .change("bd_rate_percent", "BD-rate", decimals: 1) { $0.figure?.percent },
    Column("score_from", title: "Scores from") {
      Cell(number: $0.scores?.lowerBound, decimals: $0.metric.decimals)
    },
    Column("score_to", title: "to") { Cell(number: $0.scores?.upperBound, decimals: $0.metric.decimals) },
    .number("coverage_percent", "Range covered", unit: "%", decimals: 0) {
      $0.figure.map { $0.coverage * 100 }
    },
    .flag("small_image", "Small image") { $0.image.isSmall },
    .text("problem", "Left out") { $0.result.problem?.explanation },
  ]
}
