/// The charts of a report. The raw value is the file's name without `.svg`.
package enum ChartKind: String, Sendable, Hashable, CaseIterable {
  case rateQuality = "rate-quality"
  case savings
  case pareto
  case savingsStrip = "savings-by-image"
  case decodeTime = "decode-time"
  case decodeMemory = "decode-memory"
  case tileOverhead = "tiles-overhead"
  case tileBytes = "tiles-viewport"
  case tileCPU = "tiles-viewport-cpu"

  package static let ofSweeps: [ChartKind] = [.rateQuality, .savings, .pareto, .savingsStrip]
  static let ofRuns = ofSweeps + decodes
  package static let ofTiles: [ChartKind] = [.tileOverhead, .tileBytes, .tileCPU]
  static let decodes: [ChartKind] = [.decodeTime, .decodeMemory]

  package var fileName: String { rawValue + ".svg" }

  package var title: String {
    switch self {
    case .rateQuality: "Quality against bits per pixel"
    case .savings: "Change in bytes at equal quality"
    case .pareto: "Bytes against encode time at equal quality"
    case .savingsStrip: "Change in bytes at equal quality, image by image"
    case .decodeTime: "CPU time of the decode against the wanted size"
    case .decodeMemory: "Memory of the decode"
    case .tileOverhead: "Bytes of tiles at equal SSIMULACRA 2, by tile size"
    case .tileBytes: "Bytes that a viewport takes, by level"
    case .tileCPU: "CPU time that a viewport takes, by level"
    }
  }
}
