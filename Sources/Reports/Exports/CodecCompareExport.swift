import Metrics
import Model
import Store

/// Batches for the viewer of webmproject/codec-compare: one JSON file per variant, and a `batches.json` that lists
/// them, in `codec-compare/` of the results folder.
///
/// The viewer's loader (`src/entry_loader.ts`) expects constants and fields described by objects with exactly one key
/// and a text, rows with as many values as there are fields, and numeric columns without gaps. Failed points and
/// metrics that any point lacks are therefore left out.
package struct CodecCompareExport: Sendable {
  private let folder: String

  package init(folder: String) { self.folder = folder }

  /// Writes the batches of all variants with a measured point. Reads the rows twice and never keeps them in memory.
  package func write(_ source: RowSource) throws {
    let files = try ResultsFolder.open(folder)
    let fields = try CodecCompareBatch.fields(of: source)
    let folder = ResultsFolder.codecCompareName
    var batches: [(variant: CodecVariant, name: String, table: TableFile<ResultRow>)] = []
    try source.forEachPooledRow { row in
      guard row.status == .measured, let variant = row.variant else { return }
      if !batches.contains(where: { $0.variant == variant }) {
        let name = "\(batches.count + 1)-\(Self.plain(variant.name)).json"
        let writer = CodecCompareBatch.writer(variant, source.manifest, fields)
        batches.append((variant, name, TableFile("\(folder)/\(name)", writer, in: files)))
      }
      for index in batches.indices where batches[index].variant == variant {
        try batches[index].table.append(row)
      }
    }
    for index in batches.indices { try batches[index].table.finish() }
    var list = TextBuffer()
    JSONValue.array(batches.map { [.text($0.name)] }).write(into: &list)
    try files.write(list.text + "\n", to: "\(folder)/\(ResultsFolder.batchListName)")
  }

  private static func plain(_ name: String) -> String {
    String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }.prefix(80))
  }
}

/// One variant's batch: the values common to all its rows, and the rows.
enum CodecCompareBatch {
  static func writer(
    _ variant: CodecVariant, _ manifest: RunManifest?, _ fields: [Column<ResultRow>]
  ) -> RowWriter<ResultRow> {
    let constants = constants(variant, manifest)
    let members: [(String, [JSONValue])] = [
      ("constant_descriptions", constants.map { .object([($0.name, .text($0.meaning))]) }),
      ("constant_values", constants.map { .text($0.value) }),
      ("field_descriptions", fields.map { .object([($0.name, .text($0.title))]) }),
    ]
    var buffer = TextBuffer()
    buffer.write("{\n")
    for (name, values) in members {
      buffer.write("\"\(name)\": ")
      JSONValue.array(values).write(into: &buffer)
      buffer.write(",\n")
    }
    return RowWriter(arrays: fields, head: buffer.text + "\"field_values\": [", end: "\n]\n}\n")
  }

  private static func constants(
    _ variant: CodecVariant, _ manifest: RunManifest?
  ) -> [(name: String, meaning: String, value: String)] {
    let libraries = manifest?.variants.first { $0.variant == variant }?.libraries ?? []
    return [
      ("name", "Name of the batch", variant.name),
      ("codec", "Codec", variant.codec),
      ("version", "Versions of the libraries", libraries.canonicalSpelling),
      ("time", "When the run began", manifest?.started ?? ""),
      ("source data set", "Where the images come from", manifest?.roots.joined(separator: " ") ?? ""),
      ("encoding cmd", "The command of the run", manifest?.command.joined(separator: " ") ?? ""),
    ]
  }

  /// The fields that every measured row fills, with the names that the viewer recognises and their meaning as titles.
  static func fields(of source: RowSource) throws -> [Column<ResultRow>] {
    let candidates = fields + source.metrics.map(field)
    var complete = Array(candidates.indices)
    try source.forEachPooledRow { row in
      guard row.status == .measured else { return }
      complete.removeAll { candidates[$0].cell(row) == .empty }
    }
    return complete.map { candidates[$0] }
  }

  private static let fields: [Column<ResultRow>] = [
    .text("original name", "Name of the source image") { $0.image },
    .count("width", "Columns") { $0.width },
    .count("height", "Rows") { $0.height },
    .count("quality", "Quality on the codec's own scale") { $0.nativeQuality },
    .count("encoded size", "Bytes of the encoded file") { $0.encodedBytes },
    .number("bpp", "Encoded bits per pixel", decimals: 4) { $0.bitsPerPixel },
    .number("encoding time", "CPU time of the encode in seconds", decimals: 6) {
      $0[.encode, .cpu].map { $0.median / 1000 }
    },
    .number("decoding time", "CPU time of the decode in seconds", decimals: 6) {
      $0[.decode, .cpu].map { $0.median / 1000 }
    },
  ]

  private static func field(_ metric: MetricTraits) -> Column<ResultRow> {
    let unit = metric.unit.isEmpty ? "" : " in \(metric.unit)"
    let name = metric.rules?.codecCompareName ?? metric.column
    return .number(name, metric.title + unit, decimals: metric.decimals) {
      $0.scores[metric.id].flatMap { $0.isFinite ? $0 : nil }
    }
  }
}
