public import BenchModel

/// A file of the corpus that was recognised as an image, before it is decoded.
public struct CorpusEntry: Sendable, Hashable {
  /// Name and hash.
  public let identity: ImageIdentity
  /// The path's bytes as the system takes them; paths need not be valid text.
  public let path: [UInt8]
  /// Size of the file.
  public let fileBytes: Int
  /// What the header says; nil where it could not be read.
  public let header: ImageHeader?
  /// Why the image cannot be measured, known from its header alone; nil for one worth trying.
  public let problem: Failure?

  /// Describes a file.
  public init(
    identity: ImageIdentity, path: [UInt8], fileBytes: Int, header: ImageHeader?, problem: Failure? = nil
  ) {
    self.identity = identity
    self.path = path
    self.fileBytes = fileBytes
    self.header = header
    self.problem = problem
  }
}
