import Analysis
import Reports
import Store

extension ResultsInput {
  /// The rows of reads or tiles, as the gate compares them.
  func costs(of subject: GateSubject) throws -> [GatedRow] {
    guard let store else {
      return try TableCSV.rows(
        ofFile: path, required: GatedRow.requiredColumns(subject), amounts: GatedRow.amountColumns
      ).map { GatedRow(subject, $0) }
    }
    return switch subject {
    case .points: []
    case .reads: try store.reads().map { GatedRow(ReadRow($0)) }
    case .tiles: try TileReport(of: store)?.rows.map { GatedRow($0) } ?? []
    }
  }

  /// The baseline of reads or tiles as CSV; throws `HeicBenchError` if nothing was measured.
  func baseline(of subject: GateSubject) throws -> String {
    let store = try store ?? ResultStore(reading: path)
    if subject == .tiles {
      guard let report = try TileReport(of: store) else {
        throw HeicBenchError(
          .resultsUnusable, "nothing was cut into tiles in “\(path)” yet; “heicbench tiles” does")
      }
      return report.baseline
    }
    let rows = try store.reads().map(ReadRow.init)
    guard !rows.isEmpty else {
      throw HeicBenchError(
        .resultsUnusable, "no files were read into “\(path)” yet; “heicbench decode” reads them")
    }
    return DecodeColumns.baseline(rows)
  }
}
