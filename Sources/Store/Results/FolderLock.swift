import Foundation

/// Locks a results folder for one process. The system releases the lock when the process ends, however it ends.
///
/// The folder itself is locked too if its file system supports it, so that removing the file does not let another
/// process in. The file names the holder, and is the only lock in earlier versions and on network file systems.
final class FolderLock: Sendable {
  /// The line left by the previous holder; empty if it was killed first.
  let inheritance: String

  private let descriptor: Int32
  private let folder: Int32

  /// Takes the lock. The file stays: removing it would let two processes lock two files with the same name.
  init(path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      if errno == ELOOP {
        throw .inTheWay(path: path, reason: "it is a link, and heicbench does not write through links")
      }
      throw .notWritable(path: path, reason: String(cString: strerror(errno)))
    }
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    do throws(StoreError) {
      try Self.refuseForeign(descriptor, path)
      try Self.lock(descriptor, path, holder: descriptor)
      if folder >= 0 { try Self.lock(folder, path, holder: descriptor) }
    } catch {
      if folder >= 0 { close(folder) }
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    self.folder = folder
    let lines = Self.text(descriptor).split(separator: "\n", maxSplits: 1)
    inheritance = lines.count == 2 ? String(lines[1]) : ""
    leave("")
  }

  /// Leaves a line for the next holder. Errors are ignored, because the line only helps people and the next holder.
  func leave(_ line: String) {
    let note = "process \(getpid()) on \(ProcessInfo.processInfo.hostName)\n\(line)"
    if ftruncate(descriptor, 0) == 0 { _ = note.withCString { pwrite(descriptor, $0, strlen($0), 0) } }
  }

  deinit {
    // Unlocked explicitly: a process that was just forked holds both descriptors until it executes.
    if folder >= 0 {
      _ = flock(folder, LOCK_UN)
      close(folder)
    }
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func lock(_ descriptor: Int32, _ path: String, holder: Int32) throws(StoreError) {
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return }
    if errno == EWOULDBLOCK { throw .inUse(path: path, by: Self.holder(holder)) }
    // Some file systems cannot lock folders; the file then has to suffice.
    guard descriptor == holder else { return }
    throw .notWritable(path: path, reason: "it cannot be locked (\(String(cString: strerror(errno))))")
  }

  /// Refuses to overwrite anything but an empty file or one with the text of a lock.
  private static func refuseForeign(_ descriptor: Int32, _ path: String) throws(StoreError) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .inTheWay(path: path, reason: "it is not a regular file")
    }
    guard status.st_size == 0 || text(descriptor).hasPrefix("process ") && status.st_size <= 4096 else {
      throw .inTheWay(path: path, reason: "heicbench did not write it")
    }
  }

  private static func holder(_ descriptor: Int32) -> String {
    let printable = text(descriptor).prefix { !$0.isNewline }.filter(\.isASCII)
    return printable.isEmpty ? "process unknown" : printable
  }

  private static func text(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }
}
