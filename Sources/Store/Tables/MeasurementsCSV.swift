import Foundation
package import Model

/// Reads `measurements.csv` files of this version and older ones.
///
/// Columns are found by name. Only `image`, `codec`, `quality` and `encoded_bytes` are required; an empty field means
/// not measured. The column of a known metric is a score under the metric's identifier, any other numeric column a
/// score under the column's name; the rest are ignored.
package enum MeasurementsCSV {
  /// Passes on a file's rows in order, reading incrementally. Rows of kinds other than points have only those columns
  /// of `BaselineColumns` that the file has.
  /// - Throws: `CSVError` for an unusable file, or any error that `body` throws.
  package static func forEachRow(
    ofFile path: String, of kind: Way.Kind = .point, metrics: [MetricTraits] = [],
    _ body: (ResultRow) throws -> Void
  ) throws {
    var reader: MeasurementsReader?
    try forEachRecord(ofFile: path) { record in
      if let reader {
        try body(try reader.row(record))
      } else {
        reader = try MeasurementsReader(header: record, path: path, kind: kind, metrics: metrics)
      }
    }
    if reader == nil { throw CSVError(path: path, reason: "the file is empty") }
  }

  package static func rows(
    ofFile path: String, of kind: Way.Kind = .point, metrics: [MetricTraits] = []
  ) throws -> [ResultRow] {
    var rows: [ResultRow] = []
    try forEachRow(ofFile: path, of: kind, metrics: metrics) { rows.append($0) }
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

package struct CSVError: Error, Sendable, Hashable, CustomStringConvertible {
  package let path: String
  /// The line of the error, counted from 1; nil if it concerns the whole file.
  package let line: Int?
  package let reason: String

  package init(path: String, line: Int? = nil, reason: String) {
    self.path = path
    self.line = line
    self.reason = PlainText.line(reason)
  }

  package var description: String {
    "“\(path)”\(line.map { ", line \($0)" } ?? ""): \(reason)."
  }
}
