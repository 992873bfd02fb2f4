package import Analysis
import Model
package import Store

/// The columns of savings.csv and bd-rates.csv: the figures of every image, for further processing.
package enum ImageFigureColumns {
  package static let savingsName = "savings.csv"
  package static let ratesName = "bd-rates.csv"

  /// One row for each image, variant and score of the headline metric `metric`.
  package static func savings(metric: String) -> [Column<ImageSaving>] {
    [
      Column("image", title: "Image", alignment: .leading) { .code($0.image) },
      Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
      Column("reference", title: "Against", alignment: .leading) { .code($0.reference.name) },
      Column("metric", title: "Metric", alignment: .leading) { _ in .code(metric) },
      Column("score", title: "Score") { .numeral(Numerals.short($0.target)) },
      Column("bytes_change_percent", title: "Bytes", unit: "%") {
        Cell(change: $0.sizes?.changePercent, decimals: 1)
      },
      Column("bytes", title: "Bytes") { Cell(number: $0.sizes?.bytes, decimals: 0) },
      Column("reference_bytes", title: "Reference, bytes") {
        Cell(number: $0.sizes?.referenceBytes, decimals: 0)
      },
      Column("quality", title: "Quality") { Cell(number: $0.sizes?.quality, decimals: 2) },
      Column("reference_quality", title: "Reference, quality") {
        Cell(number: $0.sizes?.referenceQuality, decimals: 2)
      },
      Column("small_image", title: "Small image", alignment: .leading) { .flag($0.isSmall) },
      Column("problem", title: "Left out", alignment: .leading) { Cell(text: $0.problem?.explanation) },
    ]
  }

  /// One row for each image, variant, metric and range.
  package static let rates: [Column<ImageBDRate>] = [
    Column("image", title: "Image", alignment: .leading) { .code($0.image) },
    Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
    Column("reference", title: "Against", alignment: .leading) { .code($0.reference.name) },
    Column("metric", title: "Metric", alignment: .leading) { .code($0.metric.id) },
    Column("range", title: "Range", alignment: .leading) { .code($0.range == .overlap ? "overlap" : "band") },
    Column("bd_rate_percent", title: "BD-rate", unit: "%") {
      Cell(change: $0.figure?.percent, decimals: 1)
    },
    Column("score_from", title: "Scores from") {
      Cell(number: $0.scores?.lowerBound, decimals: $0.metric.decimals)
    },
    Column("score_to", title: "to") { Cell(number: $0.scores?.upperBound, decimals: $0.metric.decimals) },
    Column("coverage_percent", title: "Range covered", unit: "%") {
      Cell(number: $0.figure.map { $0.coverage * 100 }, decimals: 0)
    },
    Column("small_image", title: "Small image", alignment: .leading) { .flag($0.isSmall) },
    Column("problem", title: "Left out", alignment: .leading) { Cell(text: $0.problem?.explanation) },
  ]
}
