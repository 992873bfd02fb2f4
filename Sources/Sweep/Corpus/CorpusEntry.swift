package import Model
package import Workers

/// A file of the corpus that was recognised as an image, before it is decoded.
package struct CorpusEntry: Sendable, Hashable {
  /// Name and hash.
  package let identity: ImageIdentity
  /// The path's bytes as the system takes them; paths need not be valid text.
  package let path: [UInt8]
  /// Size of the file.
  package let fileBytes: Int
  /// What the header says; nil where it could not be read.
  package let header: ImageHeader?
  /// Why the image cannot be measured, known from its header alone; nil for one worth trying.
  package let problem: Failure?

  /// Describes a file.
  package init(
    identity: ImageIdentity, path: [UInt8], fileBytes: Int, header: ImageHeader?, problem: Failure? = nil
  ) {
    self.identity = identity
    self.path = path
    self.fileBytes = fileBytes
    self.header = header
    self.problem = problem
  }

  /// The file as workers are given it.
  package var file: ImageFile {
    ImageFile(path: path, identity: identity, fileBytes: fileBytes, header: header)
  }

  /// Pixels that workers may have to do with: none of an image that is refused, whatever its header claims.
  var pixels: Int { problem == nil ? file.pixels : 0 }
}
