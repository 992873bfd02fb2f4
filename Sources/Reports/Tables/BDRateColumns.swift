package import Analysis
package import Model
package import Store

package enum BDRateColumns {
  /// `metrics` supply the names; `headlineID` is the metric in which the band is stated.
  package static func all(metrics: [MetricTraits], headlineID: String) -> [Column<BDRateSummary>] {
    let titles = Dictionary(metrics.map { ($0.id, $0.title) }) { first, _ in first }
    return [
      Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
      Column("metric", title: "Metric", alignment: .leading) { .text(titles[$0.metric] ?? $0.metric) },
      Column("range", title: "Range", alignment: .leading) { summary in
        .text(spelling(of: summary, titles: titles, headlineID: headlineID))
      },
      Column("bd_rate_percent", title: "BD-rate", unit: "%") { Cell(change: $0.percent?.mean, decimals: 1) },
      Column("bd_rate_lower_percent", title: "95 % from", unit: "%") {
        Cell(change: $0.percent?.interval?.lower, decimals: 1)
      },
      Column("bd_rate_upper_percent", title: "to", unit: "%") {
        Cell(change: $0.percent?.interval?.upper, decimals: 1)
      },
      Column("bd_rate_median_percent", title: "Median", unit: "%") {
        Cell(change: $0.percent?.median, decimals: 1)
      },
      Column("best_image", title: "Best image", alignment: .leading) { Cell(code: $0.percent?.best.image) },
      Column("worst_image", title: "Worst image", alignment: .leading) {
        Cell(code: $0.percent?.worst.image)
      },
      Column("images", title: "Images") { Cell(integer: $0.percent?.images) },
      Column("out_of", title: "of") { Cell(integer: $0.percent?.outOf) },
      Column("coverage_percent", title: "Range covered", unit: "%") {
        Cell(number: $0.coverage.map { $0 * 100 }, decimals: 0)
      },
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
