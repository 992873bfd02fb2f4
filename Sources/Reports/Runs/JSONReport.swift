package import Analysis
import Foundation
import Model
import Store

/// A run as one JSON document (`docs/schema.json`). Rows are written as they arrive; what needs them all follows.
enum JSONReport {
  static func write(
    _ source: RowSource, options: AnalysisOptions, to output: inout some TextOutputStream
  ) throws {
    let columns = MeasurementColumns.all(metrics: source.metrics)
    var buffer = TextBuffer()
    // The version is raised when a name changes its meaning or goes.
    buffer.write("{\n\"format\": \"heicbench-results\",\n\"format_version\": 1,\n\"manifest\": ")
    buffer.write(try source.manifest.map(spelling) ?? "null")
    buffer.write(",\n\"columns\": ")
    JSONValue.array(columns.map(description)).write(into: &buffer)
    buffer.write(",\n\"measurements\": ")
    var rows = JSONRowsWriter(columns)
    rows.begin(into: &buffer)
    var savings = JSONRowsWriter(ImageFigureColumns.savings(metric: options.headlineMetric))
    var rates = JSONRowsWriter(ImageFigureColumns.rates)
    let (savingsText, ratesText) = (TextSpool(), TextSpool())
    try savingsText.add { savings.begin(into: &$0) }
    try ratesText.add { rates.begin(into: &$0) }
    let report = try RunReport(reading: source, options: options) { figures in
      for saving in figures.savings { try savingsText.add { savings.append(saving, into: &$0) } }
      for rate in figures.rates { try ratesText.add { rates.append(rate, into: &$0) } }
    } body: { row in
      rows.append(row, into: &buffer)
      if buffer.isLarge { buffer.flush(to: &output) }
    }
    rows.end(into: &buffer)
    try savingsText.add { savings.end(into: &$0) }
    try ratesText.add { rates.end(into: &$0) }
    for (name, text) in [("image_savings", savingsText), ("image_bd_rates", ratesText)] {
      buffer.write(",\n\"\(name)\": ")
      buffer.flush(to: &output)
      try text.copy(to: &output)
    }
    buffer.write(",\n\"analysis\": ")
    AnalysisJSON.value(report).write(into: &buffer)
    for feature in report.features { try write(feature, buffer: &buffer, to: &output) }
    buffer.write("\n}\n")
    buffer.flush(to: &output)
  }

  private static func write(
    _ feature: FeatureReport, buffer: inout TextBuffer, to output: inout some TextOutputStream
  ) throws {
    buffer.write(",\n\"\(feature.anchor)\": {")
    for (name, value) in feature.json {
      buffer.write("\n  \"\(name)\": ")
      value.write(into: &buffer, indent: 1)
      buffer.write(",")
    }
    buffer.write("\n  \"\(feature.anchor)\": ")
    buffer.flush(to: &output)
    try feature.table.write(.json, level: 1, to: &output)
    buffer.write("\n}")
  }

  private static func description(_ column: Column<ResultRow>) -> JSONValue {
    ["name": .text(column.name), "title": .text(column.title), "unit": .text(column.unit)]
  }

  /// The manifest with its fields named in the style of the columns: `memory_bytes`.
  private static func spelling(_ manifest: RunManifest) throws -> String {
    let encoder = JSONEncoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(manifest), as: UTF8.self)
  }
}

/// The forms in which a whole run can be written to one stream.
package enum RunFormat: String, Sendable, Hashable, CaseIterable {
  /// One row per point: `MeasurementColumns`.
  case csv
  /// Manifest, rows and analysis: `docs/schema.json`.
  case json
  case markdown

  /// Writes the run piece by piece; memory does not grow with the rows.
  package func write(
    _ source: RowSource, options: AnalysisOptions = .init(), to output: inout some TextOutputStream
  ) throws {
    switch self {
    case .csv:
      let writer = CSVWriter(MeasurementColumns.all(metrics: source.metrics))
      try writer.write(to: &output) { try source.forEachRow($0) }
    case .json: try JSONReport.write(source, options: options, to: &output)
    case .markdown: output.write(try SummaryReport(RunReport(reading: source, options: options)).markdown)
    }
  }
}
