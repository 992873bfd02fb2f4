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
  /// CPU time of decodes against the wanted size.
  case decodeTime = "decode-time"
  /// Memory of decodes.
  case decodeMemory = "decode-memory"

  /// The charts of sweeps.
  package static let ofSweeps: [ChartKind] = [.rateQuality, .savings, .pareto, .savingsStrip]
  /// The charts of reads.
  static let decodes: [ChartKind] = [.decodeTime, .decodeMemory]

  /// The name of the file beside the summary.
  package var fileName: String { rawValue + ".svg" }

  /// The chart's title.
  package var title: String {
    switch self {
    case .rateQuality: "Quality against bits per pixel"
    case .savings: "Change in bytes at equal quality"
    case .pareto: "Bytes against encode time at equal quality"
    case .savingsStrip: "Change in bytes at equal quality, image by image"
    case .decodeTime: "CPU time of the decode against the wanted size"
    case .decodeMemory: "Memory of the decode"
    }
  }
}
