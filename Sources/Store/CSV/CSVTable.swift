package enum CSVTable {
  /// Passes on the records of any CSV file with their first lines.
  /// - Throws: `CSVError` for an unreadable file, or errors of `body`.
  package static func forEachRecord(
    ofFile path: String, _ body: (_ line: Int, _ fields: [String]) throws -> Void
  ) throws {
    try MeasurementsCSV.forEachRecord(ofFile: path) { record in
      try body(record.line, (0..<record.count).map { SpreadsheetText.unguarded(record[$0]) })
    }
  }
}
