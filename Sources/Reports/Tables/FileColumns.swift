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
    The bytes of the lossy source files, and of the same pixels converted at each score. The score compares \
    with the file as it is: a conversion adds its own loss. Camera data, thumbnails and profiles count only in \
    the file's bytes.
    """
}

enum ImportColumns {
  static func all(headline: MetricTraits?) -> [Column<ImportComparison>] {
    [
      .code("series", "Files of") { $0.series.name },
      .code("variant", "Against") { $0.variant.name },
      .number("bytes_ratio", "Ratio of bytes at equal \(headline?.title ?? "score")", decimals: 2) {
        $0.ratio
      },
      .change("bytes_change_percent", "Change", decimals: 1) { $0.bytes?.mean },
      .change("interval_lower_percent", "95 % from", decimals: 0) { $0.bytes?.interval?.lower },
      .change("interval_upper_percent", "to", decimals: 0) { $0.bytes?.interval?.upper },
      .number("whole_files_ratio", "Whole files", decimals: 2) { $0.wholeRatio },
      .code("best_image", "Smallest ratio") { $0.bytes?.extremes?.best.image },
      .code("worst_image", "Largest ratio") { $0.bytes?.extremes?.worst.image },
      .number("quality_median", "Codec's quality, median", decimals: 2) { $0.medianQuality },
      .count("images", "Images") { $0.bytes?.images ?? 0 },
      .count("out_of", "of") { $0.images },
      .count("files", "Files") { $0.files },
      .text("problems", "Files without a figure") { problems($0, headline) },
    ]
  }

  static let explanation = """
    The bytes of files that another encoder made from the same originals, relative to each codec of this run at the \
    same score on the same image. The files' quality numbers are unknown and not needed. Only the picture counts: \
    profiles, metadata and previews are left out on both sides, but included in “Whole files” and in all other tables. \
    For an image with several files, their geometric mean counts. Codecs' bytes are interpolated only between measured \
    points that are close enough.
    """

  private static func problems(_ comparison: ImportComparison, _ headline: MetricTraits?) -> String? {
    let (worse, better) = headline?.higherIsBetter == false ? ("above", "below") : ("below", "above")
    let labels: [(ImportComparison.Problem, String)] = [
      (.unscored, "unscored"), (.noCurve, "without a curve to compare with"), (.below, "\(worse) all points"),
      (.above, "\(better) all points"), (.sparse, "without a nearby point"),
    ]
    let parts = labels.compactMap { problem, label in comparison.problems[problem].map { "\($0) \(label)" } }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}
