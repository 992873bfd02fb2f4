/// What tells, without reading it, whether a file is still the one that was read before.
package struct FileStamp: Sendable, Hashable, Codable {
  /// The path's bytes, as they were given to the system.
  package var path: [UInt8]
  /// Size in bytes.
  package var size: Int
  /// Time of the last change to the contents, nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  /// The file's number in its file system.
  package var inode: UInt64

  /// Describes a file as the system does.
  package init(path: [UInt8], size: Int, modifiedNanoseconds: Int64, inode: UInt64) {
    self.path = path
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
    self.inode = inode
  }
}

/// What reading a whole file told about it.
package struct CachedFile: Sendable, Hashable, Codable {
  /// SHA-256 of its bytes, 64 hexadecimal digits.
  package var contentHash: String
  /// What its header says; nil where it is broken.
  package var header: ImageHeader?
  /// Why its header could not be read. Limits are not kept here: they may differ from run to run.
  package var problem: Failure?

  /// Keeps what was found.
  package init(contentHash: String, header: ImageHeader?, problem: Failure? = nil) {
    self.contentHash = contentHash
    self.header = header
    self.problem = problem
  }
}

/// Remembers files between runs, so that a resume with nothing to do need not read the corpus again.
///
/// A cache is a convenience: a lookup that fails counts as a miss, and a failure to remember as done.
package protocol CorpusCache: Sendable {
  /// What was found when the file last looked exactly like this; nil where it was never read so.
  func cachedFile(for stamp: FileStamp) throws -> CachedFile?

  /// Keeps what was found, in place of anything remembered of the same path.
  func remember(_ file: CachedFile, for stamp: FileStamp) throws
}
