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

  /// A baseline of the cuts: deterministic figures and memory, sorted so that diffs show only changed figures.
  package var baseline: String {
    let names = [
      "image", "codec", "settings", "build", "quality", "tile_size", "overlap", "whole_bytes", "level0_bytes",
      "total_bytes", "whole_ssimulacra2", "level0_ssimulacra2", "viewport_peak_mib", "status",
    ]
    let known = names.compactMap { name in columns.first { $0.name == name } }
    let order = rows.map { row in (gated: GatedRow(row), row: row) }.sorted {
      ($0.gated.row.image, $0.gated.title) < ($1.gated.row.image, $1.gated.title)
    }
    return CSVWriter(
      known + [
        Column("image_sha256", title: "Image") { Cell(code: GatedRow($0).row.imageHash) },
        Column("libraries", title: "Libraries") { Cell(code: GatedRow($0).row.libraries) },
      ]
    ).text(order.map(\.row))
  }
}
