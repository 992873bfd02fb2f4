import Foundation
import Model
import Synchronization

/// A file that becomes visible only when complete: text goes to a temporary file next to it, which `commit` renames
/// once everything is on disk.
///
/// Writers are generic over `TextOutputStream`, whose `write` cannot throw: the first failure is kept, later writes do
/// nothing, and `commit` throws it. An uncommitted file leaves nothing behind. Paths that are not regular files, such
/// as `/dev/stdout` or a FIFO, are written to directly. A link to a file or folder is an error, because the link would
/// decide what is overwritten.
package final class AtomicFile: TextOutputStream {
  package let path: String
  private var descriptor: Int32
  private let place: Place?
  /// Called with the digest of all bytes before they are renamed into place.
  private let willReplace: ((String) throws(OutputError) -> Void)?
  private var hash = SHA256()
  private var buffer: [UInt8] = []
  private var failure: OutputError?

  private struct Place {
    let folder: FolderDescriptor
    let temporary: String
    let name: String
  }

  private static let temporaryPrefix = ".heicbench-"
  private static let temporarySuffix = ".tmp"
  private static let bufferSize = 1 << 16
  private static let serial = Atomic<Int>(0)

  package convenience init(path: String) throws(OutputError) {
    if let status = FileStatus(entry: path), status.kind != .file {
      // A link may lead to a terminal or pipe, as /dev/stdout does, but not to a file.
      guard (try? FileSystem.status(of: Array(path.utf8)))?.kind == .other else {
        throw OutputError(path: path, inTheWay: status.kind == .link ? .link : .notAFile)
      }
      try self.init(direct: path)
    } else {
      let (folder, name) = Self.split(path)
      try self.init(in: try FolderDescriptor(folder, for: path), name: name, path: path)
    }
  }

  private init(direct path: String) throws(OutputError) {
    self.path = path
    (place, willReplace) = (nil, nil)
    descriptor = open(path, O_WRONLY | O_CLOEXEC)
    if descriptor < 0 { throw OutputError(path: path, operation: "create", code: errno) }
  }

  init(
    in folder: FolderDescriptor, name: String, path: String,
    willReplace: ((String) throws(OutputError) -> Void)? = nil
  ) throws(OutputError) {
    self.path = path
    self.willReplace = willReplace
    let (temporary, descriptor) = Self.makeTemporary(in: folder)
    place = Place(folder: folder, temporary: temporary, name: name)
    self.descriptor = descriptor
    if descriptor < 0 { throw OutputError(path: path, operation: "create", code: errno) }
  }

  deinit { abandon() }

  /// The time for which to retry a lock that another process holds, nanoseconds.
  private static let patience: UInt64 = 1_000_000_000

  /// Creates and locks a file. Another process may already hold a file with the name `own`: after a second without the
  /// lock, the descriptor is negative and `errno` is EWOULDBLOCK.
  static func makeTemporary(in folder: FolderDescriptor, named own: String? = nil) -> (
    name: String, descriptor: Int32
  ) {
    let end = DispatchTime.now().uptimeNanoseconds + patience
    while true {
      // Short and independent of the final name, which may already have the maximum length.
      let number = serial.add(1, ordering: .relaxed).newValue
      let name = "\(temporaryPrefix)\(own ?? "\(getpid())-\(number)")\(temporarySuffix)"
      // Removes a leftover of an earlier process with the same number, and never follows a planted link.
      if own == nil { unlinkat(folder.number, name, 0) }
      let mode = O_WRONLY | O_CREAT | O_CLOEXEC | (own == nil ? O_EXCL : O_NOFOLLOW | O_NONBLOCK)
      let descriptor = openat(folder.number, name, mode, 0o666)
      guard descriptor >= 0 else { return (name, descriptor) }
      while flock(descriptor, own == nil ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
        guard errno != EINTR else { continue }
        guard errno == EWOULDBLOCK, DispatchTime.now().uptimeNanoseconds < end else {
          let code = errno
          close(descriptor)
          errno = code
          return (name, -1)
        }
        usleep(20_000)
      }
      // A cleanup, or the previous owner of the name, may have held the lock and deleted the file.
      if isFile(descriptor, name, in: folder.number) { return (name, descriptor) }
      close(descriptor)
    }
  }

  /// True if the open file still has this name. Over NFS, a deleted file may keep a link.
  private static func isFile(_ descriptor: Int32, _ name: String, in folder: Int32) -> Bool {
    var (open, named) = (stat(), stat())
    return fstat(descriptor, &open) == 0 && fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) == 0
      && open.st_ino == named.st_ino && open.st_dev == named.st_dev
  }

  /// Starts a file named by the user. Only a file that starts with `beginning` is replaced, in case of a typo.
  package convenience init(path: String, replacing beginning: String) throws(OutputError) {
    let (folder, name) = Self.split(path)
    let known = try? FolderDescriptor(folder).beginning(of: name, count: beginning.utf8.count)
    if let known, !known.isEmpty, !known.elementsEqual(beginning.utf8) {
      throw OutputError(path: path, inTheWay: .foreign)
    }
    try self.init(path: path)
  }

  package static func write(
    _ text: String, to path: String, replacing beginning: String
  ) throws(OutputError) {
    let file = try AtomicFile(path: path, replacing: beginning)
    file.write(text)
    try file.commit()
  }

  package func write(_ text: String) { write(bytes: text.utf8) }

  func write(bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { flush() }
  }

  /// Flushes everything to disk and gives the file its name. Nothing may be written afterwards.
  package func commit() throws(OutputError) {
    flush()
    if failure == nil, descriptor >= 0 { finish() }
    abandon()
    if let failure { throw failure }
  }

  private func finish() {
    guard let place else { return }
    if fsync(descriptor) != 0 { return fail("flush") }
    do throws(OutputError) { try willReplace?(hash.hexDigest) } catch { return failure = error }
    let folder = place.folder.number
    if renameat(folder, place.temporary, folder, place.name) != 0 { return fail("replace") }
    close(descriptor)
    descriptor = -1
    // Syncing the folder puts the new name on disk; file systems that cannot do that are tolerated.
    fsync(folder)
  }

  private func flush() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failure == nil, descriptor >= 0 else { return }
    if willReplace != nil { hash.update(buffer) }
    do { try writeAll(buffer, to: descriptor) } catch {
      failure = OutputError(path: path, operation: "write", code: error.code)
    }
  }

  private func fail(_ operation: String) {
    failure = failure ?? OutputError(path: path, operation: operation, code: errno)
  }

  /// Removes temporary files of killed processes, recognised by their free locks; errors are ignored.
  package static func removeLeftovers(in folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(temporaryPrefix) && name.hasSuffix(temporarySuffix) {
      // Opened without blocking, since a FIFO may have any name, and for writing, since locks over NFS need it.
      let descriptor = open("\(folder)/\(name)", O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      let path = "\(folder)/\(name)"
      // The lock is held until the name is gone, so no new owner can take the name in between. It may already belong to
      // a new owner's file.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0, isFile(descriptor, path, in: AT_FDCWD) { unlink(path) }
      close(descriptor)
    }
  }

  private func abandon() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    descriptor = -1
    if let place { unlinkat(place.folder.number, place.temporary, 0) }
  }

  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    return (
      slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...])
    )
  }
}
