import Foundation
import Model
import Reports
import Store

package enum OutputFolder {
  /// Creates a folder and those above it if missing; throws `HeicBenchError` if that fails.
  package static func make(_ path: String) throws(HeicBenchError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      // Foundation's error lacks the system's reason, so the call is repeated.
      let isThere = FileManager.default.fileExists(atPath: path)
      if mkdir(path, 0o777) == 0 { return }
      let reason = isThere ? "something else has that name" : "\(SystemError.last)"
      throw HeicBenchError(
        .resultsUnusable, "the folder “\(path)” cannot be made: \(reason). Choose another folder.")
    }
  }

  /// Opens or creates a results folder; throws before anything is measured if foreign files have our names.
  static func results(
    at path: String, refusing refuseObstacles: (OwnedFolder) throws -> Void
  ) throws -> OwnedFolder {
    try make(path)
    let files = try ResultsFolder.open(path)
    try refuseObstacles(files)
    return files
  }
}
