import Foundation
import Model
import Synchronization

/// The files that heicbench wrote into a folder: one `WrittenFile` line, as from `sha256sum`, per content and name.
///
/// A line is written before its file, so a process killed in between leaves no file that looks foreign. A name may
/// therefore have several lines, the newest last.
final class WrittenList: Sendable {
  /// More than any genuine list needs: a million names take 200 MB.
  private static let longest = 1 << 30
  /// The number of newest contents kept per name when the list is rewritten.
  private static let contentsKept = 2
  private static let fewLines = 4096

  private struct State {
    var contents: [String: [String]] = [:]
    var lines = 0
    var file: Int32 = -1
    var bytesRead = 0
  }

  private let folder: FolderDescriptor
  private let path: String
  private let state: Mutex<State>

  /// Reads a folder's list. A list that is malformed or not a regular file is an error.
  init(of folder: FolderDescriptor, path: String) throws(OutputError) {
    self.folder = folder
    self.path = path + "/" + WrittenFile.listName
    state = Mutex(State())
    try read()
  }

  /// Reads the file, including lines that other processes have added.
  private func read() throws(OutputError) {
    guard let status = folder.status(of: WrittenFile.listName) else { return }
    guard let file = folder.file(named: WrittenFile.listName), status.size <= Self.longest else {
      throw OutputError(path: self.path, inTheWay: status.kind == .link ? .link : .notAFile)
    }
    var data: [UInt8] = []
    do { try file.read(status.size, into: &data) } catch {
      throw OutputError(path: self.path, operation: "read", code: EIO)
    }
    let text = String(decoding: data, as: UTF8.self)
    let newline = UInt8(ascii: "\n")
    // A process killed while adding a line leaves an incomplete one; its file was never created.
    let isTorn = text.utf8.last.map { $0 != newline } ?? false
    for line in text.utf8.split(separator: newline).dropLast(isTorn ? 1 : 0) {
      guard let file = WrittenFile(line: Substring(line)) else {
        throw OutputError(path: self.path, inTheWay: .foreign)
      }
      note(file.hash, file.name)
    }
    state.withLock { $0.bytesRead = data.count }
  }

  func refresh() -> Bool {
    guard let status = folder.status(of: WrittenFile.listName),
      status.size != state.withLock({ $0.bytesRead })
    else { return false }
    return (try? read()) != nil
  }

  deinit {
    let file = state.withLock { $0.file }
    if file >= 0 { close(file) }
  }

  var isEmpty: Bool { state.withLock { $0.contents.isEmpty } }

  var names: [String] { state.withLock { $0.contents.keys.sorted() } }

  /// All digests ever listed for a name, newest last; empty for an unlisted one.
  func contents(of name: String) -> [String] { state.withLock { $0.contents[name] ?? [] } }

  /// Adds a line, synced to disk before returning if `isDurable`.
  func add(_ hash: String, _ name: String, isDurable: Bool) throws(OutputError) {
    guard contents(of: name).last != hash else { return }
    try state.withLock { (state) throws(OutputError) in
      try Self.append(WrittenFile(hash: hash, name: name).line, &state, folder, path, isDurable: isDurable)
    }
    note(hash, name)
  }

  /// Rewrites the list if most of its lines are outdated, including lines that other processes have added since.
  func tidy() throws(OutputError) {
    guard state.withLock({ $0.lines > Self.fewLines && $0.lines > 4 * $0.contents.count }) else { return }
    _ = refresh()
    let contents = state.withLock { $0.contents }
    let file = try AtomicFile(in: folder, name: WrittenFile.listName, path: path)
    for (name, hashes) in contents.sorted(by: { $0.key < $1.key }) {
      for hash in hashes.suffix(Self.contentsKept) { file.write(WrittenFile(hash: hash, name: name).line) }
    }
    try file.commit()
  }

  private func note(_ hash: String, _ name: String) {
    state.withLock { state in
      state.lines += 1
      state.contents[name, default: []].removeAll { $0 == hash }
      state.contents[name, default: []].append(hash)
    }
  }

  /// Makes a single write to a file opened for appending, so that lines of two processes never mix.
  private static func append(
    _ line: String, _ state: inout State, _ folder: FolderDescriptor, _ path: String, isDurable: Bool
  ) throws(OutputError) {
    var status = stat()
    if state.file >= 0, fstat(state.file, &status) == 0, status.st_nlink == 0 {
      // Another process rewrote the list.
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
    do { try writeAll(Array(line.utf8), to: state.file) } catch {
      throw OutputError(path: path, operation: "write", code: error.code)
    }
    if isDurable, fsync(state.file) != 0 { throw OutputError(path: path, operation: "flush", code: errno) }
  }

  /// Removes an incomplete last line left by a killed process or a full disk.
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
