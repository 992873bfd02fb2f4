import Foundation

/// The system calls of the corpus walk, on paths as bytes, because names need not be valid text and a path may be
/// longer than a single call accepts.
package enum FileSystem {
  /// The longest path that a single call accepts, without its terminating zero.
  private static let longestPath = 4095
  private static let slash = UInt8(ascii: "/")

  package struct FolderItem {
    package let name: [UInt8]
    /// True if the entry itself is a symbolic link.
    package let isLink: Bool
    /// The status after following links.
    package let status: Result<FileStatus, SystemError>
  }

  /// The status of a path after following links.
  package static func status(of path: [UInt8]) throws(SystemError) -> FileStatus {
    var status = stat()
    _ = try at(path) { folder, rest in fstatat(folder, rest, &status, 0) }
    return FileStatus(status)
  }

  /// Opens a file for reading, never blocking, even on a FIFO, and never acquiring a controlling terminal.
  package static func open(_ path: [UInt8]) throws(SystemError) -> OpenFile {
    OpenFile(descriptor: try openDescriptor(path, O_RDONLY | O_NONBLOCK | O_NOCTTY))
  }

  /// The entries of a folder in bytewise order of their names, without `.` and `..`.
  package static func items(of folder: [UInt8]) throws(SystemError) -> [FolderItem] {
    let descriptor = try openDescriptor(folder, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
    guard let stream = fdopendir(descriptor) else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = name(of: entry)
      if name != [UInt8(ascii: ".")] && name != [UInt8](repeating: UInt8(ascii: "."), count: 2) {
        names.append(name)
      }
    }
    guard errno == 0 else { throw .last }
    names.sort { $0.lexicographicallyPrecedes($1) }
    return names.map { item(named: $0, in: descriptor) }
  }

  package static func canonicalPath(_ path: [UInt8]) -> [UInt8]? {
    guard let resolved = realpath(terminated(path[...]), nil) else { return nil }
    defer { free(resolved) }
    return (0..<strlen(resolved)).map { UInt8(bitPattern: resolved[$0]) }
  }

  private static func name(of entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    // Read from the entry's address rather than a copy, because an entry may be shorter than the declared array.
    guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return [] }
    let start = UnsafeRawPointer(entry).advanced(by: offset)
    let length = strlen(start.assumingMemoryBound(to: CChar.self))
    return [UInt8](UnsafeRawBufferPointer(start: start, count: length))
  }

  private static func item(named name: [UInt8], in folder: Int32) -> FolderItem {
    var status = stat()
    let bytes = terminated(name[...])
    guard fstatat(folder, bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      return FolderItem(name: name, isLink: false, status: .failure(.last))
    }
    let own = FileStatus(status)
    guard own.kind == .link else { return FolderItem(name: name, isLink: false, status: .success(own)) }
    let followed = fstatat(folder, bytes, &status, 0)
    return FolderItem(
      name: name, isLink: true, status: followed == 0 ? .success(FileStatus(status)) : .failure(.last))
  }

  private static func openDescriptor(_ path: [UInt8], _ flags: Int32) throws(SystemError) -> Int32 {
    try at(path) { folder, rest in openat(folder, rest, flags | O_CLOEXEC) }
  }

  /// Makes a system call with a folder and a relative path short enough for one call.
  private static func at(
    _ path: [UInt8], _ body: (Int32, [CChar]) -> Int32
  ) throws(SystemError) -> Int32 {
    var folder = AT_FDCWD
    var rest = path[...]
    defer { if folder != AT_FDCWD { close(folder) } }
    while rest.count > longestPath {
      guard let cut = rest.prefix(longestPath).lastIndex(of: slash), cut > rest.startIndex else {
        throw .nameTooLong
      }
      let next = openat(folder, terminated(rest[..<cut]), O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC)
      guard next >= 0 else { throw .last }
      if folder != AT_FDCWD { close(folder) }
      folder = next
      rest = rest[cut...].drop { $0 == slash }
    }
    let result = body(folder, terminated(rest))
    guard result >= 0 else { throw .last }
    return result
  }

  private static func terminated(_ bytes: ArraySlice<UInt8>) -> [CChar] {
    bytes.map { CChar(bitPattern: $0) } + [0]
  }
}
