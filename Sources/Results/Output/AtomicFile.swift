import Foundation
import Synchronization

/// A file that readers see whole or not at all: text goes to a temporary file beside it, which takes the
/// name only when `commit` has brought everything to the disk.
///
/// Writers are generic over `TextOutputStream`, whose `write` cannot throw: the first failure is kept, later
/// writes do nothing, and `commit` throws it. A file that is not committed leaves nothing behind. A path that
/// is no regular file, such as `/dev/stdout` or a FIFO, is written to directly.
public final class AtomicFile: TextOutputStream {
  /// Where the file will stand.
  public let path: String
  private let descriptor: Int32
  private let temporary: String?
  private var buffer: [UInt8] = []
  private var failure: OutputError?
  private var isOpen = true

  static let temporaryPrefix = ".heicbench-"
  static let temporarySuffix = ".tmp"
  private static let bufferSize = 1 << 16
  private static let serial = Atomic<Int>(0)

  /// Starts the file. Its folder has to exist.
  public init(path: String) throws(OutputError) {
    self.path = path
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      temporary = nil
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      (temporary, descriptor) = Self.makeTemporary(in: Self.folder(of: Self.target(of: path)))
    }
    if descriptor < 0 {
      isOpen = false
      throw OutputError(path: path, operation: "create", code: errno)
    }
  }

  deinit { abandon() }

  /// Makes a temporary file and marks it as being in use by holding a lock on it.
  private static func makeTemporary(in folder: String) -> (name: String, descriptor: Int32) {
    while true {
      // Short and fixed in form, since the final name may be as long as names can be.
      let number = serial.add(1, ordering: .relaxed).newValue
      let name = "\(folder)/\(temporaryPrefix)\(getpid())-\(number)\(temporarySuffix)"
      // What an earlier process of the same number left goes; a link that someone put there is not followed.
      unlink(name)
      let descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else { return (name, descriptor) }
      while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
      // Somebody who tidied up may have had the lock for a moment, and has taken the file away then.
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return (name, descriptor) }
      close(descriptor)
    }
  }

  /// Writes a whole file at once.
  public static func write(_ text: String, to path: String) throws(OutputError) {
    let file = try AtomicFile(path: path)
    file.write(text)
    try file.commit()
  }

  /// Adds text at the end.
  public func write(_ text: String) { write(bytes: text.utf8) }

  /// Adds bytes at the end.
  public func write(bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.bufferSize { flush() }
  }

  /// Brings everything to the disk and gives the file its name. Nothing may be written afterwards.
  public func commit() throws(OutputError) {
    flush()
    if failure == nil, isOpen { finish() }
    abandon()
    if let failure { throw failure }
  }

  private func finish() {
    guard let temporary else { return }
    let target = Self.target(of: path)
    if fsync(descriptor) != 0 { return fail("flush") }
    if rename(temporary, target) != 0 { return fail("replace") }
    isOpen = false
    close(descriptor)
    // The new name is on the disk when its folder is. Some file systems cannot do that: then so be it.
    let folder = open(Self.folder(of: target), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private func flush() {
    defer { buffer.removeAll(keepingCapacity: true) }
    guard failure == nil, isOpen else { return }
    var done = 0
    while done < buffer.count {
      let count = buffer.withUnsafeBytes { bytes in
        #if canImport(Darwin)
          Darwin.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        #else
          Glibc.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
        #endif
      }
      if count < 0 {
        if errno == EINTR { continue }
        return fail("write")
      }
      done += count
    }
  }

  private func fail(_ operation: String) {
    failure = failure ?? OutputError(path: path, operation: operation, code: errno)
  }

  private func abandon() {
    guard isOpen else { return }
    isOpen = false
    close(descriptor)
    if let temporary { unlink(temporary) }
  }

  /// The file behind a symbolic link, so that the link stays one.
  private static func target(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "" : String(path[..<slash])
  }
}
