import Analysis
import Model
import Store

/// Batches for the viewer of webmproject/codec-compare: one JSON file per variant, and `batches.json` to list them,
/// below `codec-compare/` in the results folder.
///
/// The viewer's loader (`src/entry_loader.ts`) wants constants and fields described by objects of exactly one key with
/// a text, rows as long as the fields, and columns of numbers without gaps. Failed points and metrics that some point
/// lacks are therefore left out.
package struct CodecCompareExport: Sendable {
  private let folder: String

  /// `folder` is an existing results folder.
  package init(folder: String) { self.folder = folder }

  /// Writes the batches of all variants with a measured point. Reads the rows twice and never holds them.
  /// - Throws: `OutputError` if a file cannot be written, and errors of the source.
  package func write(_ source: RowSource) throws {
    let files = try ResultsFolder.open(folder)
    let fields = try CodecCompareBatch.fields(of: source)
    var batches: [CodecCompareBatch] = []
    try source.forEachRow { row in
      guard row.status == .measured, let variant = row.variant else { return }
      if let known = batches.firstIndex(where: { $0.variant == variant }) {
        try batches[known].append(row)
      } else {
        let file = "\(batches.count + 1)-\(Self.plain(variant.name)).json"
        var batch = CodecCompareBatch(
          variant: variant, fields: fields, manifest: source.manifest,
          file: try files.file("\(ResultsFolder.codecCompareName)/\(file)"), name: file)
        try batch.append(row)
        batches.append(batch)
      }
    }
    for index in batches.indices { try batches[index].finish() }
    var list = TextBuffer()
    JSONValue.array(batches.map { .array([.text($0.name)]) }).write(into: &list)
    try files.write(list.text + "\n", to: "\(ResultsFolder.codecCompareName)/\(ResultsFolder.batchListName)")
  }

  /// A variant's name as a portable file name of letters, digits and dashes.
  private static func plain(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(80))
  }
}
