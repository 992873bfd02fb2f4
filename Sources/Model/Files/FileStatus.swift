package import Foundation

/// The file system's metadata of a file, obtained without opening it.
package struct FileStatus: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case file, folder, link
    /// A FIFO, socket or device: opening one could block or have effects.
    case other
  }

  package struct Identity: Sendable, Hashable {
    package let device: UInt64
    package let inode: UInt64
  }

  package let kind: Kind
  package let identity: Identity
  package let size: Int
  package let modifiedNanoseconds: Int64
  /// Time of the last change to content or metadata, which only the file system can set.
  package let changedNanoseconds: Int64

  /// Compares the file and its content: a new link, name or mode changes neither.
  package static func == (a: Self, b: Self) -> Bool {
    (a.kind, a.identity, a.size, a.modifiedNanoseconds) == (b.kind, b.identity, b.size, b.modifiedNanoseconds)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(identity) }

  package init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    identity = Identity(
      device: UInt64(truncatingIfNeeded: status.st_dev), inode: UInt64(truncatingIfNeeded: status.st_ino))
    size = Int(status.st_size)
    #if canImport(Darwin)
      let times = [status.st_mtimespec, status.st_ctimespec]
    #else
      let times = [status.st_mtim, status.st_ctim]
    #endif
    let nanoseconds = times.map { Int64($0.tv_sec) &* 1_000_000_000 &+ Int64($0.tv_nsec) }
    (modifiedNanoseconds, changedNanoseconds) = (nanoseconds[0], nanoseconds[1])
  }

  /// The status of a folder's entry itself, without following links; nil if there is none.
  package init?(entry path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}
