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

  /// All rows of a file with these columns, each read into a copy of `blank`. Only fields in `optional` columns may be
  /// empty.
  /// - Parameter check: Throws the reason why a row is impossible.
  /// - Throws: `CSVError` for an unreadable file, a missing column, or a field that its column does not allow.
  package static func rows<Row>(
    ofFile path: String, _ columns: [Column<Row>], optional: Set<String> = [], blank: Row,
    check: (Row) -> String? = { _ in nil }
  ) throws -> [Row] {
    var places: [Int]?
    var rows: [Row] = []
    try MeasurementsCSV.forEachRecord(ofFile: path) { record in
      guard let known = places else {
        let names = record.fields
        return places = try columns.map { column in
          guard let place = names.firstIndex(of: column.name) else {
            throw CSVError(path: path, line: 1, reason: "there is no column “\(column.name)”")
          }
          return place
        }
      }
      var row = blank
      for (column, place) in zip(columns, known) {
        guard record.isEmpty(place) else {
          try column.read?(CSVField(record: record, index: place, column: column.name, path: path), &row)
          continue
        }
        guard optional.contains(column.name) else {
          throw CSVError(path: path, line: record.line, reason: "column \(column.name) is empty")
        }
      }
      if let reason = check(row) { throw CSVError(path: path, line: record.line, reason: reason) }
      rows.append(row)
    }
    return rows
  }

  /// All rows; empty fields are absent.
  /// - Throws: `CSVError` for an unreadable file, or a missing `required` column.
  package static func rows(ofFile path: String, required: [String]) throws -> [[String: String]] {
    try rows(ofFile: path, required: required) { _, row in row }
  }

  /// All rows, each read from its first line's number and its fields.
  package static func rows<Row>(
    ofFile path: String, required: [String], read: (_ line: Int, [String: String]) throws -> Row
  ) throws -> [Row] {
    var names: [String]?
    var rows: [Row] = []
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
      }
      rows.append(try read(record.line, row))
    }
    return rows
  }
}
