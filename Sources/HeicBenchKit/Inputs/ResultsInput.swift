import Analysis
import Foundation
import Metrics
package import Model
package import Reports
package import Store

/// Results that a user has named, opened once: a results folder, a `measurements.csv` of any version, or a baseline.
package struct ResultsInput {
  let path: String
  let store: ResultStore?

  /// Opens a path; a file is read on demand. Throws `StoreError` for a folder without results.
  package init(_ path: String) throws {
    self.path = path
    store = Self.isFolder(path) ? try ResultStore(reading: path) : nil
  }

  /// The rows of the sweep; `metrics` says which columns of a file contain scores, by default those for SDR or HDR.
  /// - Throws: `StoreError`, `CSVError` or `HeicBenchError` if there are none.
  package func rows(metrics: [MetricTraits]? = nil) throws -> RowSource {
    if let store { return RowSource(store, run: try Self.latestRun(of: store)) }
    guard FileManager.default.fileExists(atPath: path) else {
      throw HeicBenchError(
        .resultsUnusable,
        "there are no results at “\(path)”; name a results folder or a measurements.csv")
    }
    if try costSubjects.contains(.generations) {
      throw HeicBenchError(
        .resultsUnusable, "“\(path)” contains generations of files but no encodes from a sweep")
    }
    let columns = Set(TableCSV.columns(ofFile: path) ?? [])
    let metrics =
      try metrics
      ?? (isHDR
        ? MetricTraits.hdr
        : MetricTraits.standard.filter { MetricTraits.usual.contains($0) || columns.contains($0.column) })
    return RowSource(metrics: metrics) { [path] body in
      try MeasurementsCSV.forEachRow(ofFile: path, metrics: metrics, body)
    }
  }

  /// True if the sweep is HDR; in a file, the score columns show this.
  var isHDR: Bool {
    get throws {
      if let store { return try store.latestRun()?.manifest.preparation.light != nil }
      let columns = Set(TableCSV.columns(ofFile: path) ?? [])
      return MetricTraits.hdr.contains { columns.contains($0.column) }
    }
  }

  package static func rows(at path: String) throws -> RowSource { try ResultsInput(path).rows() }

  /// The latest run of a results folder; throws if there is none.
  package static func latestRun(of store: ResultStore) throws -> StoredRun {
    guard let run = try store.latestRun() else {
      throw HeicBenchError(.resultsUnusable, "“\(store.folder)” has no run yet")
    }
    return run
  }

  /// Throws for a file that does not say whether its points were measured.
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

extension ResultsInput {
  /// True if there is a sweep in addition to other measurements; a file never has both.
  var hasSweepBesides: Bool {
    get throws { try store?.latestRun() != nil }
  }
}
