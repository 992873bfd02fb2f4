import Foundation

/// A CSV file as rows of texts by the names of its columns, for tables that are small enough to be held.
package enum TableCSV {
  /// The names of a file's columns; nil where it cannot be read or is empty.
  package static func columns(ofFile path: String) -> [String]? {
    guard let data = try? RegularFile.open(path).read(upToCount: 1 << 16) else { return nil }
    var columns: [String]?
    var parser = CSVParser()
    try? parser.take([UInt8](data)) { record in
      if columns == nil { columns = (0..<record.count).map { record[$0] } }
    }
    return columns
  }

  /// All rows; an empty field is absent.
  /// - Throws: `CSVError` for a file that cannot be read, or that lacks one of the `required` columns.
  package static func rows(ofFile path: String, required: [String]) throws -> [[String: String]] {
    var names: [String]?
    var rows: [[String: String]] = []
    try MeasurementsCSV.forEachRecord(ofFile: path) { record in
      guard let columns = names else {
        let header = (0..<record.count).map { record[$0] }
        if let missing = required.first(where: { !header.contains($0) }) {
          throw CSVError(path: path, line: 1, reason: "there is no column “\(missing)”")
        }
        names = header
        return
      }
      guard !record.isBlank else { return }
      var row: [String: String] = [:]
      for (index, name) in columns.enumerated() where !record.isEmpty(index) {
        row[name] = SpreadsheetText.unguarded(record[index])
      }
      rows.append(row)
    }
    return rows
  }
}
