import Foundation

/// Small CSV files, read into memory as dictionaries by column name.
package enum TableCSV {
  package static func columns(ofFile path: String) -> [String]? {
    guard let data = try? RegularFile.open(path).read(upToCount: 1 << 16) else { return nil }
    var columns: [String]?
    var parser = CSVParser()
    try? parser.take([UInt8](data)) { record in
      if columns == nil { columns = record.fields }
    }
    return columns
  }

  /// The range of memory in MiB and times in milliseconds: whole bytes fit an `Int`.
  private static let amounts = 0...0x1p43

  /// All rows; empty fields are absent. `amounts` are columns of memory and times.
  /// - Throws: `CSVError` for an unreadable file, a missing `required` column, or an invalid memory or time.
  package static func rows(
    ofFile path: String, required: [String], amounts: Set<String> = []
  ) throws -> [[String: String]] {
    var names: [String]?
    var rows: [[String: String]] = []
    try MeasurementsCSV.forEachRecord(ofFile: path) { record in
      guard let columns = names else {
        if let missing = required.first(where: { !record.fields.contains($0) }) {
          throw CSVError(path: path, line: 1, reason: "there is no column “\(missing)”")
        }
        return names = record.fields
      }
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
