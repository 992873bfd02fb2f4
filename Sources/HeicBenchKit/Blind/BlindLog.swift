import Foundation
import Model
import Reports
import Store

/// The trials of blind tests in a results folder, `blind.csv`. It is read again for each answer, since other programs
/// may change it.
package struct BlindLog: Sendable {
  package static let fileName = "blind.csv"

  private let folder: String
  private var path: String { folder + "/" + Self.fileName }

  /// Makes the folder; throws if trials cannot be read or stored there.
  package init(folder: String) throws {
    self.folder = folder
    _ = try Self.records(ofFile: path)
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let files = try ResultsFolder.open(folder)
    try files.refuseObstacles(among: [Self.fileName])
    try files.requireWritable()
  }

  /// Another program is running the same test.
  package struct Conflict: Error, CustomStringConvertible {
    let path: String

    package var description: String {
      "another “heicbench view --blind” is running this test in “\(path)”, so this one has ended; start it again to "
        + "continue with its answers"
    }
  }

  /// Adds a record to a test.
  /// - Parameter last: The place of the test's previous record, as far as the caller knows; nil for the first.
  /// - Throws: `Conflict` if the file has a different one: two programs would number the same trials and take back each
  ///   other's answers.
  package func append(_ record: BlindRecord, after last: BlindRecord.Place?) throws {
    let files = try ResultsFolder.open(folder)
    try files.whileLocked(Self.fileName) {
      let records = try Self.records(ofFile: path)
      let found = records.last { $0.id == record.id }?.place
      guard found == nil || found == last else { throw Conflict(path: path) }
      try files.write(RowWriter(csv: BlindRecord.columns).text(records + [record]), to: Self.fileName)
    }
  }

  /// The valid answers of the last test with the same session properties, and the place of its last record; nil if
  /// there is none.
  package func latest(
    _ session: BlindRecord.Session
  ) throws -> (records: [BlindRecord], last: BlindRecord.Place)? {
    let records = try Self.records(ofFile: path)
    guard let last = records.last(where: { $0.session == session }) else { return nil }
    let test = records.filter { $0.id == last.id }
    return (Self.standing(test), test.last?.place ?? last.place)
  }

  /// The answers of one test, without those taken back.
  static func standing(_ records: [BlindRecord]) -> [BlindRecord] {
    records.reduce(into: []) { kept, record in
      if record.kind != .undone {
        kept.append(record)
      } else if kept.last?.number == record.number {
        kept.removeLast()
      }
    }
  }

  /// The trials of a file in the order of its lines; none if the file does not exist. Throws `CSVError` with the first
  /// line that is not a trial.
  static func records(ofFile path: String) throws -> [BlindRecord] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    return try BlindRecord.records(ofFile: path)
  }

  /// The files of all people in a folder: `blind.csv`, and other people's files as `blind-NAME.csv`.
  static func people(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0 == fileName || ($0.hasPrefix("blind-") && $0.hasSuffix(".csv")) }.sorted()
  }
}
