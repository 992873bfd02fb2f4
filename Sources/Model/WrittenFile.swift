/// A line of `.heicbench-files`, the list that stands in each folder that heicbench writes into: the digest of a
/// content and the name that it was given, as `sha256sum` spells them.
package struct WrittenFile: Sendable, Hashable {
  /// The list's name in its folder.
  package static let listName = ".heicbench-files"

  /// SHA-256 of the content, 64 lower-case hexadecimal digits.
  package let hash: String
  /// The file's path below the folder.
  package let name: String

  /// Describes a file.
  package init(hash: String, name: String) {
    self.hash = hash
    self.name = name
  }

  /// Reads a line; nil for anything else, and for names that do not stay below the folder, whoever wrote them.
  package init?(line: some StringProtocol) {
    let digits = line.utf8.prefix(64)
    guard line.utf8.count > 66,
      digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      line.utf8.dropFirst(64).prefix(2).elementsEqual("  ".utf8)
    else { return nil }
    let name = line.dropFirst(66)
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return nil }
    self.init(hash: String(line.prefix(64)), name: String(name))
  }

  /// The line with its end.
  package var line: String { "\(hash)  \(name)\n" }
}
