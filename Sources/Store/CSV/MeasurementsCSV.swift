import Foundation
package import Model

/// Reads `measurements.csv`, of this version or an older one, as rows.
///
/// Columns are found by name. Only `image`, `codec`, `quality` and `encoded_bytes` have to be there; an empty
/// field means not measured. A column of a known metric is a score under the metric's identifier, any other
/// column with numbers is a score under the column's name, and any other column is passed over.
package enum MeasurementsCSV {
  /// Hands out a file's rows in its order, reading as it goes.
  /// - Throws: `CSVError` for a file that cannot be read or used, or what `body` throws.
  package static func forEachRow(
    ofFile path: String, metrics: [MetricTraits], _ body: (ResultRow) throws -> Void
  ) throws {
    var reader: MeasurementsReader?
    try forEachRecord(ofFile: path) { record in
      if let reader {
        try body(try reader.row(record))
      } else {
        reader = try MeasurementsReader(header: record, path: path, metrics: metrics)
      }
    }
    if reader == nil { throw CSVError(path: path, reason: "the file is empty") }
  }

  /// All rows of a file.
  /// - Throws: `CSVError` for a file that cannot be read or used.
  package static func rows(ofFile path: String, metrics: [MetricTraits]) throws -> [ResultRow] {
    var rows: [ResultRow] = []
    try forEachRow(ofFile: path, metrics: metrics) { rows.append($0) }
    return rows
  }

  static func forEachRecord(ofFile path: String, _ body: (CSVRecord) throws -> Void) throws {
    var parser = CSVParser()
    do {
      let file = try RegularFile.open(path)
      defer { try? file.close() }
      while let chunk = try read(file, path), !chunk.isEmpty { try parser.take([UInt8](chunk), body) }
      try parser.end(body)
    } catch let problem as CSVParser.Problem {
      throw CSVError(path: path, line: problem.line, reason: problem.reason)
    } catch let error as RegularFile.Refusal {
      throw CSVError(path: path, reason: "it cannot be read: \(error.reason)")
    }
  }

  private static func read(_ file: FileHandle, _ path: String) throws -> Data? {
    do {
      return try file.read(upToCount: 1 << 16)
    } catch {
      throw CSVError(path: path, reason: "it cannot be read (\(error.localizedDescription))")
    }
  }
}
