import Foundation
import Reports
import Store

/// The trials of blind tests in a results folder: the person's own `blind.csv`, written after every answer.
package struct BlindLog: Sendable {
  package static let fileName = "blind.csv"

  private let folder: String
  package private(set) var records: [BlindRecord]
  private var text = RowWriter(csv: BlindRecord.columns).text([])

  /// Reads what is kept already; a folder without a test is an empty log.
  package init(folder: String) throws {
    (self.folder, records) = (folder, [])
    let path = folder + "/" + Self.fileName
    guard FileManager.default.fileExists(atPath: path) else { return }
    records = try Self.records(ofFile: path)
    text = RowWriter(csv: BlindRecord.columns).text(records)
  }

  package mutating func append(_ record: BlindRecord) throws {
    records.append(record)
    text += RowWriter(csv: BlindRecord.columns).text([record]).drop { $0 != "\n" }.dropFirst()
    try ResultsFolder.open(folder).write(text, to: Self.fileName)
  }

  /// Makes the folder, and throws if trials cannot be kept there.
  package func requireWritable() throws {
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let files = try ResultsFolder.open(folder)
    try files.refuseObstacles(among: [Self.fileName])
    try files.requireWritable()
  }

  /// The last test of the same session's properties, in its answers that stand; nil if there is none.
  package func latest(_ session: BlindRecord.Session) -> [BlindRecord]? {
    guard let last = records.last(where: { $0.session == session }) else { return nil }
    return Self.standing(records.filter { $0.id == last.id })
  }

  /// The answers of one test without those taken back.
  static func standing(_ records: [BlindRecord]) -> [BlindRecord] {
    records.reduce(into: []) { kept, record in
      if record.kind != .undone {
        kept.append(record)
      } else if kept.last?.number == record.number {
        kept.removeLast()
      }
    }
  }

  /// The trials of a file in the order of its lines. Throws `CSVError` with the first line that is none.
  static func records(ofFile path: String) throws -> [BlindRecord] {
    let rows = try TableCSV.rows(ofFile: path, required: BlindRecord.columns.map(\.name))
    return try rows.enumerated().map { index, row in
      guard let record = BlindRecord(row) else {
        throw CSVError(path: path, line: index + 2, reason: "this is no trial of a blind test")
      }
      return record
    }
  }

  /// The files of all people in a folder: `blind.csv` and those brought along as `blind-NAME.csv`.
  static func people(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0 == fileName || ($0.hasPrefix("blind-") && $0.hasSuffix(".csv")) }.sorted()
  }
}
