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
  /// Memory over a scroll through a gallery.
  case galleryMemory = "gallery-memory"
  /// Cells without a picture over the same.
  case galleryBlank = "gallery-blank"
  /// Bytes of tiles against the picture without them, by tile size.
  case tileOverhead = "tiles-overhead"
  /// Bytes of a viewport against the level.
  case tileBytes = "tiles-viewport"
  /// CPU time of a viewport against the level.
  case tileCPU = "tiles-viewport-cpu"

  /// The charts of sweeps.
  package static let ofSweeps: [ChartKind] = [.rateQuality, .savings, .pareto, .savingsStrip]
  /// The charts that a run's reports show.
  static let ofRuns = ofSweeps + decodes
  /// The charts of tiles.
  package static let ofTiles: [ChartKind] = [.tileOverhead, .tileBytes, .tileCPU]
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
    case .galleryMemory: "Memory over the scroll"
    case .galleryBlank: "Cells without a picture over the scroll"
    case .tileOverhead: "Bytes of tiles at equal SSIMULACRA 2, by tile size"
    case .tileBytes: "Bytes that a viewport takes, by level"
    case .tileCPU: "CPU time that a viewport takes, by level"
    }
  }
}
