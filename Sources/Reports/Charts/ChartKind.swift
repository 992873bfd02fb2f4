/// The charts of a report. The raw value is the file's name without `.svg`.
package enum ChartKind: String, Sendable, Hashable, CaseIterable {
  /// Score against bits per pixel.
  case rateQuality = "rate-quality"
  /// Change in bytes against the target score.
  case savings
  /// Bits per pixel against encode time at a target.
  case pareto
  /// Change in bytes of each image at a target.
  case savingsStrip = "savings-by-image"

  /// The name of the file beside the summary.
  package var fileName: String { rawValue + ".svg" }

  /// The chart's title.
  package var title: String {
    switch self {
    case .rateQuality: "Quality against bits per pixel"
    case .savings: "Change in bytes at equal quality"
    case .pareto: "Bytes against encode time at equal quality"
    case .savingsStrip: "Change in bytes at equal quality, image by image"
    }
  }
}
