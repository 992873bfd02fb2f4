import Foundation
import Model
import Reports
import Store

/// Pictures made for a page, before they are embedded in it or moved next to it.
struct PictureFolder {
  /// The total size up to which pictures are embedded by default.
  static let embeddedBytes = 20_000_000

  let folder: URL
  let name: String
  private let isEmbedded: Bool

  /// - Parameter embeds: True to embed the pictures; nil to embed them if they are small enough.
  init(_ folder: URL, name: String, embeds: Bool?) throws {
    (self.folder, self.name) = (folder, name)
    let files = try FileSystem.items(of: Array(folder.path.utf8))
    let bytes = files.reduce(0) { sum, file in sum + ((try? file.status.get().size) ?? 0) }
    isEmbedded = embeds ?? (bytes <= Self.embeddedBytes)
  }

  /// A picture's address on the page: a relative path, or a data URL if embedded.
  func address(_ file: String) -> String {
    guard isEmbedded, let data = try? Data(contentsOf: folder.appending(path: file)) else {
      return "\(name)/\(file)"
    }
    return "data:image/png;base64,\(data.base64EncodedString())"
  }

  /// Moves the pictures next to the page unless they are embedded, and removes the scratch folder.
  func settle(_ files: OwnedFolder) throws {
    if !isEmbedded {
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try files.move(folder.path + "/" + file, to: "\(name)/\(file)")
      }
    }
    try? FileManager.default.removeItem(at: folder)
  }
}

package enum OutputFolder {
  /// Creates a folder and its missing parents; throws `HeicBenchError` if that fails.
  package static func make(_ path: String) throws(HeicBenchError) {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      // Foundation's error lacks the system's reason, so the call is repeated.
      let isThere = FileManager.default.fileExists(atPath: path)
      if mkdir(path, 0o777) == 0 { return }
      let reason = isThere ? "something else has that name" : "\(SystemError.last)"
      throw HeicBenchError(
        .resultsUnusable, "the folder “\(path)” cannot be created: \(reason). Choose another folder.")
    }
  }

  /// Opens or creates a results folder; throws before anything is measured if other files have the names of heicbench's
  /// files.
  static func results(
    at path: String, refusing refuseObstacles: (OwnedFolder) throws -> Void
  ) throws -> OwnedFolder {
    try make(path)
    let files = try ResultsFolder.open(path)
    try refuseObstacles(files)
    return files
  }
}
