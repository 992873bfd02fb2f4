import Analysis
import Foundation
import Metrics
package import Model
package import Reports
package import Store

/// Results as people name them, opened once: a results folder, a `measurements.csv` of any version, or a baseline.
package struct ResultsInput {
  private let path: String
  /// The store of a folder; nil for a file.
  private let store: ResultStore?

  /// Opens what is at a path. A file is read when it is asked for something.
  /// - Throws: `StoreError` for a folder without results.
  package init(_ path: String) throws {
    self.path = path
    store = Self.isFolder(path) ? try ResultStore(reading: path) : nil
  }

  /// The rows of the sweep. A file's columns of these metrics hold their scores.
  /// - Throws: `StoreError`, `CSVError` or `HeicBenchError` where there are none.
  package func rows(metrics: [MetricTraits] = MetricSuite.standard) throws -> RowSource {
    if let store { return RowSource(store, run: try Self.latestRun(of: store)) }
    guard FileManager.default.fileExists(atPath: path) else {
      throw HeicBenchError(
        .resultsUnusable,
        "there are no results at “\(path)”; name a results folder or a measurements.csv")
    }
    return RowSource(metrics: metrics) { [path] body in
      try MeasurementsCSV.forEachRow(ofFile: path, metrics: metrics, body)
    }
  }

  /// The rows of the sweep at a path.
  /// - Throws: as `init` and `rows` do.
  package static func rows(at path: String) throws -> RowSource { try ResultsInput(path).rows() }

  /// The run that a results folder speaks of.
  package static func latestRun(of store: ResultStore) throws -> StoredRun {
    guard let run = try store.latestRun() else {
      throw HeicBenchError(.resultsUnusable, "no run has been made into “\(store.folder)” yet")
    }
    return run
  }

  /// Refuses a file that does not say of its points whether they were measured.
  func requireStatus() throws {
    guard store == nil, let columns = TableCSV.columns(ofFile: path), !columns.contains(CSVColumnNames.status)
    else { return }
    throw CSVError(path: path, line: 1, reason: "there is no column “\(CSVColumnNames.status)”")
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}

/// Reads and tiles, which a folder has beside its sweep, and a file in its place.
extension ResultsInput {
  /// What there is besides a sweep: measured in the folder, or by the columns of the file.
  var costSubjects: [CostSubject] {
    get throws {
      guard let store else {
        let columns = TableCSV.columns(ofFile: path) ?? []
        return CostSubject.allCases.filter { GatedCost.requiredColumns($0).allSatisfy(columns.contains) }
      }
      return try CostSubject.allCases.filter { subject in
        switch subject {
        case .reads: try store.hasReads()
        case .tiles: try store.tileQuestion() != nil
        }
      }
    }
  }

  /// Whether there is a sweep beside reads and tiles: no file has both.
  var hasSweepBesides: Bool {
    get throws { try store?.latestRun() != nil }
  }

  /// What there is of a subject, as the gate compares it.
  func costs(of subject: CostSubject) throws -> [GatedCost] {
    guard let store else {
      return try TableCSV.rows(
        ofFile: path, required: GatedCost.requiredColumns(subject), amounts: GatedCost.amountColumns
      ).map { GatedCost(subject, $0) }
    }
    return switch subject {
    case .reads: try store.reads().map { GatedCost(ReadRow($0)) }
    case .tiles: try TileReport(of: store)?.rows.map { GatedCost($0) } ?? []
    }
  }

  /// A baseline of a subject as CSV.
  /// - Throws: `HeicBenchError` where nothing was measured.
  func baseline(of subject: CostSubject) throws -> String {
    let store = try store ?? ResultStore(reading: path)
    switch subject {
    case .reads:
      let rows = try store.reads().map(ReadRow.init)
      guard !rows.isEmpty else {
        throw HeicBenchError(
          .resultsUnusable, "no files were read into “\(path)” yet; “heicbench decode” reads them")
      }
      return ReadBaselineColumns.csv(rows)
    case .tiles:
      guard let report = try TileReport(of: store) else {
        throw HeicBenchError(
          .resultsUnusable, "nothing was cut into tiles in “\(path)” yet; “heicbench tiles” does")
      }
      return report.baseline
    }
  }
}
