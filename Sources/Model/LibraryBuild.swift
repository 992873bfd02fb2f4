import Foundation

/// A folder of shared libraries that take the place of the system's own in the workers of some variants.
public struct LibraryBuild: Sendable, Hashable, Codable {
  /// What variants call it, as in `heic@new`.
  public let name: String
  /// The folder, an absolute path without links.
  public let folder: String
  /// The libraries that processes map from it, `FILE (build …)` each, by name; empty until it has been tried.
  package var files: [String] = []

  /// Names a folder, which may be given relative to the current one.
  public init(name: String, folder: String) {
    self.name = name
    self.folder = URL(filePath: folder).absoluteURL.resolvingSymlinksInPath().path
  }

  /// A name for the system's own libraries, where builds are compared with them.
  package static func system(name: String) -> LibraryBuild { LibraryBuild(systemNamed: name) }

  private init(systemNamed name: String) { (self.name, folder) = (name, "") }

  /// Whether it stands for the system's own libraries.
  package var isSystem: Bool { folder.isEmpty }

  /// Whether a text can be a build's name: letters, digits, dots, dashes and underscores, at most 64, with a letter
  /// or a digit first, so that it is itself in file names, in CSV and behind the `@` of a variant.
  package static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, isLetterOrDigit(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }
}
