import Foundation

/// Folders that results go into.
package enum OutputFolder {
  /// Makes a folder, with those above it, unless it is there.
  /// - Throws: `HeicBenchError` where that cannot be.
  package static func make(_ path: String) throws(HeicBenchError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw HeicBenchError(.resultsUnusable, "“\(path)” cannot be made: \(error.localizedDescription)")
    }
  }
}
