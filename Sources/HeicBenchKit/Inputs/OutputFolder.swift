import Foundation
import Model

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
}
