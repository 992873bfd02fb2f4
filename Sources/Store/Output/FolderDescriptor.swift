import Foundation
import Model

/// An open folder: what is named in it is reached without following a link, whatever happens to its path
/// meanwhile.
final class FolderDescriptor: Sendable {
  let number: Int32

  /// Opens a folder. Links on the way to it are followed, since its user has named it so.
  /// - Parameter file: what an error names, the folder itself by default.
  init(_ path: String, for file: String? = nil) throws(OutputError) {
    number = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if number < 0 { throw OutputError(path: file ?? path, operation: "create", code: errno) }
  }

  private init(number: Int32) { self.number = number }

  deinit { close(number) }

  /// The folder of a name in this one, which may not be a link; nil where nothing has the name.
  /// - Parameters:
  ///   - makes: whether it is made where it is missing.
  ///   - path: what an error calls it.
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

  /// What has a name, itself and not what a link leads to; nil where nothing has it.
  func status(of name: String) -> stat? {
    var status = stat()
    return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// Opens a regular file for reading; nil where there is none. Never blocks, and follows no link.
  func file(named name: String) -> OpenFile? {
    let opened = openat(number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    let file = OpenFile(descriptor: opened)
    guard (try? file.status())?.kind == .file else { return nil }
    return file
  }

  /// The first bytes of a regular file, as `file(named:)` opens it; nil where it cannot be read.
  func beginning(of name: String, count: Int) -> [UInt8]? {
    guard let file = file(named: name) else { return nil }
    var bytes: [UInt8] = []
    do { try file.read(min(count, file.status().size), into: &bytes) } catch { return nil }
    return bytes
  }

  /// The names in the folder, `.` and `..` left out.
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
