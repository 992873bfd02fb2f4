package import Analysis
import Foundation
import Reports
import Store

/// A baseline of the reads or tiles of a results folder.
package struct CostBaseline {
  private let results: String
  private let subject: CostSubject

  /// Makes a baseline from a results folder.
  package init(results: String, of subject: CostSubject) { (self.results, self.subject) = (results, subject) }

  /// The baseline as CSV.
  /// - Throws: `HeicBenchError` where nothing was measured.
  package func text() throws -> String {
    try HeicBenchError.mapping {
      let store = try ResultStore(reading: results)
      switch subject {
      case .reads:
        guard let report = try DecodeReport(of: store) else {
          throw nothing("no files were read into “\(results)” yet; “heicbench decode” reads them")
        }
        return ReadBaselineColumns.csv(report.rows)
      case .tiles:
        guard let report = try TileReport(of: store) else {
          throw nothing("nothing was cut into tiles in “\(results)” yet; “heicbench tiles” does")
        }
        return report.baseline
      }
    }
  }

  /// Writes the baseline; a file that is no baseline stays as it is.
  /// - Throws: as `text` does, and `HeicBenchError` where the file cannot be written.
  package func write(to file: String) throws {
    let text = try text()
    try HeicBenchError.mapping { try AtomicFile.write(text, to: file, replacing: BaselineText.beginning) }
  }

  private func nothing(_ message: String) -> HeicBenchError { HeicBenchError(.resultsUnusable, message) }

  /// Whether a path is a baseline of a subject: a file with its columns, or a folder in which it was measured.
  static func isOne(_ path: String, of subject: CostSubject) -> Bool {
    if let store = try? ResultStore(reading: path) {
      return switch subject {
      case .reads: (try? store.reads().isEmpty) == false
      case .tiles: ((try? store.tileQuestion()) ?? nil) != nil
      }
    }
    let columns = TableCSV.columns(ofFile: path) ?? []
    return GatedCost.requiredColumns(subject).allSatisfy(columns.contains)
  }

  /// Whether there is a sweep to compare with beside reads and tiles: no file has both.
  static func hasSweep(_ path: String) -> Bool {
    guard let store = try? ResultStore(reading: path) else { return false }
    return ((try? store.latestRun()) ?? nil) != nil
  }

  /// What a folder or a file has of a subject.
  static func rows(at path: String, of subject: CostSubject) throws -> [GatedCost] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
      return try TableCSV.rows(ofFile: path, required: GatedCost.requiredColumns(subject)).map {
        GatedCost(subject, $0)
      }
    }
    let store = try ResultStore(reading: path)
    return switch subject {
    case .reads: try store.reads().map { GatedCost(ReadRow($0)) }
    case .tiles: try TileReport(of: store)?.rows.map { GatedCost($0) } ?? []
    }
  }
}

/// A baseline of the reads of a results folder.
public struct ReadBaselineRequest: Sendable {
  /// A results folder.
  public var results: String

  /// Makes a baseline from a results folder.
  public init(results: String = "results") { self.results = results }

  /// The baseline as CSV.
  /// - Throws: `HeicBenchError` where nothing was read.
  public func text() throws -> String { try CostBaseline(results: results, of: .reads).text() }

  /// Writes the baseline; a file that is no baseline stays as it is.
  /// - Throws: as `text` does, and `HeicBenchError` where the file cannot be written.
  public func write(to file: String) throws { try CostBaseline(results: results, of: .reads).write(to: file) }
}

/// A baseline of the tiles of a results folder.
public struct TileBaselineRequest: Sendable {
  /// A results folder.
  public var results: String

  /// Makes a baseline from a results folder.
  public init(results: String = "results") { self.results = results }

  /// The baseline as CSV.
  /// - Throws: `HeicBenchError` where nothing was cut.
  public func text() throws -> String { try CostBaseline(results: results, of: .tiles).text() }

  /// Writes the baseline; a file that is no baseline stays as it is.
  /// - Throws: as `text` does, and `HeicBenchError` where the file cannot be written.
  public func write(to file: String) throws { try CostBaseline(results: results, of: .tiles).write(to: file) }
}
