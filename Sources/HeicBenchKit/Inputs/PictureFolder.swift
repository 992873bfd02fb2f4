import Foundation
import Model
import Store

/// Pictures that were made for a page, on their way beside or into it.
struct PictureFolder {
  /// Up to this size pictures go into the page itself, unless asked otherwise.
  static let embeddedBytes = 20_000_000

  /// Where they were made.
  let folder: URL
  /// The name of the folder that they get beside the page.
  let name: String
  private let isEmbedded: Bool

  /// Looks at the pictures in a folder.
  /// - Parameter embeds: whether they go into the page; nil where they are small enough.
  init(_ folder: URL, name: String, embeds: Bool?) throws {
    (self.folder, self.name) = (folder, name)
    let files = try FileSystem.items(of: Array(folder.path.utf8))
    let bytes = files.reduce(0) { sum, file in sum + ((try? file.status.get().size) ?? 0) }
    isEmbedded = embeds ?? (bytes <= Self.embeddedBytes)
  }

  /// The address of a picture on the page.
  func address(_ file: String) -> String {
    guard isEmbedded, let data = try? Data(contentsOf: folder.appending(path: file)) else {
      return "\(name)/\(file)"
    }
    return "data:image/png;base64,\(data.base64EncodedString())"
  }

  /// Puts the pictures beside the page, where they are not in it, and takes the folder away.
  func settle(_ files: OwnedFolder) throws {
    if !isEmbedded {
      for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        try files.move(folder.path + "/" + file, to: "\(name)/\(file)")
      }
    }
    try? FileManager.default.removeItem(at: folder)
  }
}
