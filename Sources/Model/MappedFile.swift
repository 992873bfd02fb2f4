/// A shared library that a process has mapped.
package struct MappedFile: Sendable, Hashable, Codable {
  /// Where the dynamic linker found it, which may be a symbolic link.
  package let path: String
  /// The first eight digits of its GNU build id, or of its content's SHA-256 where it has none.
  package let build: String?

  /// Names a mapped file.
  package init(path: String, build: String?) { (self.path, self.build) = (path, build) }

  /// The last component of the path.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
