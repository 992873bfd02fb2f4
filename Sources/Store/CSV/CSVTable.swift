/// Any CSV file that users write, record by record.
package enum CSVTable {
  /// Hands out the records of a file, each with the line that it begins on.
  /// - Throws: `CSVError` for a file that cannot be read, or what `body` throws.
  package static func forEachRecord(
    ofFile path: String, _ body: (_ line: Int, _ fields: [String]) throws -> Void
  ) throws {
    try MeasurementsCSV.forEachRecord(ofFile: path) { record in
      try body(record.line, (0..<record.count).map { SpreadsheetText.unguarded(record[$0]) })
    }
  }
}
