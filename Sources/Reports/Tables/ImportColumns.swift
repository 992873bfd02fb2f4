package import Analysis
package import Model
package import Store

/// The table “files of other encoders”.
package enum ImportColumns {
  package static func all(headline: MetricTraits?) -> [Column<ImportComparison>] {
    [
      Column("series", title: "Files of", alignment: .leading) { .code($0.series.name) },
      Column("variant", title: "Against", alignment: .leading) { .code($0.variant.name) },
      Column("bytes_ratio", title: "Times its bytes at equal \(headline?.title ?? "score")") {
        Cell(number: $0.ratio, decimals: 2)
      },
      Column("bytes_change_percent", title: "Change", unit: "%") {
        Cell(change: $0.bytes?.mean, decimals: 1)
      },
      Column("interval_lower_percent", title: "95 % from", unit: "%") {
        Cell(change: $0.bytes?.interval?.lower, decimals: 0)
      },
      Column("interval_upper_percent", title: "to", unit: "%") {
        Cell(change: $0.bytes?.interval?.upper, decimals: 0)
      },
      Column("whole_files_ratio", title: "Whole files") { Cell(number: $0.wholeRatio, decimals: 2) },
      Column("best_image", title: "Smallest beside it", alignment: .leading) {
        Cell(code: $0.bytes?.best.image)
      },
      Column("worst_image", title: "Largest beside it", alignment: .leading) {
        Cell(code: $0.bytes?.worst.image)
      },
      Column("quality_median", title: "Its quality there, median") {
        Cell(number: $0.medianQuality, decimals: 2)
      },
      Column("images", title: "Images") { Cell(integer: $0.bytes?.images ?? 0) },
      Column("out_of", title: "of") { Cell(integer: $0.images) },
      Column("files", title: "Files") { Cell(integer: $0.files) },
      Column("problems", title: "Files without a figure", alignment: .leading) { Cell(text: problems($0)) },
    ]
  }

  static let explanation = """
    What files that another encoder made of the same originals take, against what each codec of this run takes for the \
    same score on the same image. Their quality numbers are not known and not needed. What counts is the picture: \
    profile, metadata and previews are left out on both sides, and counted under “Whole files” and in all other tables; \
    of an image with several files the geometric mean counts. Codecs' bytes are read between measured points that are \
    close enough, and nowhere else.
    """

  private static func problems(_ comparison: ImportComparison) -> String? {
    let parts = ImportComparison.Problem.allCases.compactMap { problem in
      comparison.problems[problem].map { "\($0) \(label(problem))" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func label(_ problem: ImportComparison.Problem) -> String {
    switch problem {
    case .unscored: "unscored"
    case .noCurve: "without a curve to stand against"
    case .below: "below all points"
    case .above: "above all points"
    case .sparse: "without a point near enough"
    }
  }
}
