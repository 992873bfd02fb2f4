import Foundation
import Model
import Synchronization

/// The list of what heicbench wrote into a folder: `WrittenFile`, a line for each content that was ever
/// about to take a name, as `sha256sum` spells it.
///
/// A line is there before its file is, so that a process killed in between leaves nothing that counts as
/// somebody else's; so a name may have several lines, of which the last is the newest.
final class WrittenList: Sendable {
  /// A list longer than this is none of ours: a million names have 200 MB.
  private static let longest = 1 << 30
  /// Lines that are left when the list is written anew hold the newest contents of each name.
  private static let contentsKept = 2
  private static let fewLines = 4096

  /// The contents of a name, as digests; the newest is last.
  private struct State {
    var contents: [String: [String]] = [:]
    var lines = 0
    var file: Int32 = -1
    /// The length of the file when it was read last.
    var bytesRead = 0
  }

  private let folder: FolderDescriptor
  private let path: String
  private let state: Mutex<State>

  /// Reads the list of a folder. One that is no regular file, or no list, is an error.
  init(of folder: FolderDescriptor, path: String) throws(OutputError) {
    self.folder = folder
    self.path = path + "/" + WrittenFile.listName
    state = Mutex(State())
    try read()
  }

  /// Reads what is in the file, also what other processes have added since.
  private func read() throws(OutputError) {
    guard let status = folder.status(of: WrittenFile.listName) else { return }
    guard let file = folder.file(named: WrittenFile.listName), status.st_size <= Self.longest else {
      throw OutputError(path: self.path, inTheWay: status.st_mode & S_IFMT == S_IFLNK ? .link : .notAFile)
    }
    var data: [UInt8] = []
    do { try file.read(Int(status.st_size), into: &data) } catch {
      throw OutputError(path: self.path, operation: "read", code: EIO)
    }
    let text = String(decoding: data, as: UTF8.self)
    let newline = UInt8(ascii: "\n")
    // A process killed while it added a line leaves half of one, whose file never came to be.
    let isTorn = text.utf8.last.map { $0 != newline } ?? false
    for line in text.utf8.split(separator: newline).dropLast(isTorn ? 1 : 0) {
      guard let file = WrittenFile(line: Substring(line)) else {
        throw OutputError(path: self.path, inTheWay: .foreign)
      }
      note(file.hash, file.name)
    }
    state.withLock { $0.bytesRead = data.count }
  }

  /// Reads the list again where another process has added to it. Returns whether it did.
  func refresh() -> Bool {
    guard let status = folder.status(of: WrittenFile.listName),
      Int(status.st_size) != state.withLock({ $0.bytesRead })
    else { return false }
    return (try? read()) != nil
  }

  deinit {
    let file = state.withLock { $0.file }
    if file >= 0 { close(file) }
  }

  /// Whether anything was ever listed.
  var isEmpty: Bool { state.withLock { $0.contents.isEmpty } }

  /// All names, sorted.
  var names: [String] { state.withLock { $0.contents.keys.sorted() } }

  /// The contents that a name was ever given; empty for one that is none of ours.
  func contents(of name: String) -> [String] { state.withLock { $0.contents[name] ?? [] } }

  /// Adds a line.
  /// - Parameter isDurable: whether it has to be on the disk, and not only with the system, at the return.
  func add(_ hash: String, _ name: String, isDurable: Bool) throws(OutputError) {
    guard contents(of: name).last != hash else { return }
    try state.withLock { (state) throws(OutputError) in
      try Self.append(WrittenFile(hash: hash, name: name).line, &state, folder, path, isDurable: isDurable)
    }
    note(hash, name)
  }

  /// Writes the list anew where most of its lines are old; names that are gone go.
  func tidy() throws(OutputError) {
    let (lines, contents) = state.withLock { ($0.lines, $0.contents) }
    guard lines > Self.fewLines, lines > 4 * contents.count else { return }
    let file = try AtomicFile(in: folder, name: WrittenFile.listName, path: path)
    for (name, hashes) in contents.sorted(by: { $0.key < $1.key }) {
      for hash in hashes.suffix(Self.contentsKept) { file.write(WrittenFile(hash: hash, name: name).line) }
    }
    try file.commit()
    state.withLock { state in
      if state.file >= 0 { close(state.file) }
      (state.file, state.lines) = (-1, contents.count)
    }
  }

  private func note(_ hash: String, _ name: String) {
    state.withLock { state in
      state.lines += 1
      state.contents[name, default: []].removeAll { $0 == hash }
      state.contents[name, default: []].append(hash)
    }
  }

  /// One write to a file opened for appending, so that lines of two processes never mix.
  private static func append(
    _ line: String, _ state: inout State, _ folder: FolderDescriptor, _ path: String, isDurable: Bool
  ) throws(OutputError) {
    var status = stat()
    if state.file >= 0, fstat(state.file, &status) == 0, status.st_nlink == 0 {
      // Another process wrote the list anew.
      close(state.file)
      state.file = -1
    }
    if state.file < 0 {
      state.file = openat(
        folder.number, WrittenFile.listName,
        O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o666)
      guard state.file >= 0 else { throw OutputError(path: path, operation: "create", code: errno) }
      try endTornLine(state.file, path)
    }
    let bytes = Array(line.utf8)
    let count = bytes.withUnsafeBytes { buffer in
      #if canImport(Darwin)
        Darwin.write(state.file, buffer.baseAddress, buffer.count)
      #else
        Glibc.write(state.file, buffer.baseAddress, buffer.count)
      #endif
    }
    guard count == bytes.count else {
      throw OutputError(path: path, operation: "write", code: count < 0 ? errno : ENOSPC)
    }
    if isDurable, fsync(state.file) != 0 { throw OutputError(path: path, operation: "flush", code: errno) }
  }

  /// Takes away the half of a line that a killed process, or a full disk, left.
  private static func endTornLine(_ file: Int32, _ path: String) throws(OutputError) {
    var size = lseek(file, 0, SEEK_END)
    var byte: UInt8 = 0
    let end = size
    while size > 0, pread(file, &byte, 1, size - 1) == 1, byte != UInt8(ascii: "\n") { size -= 1 }
    if size < end, ftruncate(file, size) != 0 {
      throw OutputError(path: path, operation: "write", code: errno)
    }
  }
}
