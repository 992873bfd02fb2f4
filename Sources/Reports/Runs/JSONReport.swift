package import Analysis
import Foundation
import Model
import Store

/// A run as one JSON document (`docs/schema.json`). Rows are written as they arrive; parts that need all rows follow.
enum JSONReport {
  static func write(
    _ source: RowSource, options: AnalysisOptions, to output: inout some TextOutputStream
  ) throws {
    let columns = source.columns
    var buffer = TextBuffer()
    // The version increases when a name changes its meaning or is removed.
    buffer.write("{\n\"format\": \"heicbench-results\",\n\"format_version\": 1,\n\"manifest\": ")
    buffer.write(try source.manifest.map(spelling) ?? "null")
    buffer.write(",\n\"columns\": ")
    JSONValue.array(columns.map(description)).write(into: &buffer)
    buffer.write(",\n\"measurements\": ")
    buffer.flush(to: &output)
    var rows = TableStream(RowWriter(json: columns), to: output)
    var savings = TableStream(
      RowWriter(json: ImageFigureColumns.savings(metric: options.headlineMetric)), to: try TextSpool())
    var rates = TableStream(RowWriter(json: ImageFigureColumns.rates), to: try TextSpool())
    let report = try RunReport(reading: source, options: options) { figures in
      for saving in figures.savings { savings.append(saving) }
      for rate in figures.rates { rates.append(rate) }
    } body: {
      rows.append($0)
    }
    output = rows.finish()
    for (name, text) in [("image_savings", savings.finish()), ("image_bd_rates", rates.finish())] {
      output.write(",\n\"\(name)\": ")
      try text.copy(to: &output)
    }
    buffer.write(",\n\"answer\": ")
    JSONValue.text(Wording(report.analysis).answers.map(\.sentence).joined(separator: " ")).write(
      into: &buffer)
    buffer.write(",\n\"analysis\": ")
    AnalysisJSON.value(report).write(into: &buffer)
    buffer.flush(to: &output)
    for feature in report.features {
      output.write(",\n\"\(feature.anchor)\": ")
      try feature.writeJSON(to: &output)
    }
    output.write("\n}\n")
  }

  private static func description(_ column: Column<ResultRow>) -> JSONValue {
    ["name": .text(column.name), "title": .text(column.title), "unit": .text(column.unit)]
  }

  /// The manifest with fields named in the style of the columns: `memory_bytes`.
  private static func spelling(_ manifest: RunManifest) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(manifest), as: UTF8.self)
  }
}

/// Text for a later place in a document, such as its second table, kept in a temporary file until then.
final class TextSpool: TextOutputStream {
  private let folder: ScratchFolder
  private let file: FileHandle
  private var lengths: [Int] = []
  private var failure: (any Error)?

  init() throws {
    folder = try ScratchFolder()
    try ScratchFile.write([], to: folder.path + "/text")
    file = try FileHandle(forUpdating: URL(filePath: folder.path + "/text"))
  }

  func write(_ text: String) {
    lengths.append(text.utf8.count)
    do { try file.write(contentsOf: Data(text.utf8)) } catch { failure = failure ?? error }
  }

  func copy(to output: inout some TextOutputStream) throws {
    if let failure { throw failure }
    try file.seek(toOffset: 0)
    for length in lengths {
      output.write(String(decoding: try file.read(upToCount: length) ?? Data(), as: UTF8.self))
    }
  }
}

package enum RunFormat: String, Sendable, Hashable, CaseIterable {
  case csv
  case json
  case markdown

  /// Writes the run piece by piece; memory does not grow with the number of rows.
  package func write(
    _ source: RowSource, options: AnalysisOptions = .standard, to output: inout some TextOutputStream
  ) throws {
    switch self {
    case .csv:
      var rows = TableStream(RowWriter(csv: source.columns), to: output)
      try source.forEachRow { rows.append($0) }
      output = rows.finish()
    case .json: try JSONReport.write(source, options: options, to: &output)
    case .markdown: output.write(try SweepReport(RunReport(reading: source, options: options)).markdown)
    }
  }
}
