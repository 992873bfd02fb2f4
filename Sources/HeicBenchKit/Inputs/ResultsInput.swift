import Analysis
import Foundation
import Metrics
package import Model
package import Reports
package import Store

/// Results as users name them, opened once: a results folder, a `measurements.csv` of any version, or a baseline.
package struct ResultsInput {
  let path: String
  let store: ResultStore?

  /// Opens a path; a file is read on demand. Throws `StoreError` for a folder without results.
  package init(_ path: String) throws {
    self.path = path
    store = Self.isFolder(path) ? try ResultStore(reading: path) : nil
  }

  /// The rows of the sweep; `metrics` says which columns of a file hold scores, by default those of its kind of light.
  /// - Throws: `StoreError`, `CSVError` or `HeicBenchError` if there are none.
  package func rows(metrics: [MetricTraits]? = nil) throws -> RowSource {
    if let store { return RowSource(store, run: try Self.latestRun(of: store)) }
    guard FileManager.default.fileExists(atPath: path) else {
      throw HeicBenchError(
        .resultsUnusable,
        "there are no results at “\(path)”; name a results folder or a measurements.csv")
    }
    if try costSubjects.contains(.generations) {
      throw HeicBenchError(.resultsUnusable, "“\(path)” has generations of files, and no encodes of a sweep")
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

  /// True if the sweep is of HDR, which the columns of scores show in a file.
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
      throw HeicBenchError(.resultsUnusable, "no run has been made into “\(store.folder)” yet")
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
  /// True if there is a sweep besides other measurements; no file has both.
  var hasSweepBesides: Bool {
    get throws { try store?.latestRun() != nil }
  }
}
