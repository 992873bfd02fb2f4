import Analysis
import Reports
import Store

extension ResultsInput {
  /// The costs of a subject, as the gate compares them.
  func costs(of subject: CostSubject) throws -> [GatedCost] {
    guard let store else {
      return try TableCSV.rows(
        ofFile: path, required: GatedCost.requiredColumns(subject), amounts: GatedCost.amountColumns
      ).map { GatedCost(subject, $0) }
    }
    return switch subject {
    case .reads: try store.reads().map { GatedCost(ReadRow($0)) }
    case .tiles: try TileReport(of: store)?.rows.map { GatedCost($0) } ?? []
    }
  }

  /// The baseline of a subject as CSV; throws `HeicBenchError` if nothing was measured.
  func baseline(of subject: CostSubject) throws -> String {
    let store = try store ?? ResultStore(reading: path)
    switch subject {
    case .reads:
      let rows = try store.reads().map(ReadRow.init)
      guard !rows.isEmpty else {
        throw HeicBenchError(
          .resultsUnusable, "no files were read into “\(path)” yet; “heicbench decode” reads them")
      }
      return ReadBaselineColumns.csv(rows)
    case .tiles:
      guard let report = try TileReport(of: store) else {
        throw HeicBenchError(
          .resultsUnusable, "nothing was cut into tiles in “\(path)” yet; “heicbench tiles” does")
      }
      return report.baseline
    }
  }
}
