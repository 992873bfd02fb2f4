import Foundation

/// A folder of shared libraries that replace the system's own in the workers of some variants.
public struct LibraryBuild: Sendable, Hashable, Codable {
  /// The name used by variants, as in `heic@new`.
  public let name: String
  /// The folder, an absolute path without links; empty for the system's libraries.
  public let folder: String
  /// The libraries that processes map from the folder, by name, as `FILE (build …)`; empty until the build has been
  /// tried.
  package var files: [String] = []

  /// Creates a build; `folder` may be relative to the current directory.
  public init(name: String, folder: String) {
    self.name = name
    self.folder = URL(filePath: folder).absoluteURL.resolvingSymlinksInPath().path
  }

  /// A name for the system's own libraries, for comparisons with builds.
  package static func system(name: String) -> LibraryBuild { LibraryBuild(systemNamed: name) }

  private init(systemNamed name: String) { (self.name, folder) = (name, "") }

  package var isSystem: Bool { folder.isEmpty }

  /// The word for the system's own libraries, in tables (where an empty cell would be overlooked) and in place of a
  /// folder.
  package static let system = "system"

  /// The build that a cell of a table names; nil for the system's own libraries.
  package static func name(inCell text: String?) -> String? {
    text.flatMap { $0.isEmpty || $0 == system ? nil : $0 }
  }

  /// True for a valid build name: at most 64 letters, digits, dots, dashes and underscores, starting with a letter or
  /// digit, so that it needs no escaping in file names, in CSV or after the `@` of a variant.
  package static func isName(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, isLetterOrDigit(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
  }
}
