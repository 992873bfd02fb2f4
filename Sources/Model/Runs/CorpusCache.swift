/// The metadata by which an unchanged file is recognised without reading it.
package struct FileStamp: Sendable, Hashable, Codable {
  package var path: [UInt8]
  package var size: Int
  /// Modification time, in nanoseconds since 1970.
  package var modifiedNanoseconds: Int64
  package var inode: UInt64

  package init(path: [UInt8], size: Int, modifiedNanoseconds: Int64, inode: UInt64) {
    self.path = path
    self.size = size
    self.modifiedNanoseconds = modifiedNanoseconds
    self.inode = inode
  }
}

package struct CachedFile: Sendable, Hashable, Codable {
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

/// Remembers files between runs, so a resumed run with nothing to do need not read the corpus again.
///
/// Callers treat a failed lookup as a miss and ignore a failure to store.
package protocol CorpusCache: Sendable {
  func cachedFile(for stamp: FileStamp) throws -> CachedFile?

  func remember(_ file: CachedFile, for stamp: FileStamp) throws
}
