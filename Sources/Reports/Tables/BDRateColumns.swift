import Analysis
import Model
import Store

enum BDRateColumns {
  /// `metrics` supply the names; `headlineID` is the metric in which the band is stated.
  static func all(metrics: [MetricTraits], headlineID: String) -> [Column<BDRateSummary>] {
    let titles = Dictionary(metrics.map { ($0.id, $0.title) }) { first, _ in first }
    return [
      .code("variant", "Codec") { $0.variant.name },
      .text("metric", "Metric") { titles[$0.metric] ?? $0.metric },
      .text("range", "Range") { summary in spelling(of: summary, titles: titles, headlineID: headlineID) },
      .change("bd_rate_percent", "BD-rate", decimals: 1) { $0.percent?.mean },
      .change("bd_rate_lower_percent", "95 % from", decimals: 1) { $0.percent?.interval?.lower },
      .change("bd_rate_upper_percent", "to", decimals: 1) { $0.percent?.interval?.upper },
      .change("bd_rate_median_percent", "Median", decimals: 1) { $0.percent?.median },
      .code("best_image", "Best image") { $0.percent?.best.image },
      .code("worst_image", "Worst image") { $0.percent?.worst.image },
      .count("images", "Images") { $0.percent?.images },
      .count("out_of", "of") { $0.percent?.outOf },
      .number("coverage_percent", "Range covered", unit: "%", decimals: 0) { $0.coverage.map { $0 * 100 } },
      Column("remarks", title: "Remarks", alignment: .leading) { Cell(problems: $0.problems) },
    ]
  }

  static func spelling(
    of summary: BDRateSummary, titles: [String: String], headlineID: String
  ) -> String {
    guard case .band(let lower, let upper) = summary.range else { return "all scores in common" }
    let band = "\(titles[headlineID] ?? headlineID) \(Numerals.short(lower)) to \(Numerals.short(upper))"
    return summary.metric == headlineID ? band : "where \(summary.reference.name) has \(band)"
  }
}
