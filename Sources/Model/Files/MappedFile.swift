/// A shared library mapped by a process.
package struct MappedFile: Sendable, Hashable, Codable {
  /// The path found by the dynamic linker, possibly a symbolic link.
  package let path: String
  /// The first eight digits of the GNU build id, or, without one, of the content's SHA-256.
  package let build: String?

  package init(path: String, build: String?) { (self.path, self.build) = (path, build) }

  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
}
