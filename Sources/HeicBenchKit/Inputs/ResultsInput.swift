import Analysis
import Foundation
import Metrics
package import Model
package import Reports
package import Store

/// Results as people name them: a results folder, or a measurements.csv of any version.
package enum ResultsInput {
  /// The rows behind a path. A file's columns of these metrics hold their scores.
  /// - Throws: `StoreError` or `CSVError` where there are none.
  package static func rows(at path: String, metrics: [MetricTraits] = MetricSuite.standard) throws
    -> RowSource
  {
    if isFolder(path) {
      let store = try ResultStore(reading: path)
      return RowSource(store, run: try latestRun(of: store))
    }
    guard FileManager.default.fileExists(atPath: path) else {
      throw HeicBenchError(
        .resultsUnusable,
        "there are no results at “\(path)”; name a results folder or a measurements.csv")
    }
    return RowSource(metrics: metrics) { body in
      try MeasurementsCSV.forEachRow(ofFile: path, metrics: metrics, body)
    }
  }

  /// The run that a results folder speaks of.
  package static func latestRun(of store: ResultStore) throws -> StoredRun {
    guard let run = try store.latestRun() else {
      throw HeicBenchError(.resultsUnusable, "no run has been made into “\(store.folder)” yet")
    }
    return run
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
