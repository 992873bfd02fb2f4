package import Analysis
package import Model
package import Store

package enum FileColumns {
  package static func all(headline: MetricTraits?) -> [Column<FileComparison>] {
    [
      .code("variant", "Codec") { $0.variant.name },
      .target(headline) { $0.target },
      .count("file_bytes", "Files as they are", unit: "bytes") { $0.fileBytes },
      .number("bytes", "Converted", unit: "bytes", decimals: 0) { $0.bytes },
      .change("bytes_change_percent", "Change", decimals: 1) { $0.changePercent },
      .count("larger", "Files that grow") { $0.larger },
      .count("images", "Images") { $0.images },
      .count("out_of", "of") { $0.outOf },
    ]
  }

  static let explanation = """
    The bytes of the lossy source files now, and of the same pixels converted at a score. The score compares \
    with the file as it is: a conversion adds its own loss. Camera data, thumbnails and profiles count only in \
    the file's bytes.
    """
}

enum ImportColumns {
  static func all(headline: MetricTraits?) -> [Column<ImportComparison>] {
    [
      .code("series", "Files of") { $0.series.name },
      .code("variant", "Against") { $0.variant.name },
      .number("bytes_ratio", "Times its bytes at equal \(headline?.title ?? "score")", decimals: 2) {
        $0.ratio
      },
      .change("bytes_change_percent", "Change", decimals: 1) { $0.bytes?.mean },
      .change("interval_lower_percent", "95 % from", decimals: 0) { $0.bytes?.interval?.lower },
      .change("interval_upper_percent", "to", decimals: 0) { $0.bytes?.interval?.upper },
      .number("whole_files_ratio", "Whole files", decimals: 2) { $0.wholeRatio },
      .code("best_image", "Smallest beside it") { $0.bytes?.extremes?.best.image },
      .code("worst_image", "Largest beside it") { $0.bytes?.extremes?.worst.image },
      .number("quality_median", "Its quality there, median", decimals: 2) { $0.medianQuality },
      .count("images", "Images") { $0.bytes?.images ?? 0 },
      .count("out_of", "of") { $0.images },
      .count("files", "Files") { $0.files },
      .text("problems", "Files without a figure") { problems($0) },
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
    let labels: [(ImportComparison.Problem, String)] = [
      (.unscored, "unscored"), (.noCurve, "without a curve to stand against"), (.below, "below all points"),
      (.above, "above all points"), (.sparse, "without a point near enough"),
    ]
    let parts = labels.compactMap { problem, label in comparison.problems[problem].map { "\($0) \(label)" } }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
