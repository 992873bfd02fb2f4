package import Analysis
package import Model
package import Store

/// Results of a way other than points, as the gate compares them and as the text of a baseline. Both have the numbers of
/// the way's own table, so that a store and a file of it agree exactly.
package struct GatedTable {
  package let rows: [ResultRow]
  package let baseline: () -> String

  package init<Row>(
    _ subject: GateSubject, _ columns: [Column<Row>], _ rows: [Row],
    record: @escaping @Sendable (Row) -> CaseRecord
  ) {
    let all = columns.filter { $0.name != "status" && $0.name != "error" } + Self.columns(record)
    let order = rows.map { row in
      let fields = all.compactMap { column in column.cell(row).field.map { (column.name, $0) } }
      return (gated: subject.row(Dictionary(fields) { $1 }), row: row)
    }.sorted { ($0.gated.image, $0.gated.way) < ($1.gated.image, $1.gated.way) }
    self.rows = order.map(\.gated)
    let written = subject.baselineColumns.compactMap { name in all.first { $0.name == name } }
    baseline = { RowWriter(csv: written).text(order.map(\.row)) }
  }

  /// The circumstances of a case and what came of it, the same for all ways.
  private static func columns<Row>(_ record: @escaping @Sendable (Row) -> CaseRecord) -> [Column<Row>] {
    func text(_ name: String, _ value: @escaping @Sendable (CaseRecord) -> String?) -> Column<Row> {
      Column(name, title: name) { row in
        let value = value(record(row))
        return Cell(code: value == "" ? nil : value)
      }
    }
    return [
      text("status", \.outcome.word), text("error", \.outcome.reason),
      text("image_sha256", \.key.image.contentHash), text("libraries", \.key.libraries),
      text("host", \.timesOrigin?.host), text("processor", \.timesOrigin?.processor),
      .count("jobs", "jobs") { record($0).timesOrigin?.jobs },
    ]
  }
}

extension ResultRow {
  /// Name of the case within its image: `jpeg q 0.8, scaled, 320`.
  fileprivate var way: String { "\(variant?.name ?? "") \(importedFile ?? "")" }
}

extension Outcome {
  fileprivate var reason: String? {
    switch self {
    case .measured: nil
    case .unsupported(let reason): reason
    case .failed(let failure): failure.message
    }
  }
}

extension Cell {
  /// The field of a file for programs before it is guarded or quoted; nil for an empty one.
  fileprivate var field: String? {
    switch self {
    case .empty, .text(""), .code(""): nil
    case .text(let text), .code(let text), .numeral(let text): text
    case .flag(let flag): String(flag)
    case .integer(let count): String(count)
    case .number(let value, let decimals), .change(let value, let decimals):
      Numerals.fixed(value, decimals: decimals + Cell.exactDecimals)
    }
  }
}
