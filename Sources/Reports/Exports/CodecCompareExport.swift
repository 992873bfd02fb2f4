import Analysis
import Model
import Store

/// Batches for the viewer of webmproject/codec-compare: one JSON file for each variant and `batches.json`,
/// which lists them, below `codec-compare/` in the results folder.
///
/// Written to the rules of the viewer's loader (`src/entry_loader.ts`): constants and fields are described by
/// objects of exactly one key with a text, every row is as long as the fields, and a column counts as numbers
/// only if every value is one. So failed points are left out, and so is a metric that some point lacks.
package struct CodecCompareExport: Sendable {
  private let folder: String

  /// Exports into the results folder `folder`, which exists.
  package init(folder: String) { self.folder = folder }

  /// Writes the batches of all variants that have a measured point. Rows are read twice and never held.
  /// - Throws: `OutputError` where a file cannot be written, and what the source throws.
  package func write(_ source: RowSource) throws {
    let files = try ResultsFolder.open(folder)
    let fields = try CodecCompareField.fields(of: source)
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

  /// A variant's name as a file name anywhere: letters, digits and dashes.
  private static func plain(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(80))
  }
}
