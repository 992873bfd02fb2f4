package import Analysis
package import Model
package import Store

/// What tiles cost: the files that say so by themselves.
package struct TileReport: Sendable {
  /// The table of all cuts.
  package static let csvName = "tiles.csv"
  /// The page.
  package static let pageName = "tiles.html"
  private static let markdownName = "tiles.md"
  private static let jsonName = "tiles.json"

  /// The cuts, in their order.
  package let rows: [TileRow]
  private let view: TileView
  private let summary: TileSummary

  /// Reports cuts in this order.
  package init(_ records: [TilingRecord], points: [WholePoint], view: TileView) {
    rows = TileRow.all(records, points: points)
    self.view = view
    summary = TileSummary(rows, viewport: (view.width, view.height))
  }

  /// Reports what was asked last of the tiles of a store; nil where nothing was.
  package init?(of store: ResultStore) throws(StoreError) {
    guard let question = try store.tileQuestion(), let view = TileView(question.view) else { return nil }
    let (records, points) = try store.tilings(question)
    self.init(records, points: points, view: view)
  }

  /// The answers, one sentence each.
  package var sentences: [String] { summary.sentences }
  /// The text of tiles.md.
  package var markdown: String { summary.markdown }
  /// The text of tiles.csv.
  package var csv: String { CSVWriter(columns).text(rows) }
  /// The rows of tiles.csv as JSON.
  package var json: String { JSONRowsWriter(columns).text(rows) + "\n" }

  private var columns: [Column<TileRow>] { TileColumns.all(viewport: (view.width, view.height)) }

  /// A baseline of the cuts: what is deterministic, and memory, sorted, so that its diffs show changed figures and
  /// nothing else.
  package var baseline: String {
    let names = [
      "image", "codec", "settings", "build", "quality", "tile_size", "overlap", "whole_bytes", "level0_bytes",
      "total_bytes", "whole_ssimulacra2", "level0_ssimulacra2", "viewport_peak_mib", "status",
    ]
    let known = names.compactMap { name in columns.first { $0.name == name } }
    let order = rows.map { row in (name: GatedCost(row).name, row: row) }.sorted {
      ($0.name.image, $0.name.title) < ($1.name.image, $1.name.title)
    }
    return CSVWriter(
      known + [
        Column("image_sha256", title: "Image") { Cell(code: GatedCost($0).hash) },
        Column("libraries", title: "Libraries") { Cell(code: GatedCost($0).libraries) },
      ]
    ).text(order.map(\.row))
  }

  /// Throws where a file could not be written because something that is not ours has its name.
  package static func refuseObstacles(in files: OwnedFolder) throws(OutputError) {
    try files.refuseObstacles(
      among: [csvName, markdownName, jsonName, pageName] + ChartKind.ofTiles.map(\.fileName))
  }

  /// Writes the files, in the place of those of before.
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
