package import Analysis

package enum ChartSet {
  /// The drawings by kind; a chart without data is absent.
  package static func drawings(of analysis: Analysis) -> [ChartKind: String] {
    var drawings: [ChartKind: String] = [:]
    for kind in ChartKind.allCases { drawings[kind] = drawing(kind, of: analysis) }
    return drawings
  }

  /// One drawing as a standalone SVG file; nil if the analysis has no data for it.
  package static func drawing(_ kind: ChartKind, of analysis: Analysis) -> String? {
    switch kind {
    case .rateQuality: RateQualityChart(analysis).svg
    case .savings: SavingsChart(analysis).svg
    case .pareto: ParetoChart(analysis).svg
    case .savingsStrip: SavingsStripChart(analysis).svg
    }
  }
}
