import Foundation
import Model

/// An open folder: its entries are accessed without following links, even if its path changes meanwhile.
final class FolderDescriptor: Sendable {
  let number: Int32

  /// Opens a folder, following links because the user named the path; errors name `file`, or else the folder.
  init(_ path: String, for file: String? = nil) throws(OutputError) {
    number = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if number < 0 { throw OutputError(path: file ?? path, operation: "create", code: errno) }
  }

  private init(number: Int32) { self.number = number }

  deinit { close(number) }

  /// Opens a subfolder, which must not be a link, and creates it if requested; nil if there is none.
  func folder(
    named name: String, makes: Bool, path: () -> String
  ) throws(OutputError) -> FolderDescriptor? {
    if makes, mkdirat(number, name, 0o777) != 0, errno != EEXIST {
      throw OutputError(path: path(), operation: "create", code: errno)
    }
    let opened = openat(number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    if opened >= 0 { return FolderDescriptor(number: opened) }
    switch errno {
    case ENOENT where !makes: return nil
    case ELOOP, ENOTDIR: throw OutputError(path: path(), inTheWay: .notAFolder)
    default: throw OutputError(path: path(), operation: "open", code: errno)
    }
  }

  func status(of name: String) -> FileStatus? {
    var status = stat()
    return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileStatus(status) : nil
  }

  /// Opens a regular file for reading; nil if there is none. Never blocks, and never follows a link.
  func file(named name: String) -> OpenFile? {
    let opened = openat(number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    let file = OpenFile(descriptor: opened)
    guard (try? file.status())?.kind == .file else { return nil }
    return file
  }

  /// The first bytes of a regular file opened by `file(named:)`; nil if unreadable.
  func beginning(of name: String, count: Int) -> [UInt8]? {
    guard let file = file(named: name) else { return nil }
    var bytes: [UInt8] = []
    do { try file.read(min(count, file.status().size), into: &bytes) } catch { return nil }
    return bytes
  }

  func names() -> [String] {
    let copy = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
