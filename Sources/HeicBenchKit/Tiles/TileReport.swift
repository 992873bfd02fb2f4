import Analysis
package import Model
import Reports
package import Store

/// The report on the cost of tiles: tables as CSV, JSON and Markdown, a page, and charts.
package struct TileReport: Sendable {
  package static let csvName = "tiles.csv"
  package static let pageName = "tiles.html"
  private static let markdownName = "tiles.md"
  private static let jsonName = "tiles.json"

  package let rows: [TileRow]
  private let view: TileView
  private let summary: TileSummary

  /// Reports cuts in this order, with the help of points without tiles.
  package init(_ records: [CaseRecord], view: TileView) {
    rows = TileRow.all(records)
    self.view = view
    summary = TileSummary(rows, viewport: (view.width, view.height))
  }

  /// Reports the last question asked of a store's tiles; nil if there was none.
  package init?(of store: ResultStore) throws {
    guard let question = try store.tileQuestion(), let view = TileView(question.view) else { return nil }
    self.init(try store.tilings(question), view: view)
  }

  package var sentences: [String] { summary.sentences }
  package var markdown: String { summary.markdown }
  package var csv: String { CSVWriter(columns).text(rows) }
  package var json: String { JSONRowsWriter(columns).text(rows) + "\n" }

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

  /// Throws if something foreign occupies the name of a file to be written.
  package static func refuseObstacles(in files: OwnedFolder) throws(OutputError) {
    try files.refuseObstacles(
      among: [csvName, markdownName, jsonName, pageName] + ChartKind.ofTiles.map(\.fileName))
  }

  package func write(to files: OwnedFolder, version: String) throws {
    try files.write(csv, to: Self.csvName)
    try files.write(json, to: Self.jsonName)
    let drawings = summary.drawings
    for kind in ChartKind.ofTiles {
      if let drawing = drawings[kind] {
        try files.write(drawing, to: kind.fileName)
      } else {
        files.remove(kind.fileName)
      }
    }
    try files.write(markdown, to: Self.markdownName)
    try files.write(summary.html(version: version), to: Self.pageName)
  }
}
