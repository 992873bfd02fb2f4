import Foundation

/// Keeps a results folder for one process. The system lets go of it when the process ends, however it ends.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, or says who holds it. The file stays afterwards: removing it would let two processes lock
  /// two files of one name.
  init(path: String) throws(StoreError) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw .notWritable(path: path, reason: String(cString: strerror(errno)))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      let holder = Self.holder(descriptor)
      close(descriptor)
      if code == EWOULDBLOCK { throw .inUse(path: path, by: holder) }
      throw .notWritable(path: path, reason: "it cannot be locked (\(String(cString: strerror(code))))")
    }
    self.descriptor = descriptor
    let note = "process \(getpid()) on \(ProcessInfo.processInfo.hostName)\n"
    // Only a help for people: what cannot be noted is not needed.
    if ftruncate(descriptor, 0) == 0 { _ = note.withCString { pwrite(descriptor, $0, strlen($0), 0) } }
  }

  deinit { close(descriptor) }

  private static func holder(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    let text = String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    let printable = text.filter { !$0.isNewline && $0.isASCII }
    return printable.isEmpty ? "process unknown" : printable
  }
}
