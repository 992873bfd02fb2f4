/// The charts of a sweep. The raw value is the file's name without `.svg`.
package enum ChartKind: String, Sendable, Hashable, CaseIterable {
  case rateQuality = "rate-quality"
  case savings
  case pareto
  case savingsStrip = "savings-by-image"

  package var fileName: String { rawValue + ".svg" }

  package var title: String {
    switch self {
    case .rateQuality: "Quality against bits per pixel"
    case .savings: "Change in bytes at equal quality"
    case .pareto: "Bytes against encode time at equal quality"
    case .savingsStrip: "Change in bytes at equal quality, image by image"
    }
  }
}
