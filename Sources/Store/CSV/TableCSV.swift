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

  /// The numbers that a memory in MiB or a time in milliseconds can be: whole bytes fit an `Int`.
  private static let amounts = 0...0x1p43

  /// All rows; an empty field is absent.
  /// - Parameter amounts: columns of memory and times.
  /// - Throws: `CSVError` for a file that cannot be read, that lacks one of the `required` columns, or where a memory or
  ///   time is none.
  package static func rows(
    ofFile path: String, required: [String], amounts: Set<String> = []
  ) throws -> [[String: String]] {
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
        guard amounts.contains(name) else { continue }
        let field = CSVField(record: record, index: index, column: name, path: path)
        guard let amount = try field.number(), Self.amounts.contains(amount) else {
          throw field.broken("a number from 0 to 2⁴³")
        }
      }
      rows.append(row)
    }
    return rows
  }
}
