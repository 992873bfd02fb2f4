/// The metadata by which an unchanged file is recognised without reading it.
package struct FileStamp: Sendable, Hashable, Codable {
  /// The path's bytes as passed to the system.
  package var path: [UInt8]
  package var size: Int
  /// Modification time, nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  package var inode: UInt64

  package init(path: [UInt8], size: Int, modifiedNanoseconds: Int64, inode: UInt64) {
    self.path = path
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
    self.inode = inode
  }
}

/// The results of reading a whole file.
package struct CachedFile: Sendable, Hashable, Codable {
  /// SHA-256 of the file, 64 hexadecimal digits.
  package var contentHash: String
  /// The parsed header; nil for a broken file.
  package var header: ImageHeader?
  /// The reason the header could not be read. Limits are not kept: they may differ from run to run.
  package var problem: Failure?

  package init(contentHash: String, header: ImageHeader?, problem: Failure? = nil) {
    self.contentHash = contentHash
    self.header = header
    self.problem = problem
  }
}

/// Remembers files between runs, so that a resume with nothing to do need not read the corpus again.
///
/// Callers treat a failed lookup as a miss and ignore a failure to store.
package protocol CorpusCache: Sendable {
  /// Returns the results stored for exactly this stamp; nil if there are none.
  func cachedFile(for stamp: FileStamp) throws -> CachedFile?

  /// Stores results, replacing any for the same path.
  func remember(_ file: CachedFile, for stamp: FileStamp) throws
}
