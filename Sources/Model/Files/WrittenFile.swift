/// A line of `.heicbench-files`, the list in each folder that heicbench writes into: a file's digest and name, in the
/// format of `sha256sum`.
package struct WrittenFile: Sendable, Hashable {
  package static let listName = ".heicbench-files"

  /// SHA-256 of the content, 64 lower-case hexadecimal digits.
  package let hash: String
  package let name: String

  package init(hash: String, name: String) {
    self.hash = hash
    self.name = name
  }

  /// Parses a line; nil for anything else, and for any name that escapes the folder.
  package init?(line: Substring) {
    let digits = line.utf8.prefix(64)
    guard line.utf8.count > 66,
      digits.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }),
      line.utf8.dropFirst(64).prefix(2).elementsEqual("  ".utf8)
    else { return nil }
    let name = line.utf8.dropFirst(66)
    let parts = name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) })
    else { return nil }
    self.init(hash: String(decoding: digits, as: UTF8.self), name: String(decoding: name, as: UTF8.self))
  }

  package var line: String { "\(hash)  \(name)\n" }
}
