package import Foundation

/// A folder that is removed with everything in it when the object is released.
package final class TemporaryFolder: Sendable {
  /// Where it is.
  package let url: URL

  /// Makes a new, empty folder.
  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "heicbench-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Its path without a trailing slash.
  package var path: String { url.path(percentEncoded: false) }
}
