import Analysis
import Model

/// The charts of a sweep. The raw value is the file's name without `.svg`.
enum ChartKind: String, Sendable, Hashable, CaseIterable {
  case rateQuality = "rate-quality"
  case savings
  case pareto
  case savingsStrip = "savings-by-image"

  var fileName: String { rawValue + ".svg" }

  var title: String {
    switch self {
    case .rateQuality: "Quality against bits per pixel"
    case .savings: "Change in bytes at equal quality"
    case .pareto: "Bytes against encode time at equal quality"
    case .savingsStrip: "Change in bytes at equal quality, image by image"
    }
  }

  func drawing(of analysis: Analysis) -> String? {
    switch self {
    case .rateQuality: RateQualityChart(analysis: analysis).svg
    case .savings: SavingsChart(analysis: analysis).svg
    case .pareto: ParetoChart(analysis: analysis).svg
    case .savingsStrip: SavingsStripChart(analysis: analysis).svg
    }
  }
}

extension Analysis {
  func style(of variant: CodecVariant) -> SeriesStyle {
    SeriesStyle.all(of: variants.map(\.codec))[variants.firstIndex(of: variant) ?? 0]
  }

  var drawnTarget: Double { verdicts.compactMap(\.target).first ?? options.verdictTarget }
}
