package import Foundation

/// The system's metadata of a file, obtained without opening it.
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
      let modified = status.st_mtimespec
    #else
      let modified = status.st_mtim
    #endif
    modifiedNanoseconds = Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec)
  }
}
