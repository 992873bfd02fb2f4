import Analysis
package import Model
package import Reports
package import Store

/// The cuts of a folder, as a report.
package struct TileReport: Sendable {
  package static let files = FeatureFiles(table: "tiles.csv", named: "tiles", charts: TileCharts.names)

  package let rows: [TileRow]
  private let view: TileView

  /// Reports cuts in this order, with the help of points without tiles.
  package init(_ records: [CaseRecord], view: TileView) {
    rows = TileRow.all(records)
    self.view = view
  }

  /// Reports the last question asked of a store's tiles; nil if there was none.
  package init?(of store: ResultStore) throws {
    guard let question = try store.tileQuestion(), let view = TileView(question.view) else { return nil }
    self.init(try store.tilings(question), view: view)
  }

  package var feature: FeatureReport {
    let summary = TileSummary(rows, viewport: (view.width, view.height))
    return FeatureReport(
      Self.files, title: "What tiles cost", anchor: "tiles", sentences: summary.sentences,
      blocks: summary.blocks, table: StreamedTable(columns, rows))
  }

  private var columns: [Column<TileRow>] { TileColumns.all(viewport: (view.width, view.height)) }

  /// The cuts as the gate compares them.
  var gated: GatedTable { GatedTable(.tiles, columns, rows, record: \.record) }
}
