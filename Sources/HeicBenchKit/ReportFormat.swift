import Reports

/// The formats in which all results are written to a stream.
public enum ReportFormat: String, Sendable, Hashable, CaseIterable {
  /// One row per point, as in `measurements.csv`.
  case csv
  /// All results, as `docs/schema.json` describes them.
  case json
  /// The summary in Markdown.
  case markdown

  var runFormat: RunFormat {
    switch self {
    case .csv: .csv
    case .json: .json
    case .markdown: .markdown
    }
  }
}
