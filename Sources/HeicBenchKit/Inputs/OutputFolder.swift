import Foundation
import Model

/// Folders that results go into.
package enum OutputFolder {
  /// Makes a folder, with those above it, unless it is there.
  /// - Throws: `HeicBenchError` where that cannot be.
  package static func make(_ path: String) throws(HeicBenchError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      // Foundation's reasons are not the system's, which are asked for once more.
      let isThere = FileManager.default.fileExists(atPath: path)
      if mkdir(path, 0o777) == 0 { return }
      let reason = isThere ? "something else has that name" : "\(SystemError.last)"
      throw HeicBenchError(
        .resultsUnusable, "the folder “\(path)” cannot be made: \(reason). Choose another folder.")
    }
  }
}
