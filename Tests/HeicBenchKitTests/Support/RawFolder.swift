import Foundation
import TestSupport

#if canImport(Glibc)
  import Glibc
#endif

/// A temporary folder whose files may have any bytes in their names.
final class RawFolder {
  private let folder: TemporaryFolder
  let path: [UInt8]

  init() throws {
    folder = try TemporaryFolder()
    path = Array(folder.path.utf8)
  }

  deinit {
    // Foundation cannot remove paths that are longer than one system call accepts.
    let remove = Process()
    remove.executableURL = URL(filePath: "/bin/rm")
    remove.arguments = ["-rf", "--", folder.path]
    try? remove.run()
    remove.waitUntilExit()
  }

  /// A name in the folder, as bytes.
  func path(_ name: [UInt8]) -> [UInt8] { path + [UInt8(ascii: "/")] + name }
  func path(_ name: String) -> [UInt8] { path(Array(name.utf8)) }

  func write(_ contents: [UInt8], to name: [UInt8]) throws {
    let descriptor = open(cString(path(name)), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    guard descriptor >= 0 else { throw POSIXError(.EIO) }
    defer { close(descriptor) }
    guard Glibc.write(descriptor, contents, contents.count) == contents.count else { throw POSIXError(.EIO) }
  }
  func write(_ contents: [UInt8], to name: String) throws { try write(contents, to: Array(name.utf8)) }

  func makeFolder(_ name: String) throws { try check(mkdir(cString(path(name)), 0o755)) }
  func makeFIFO(_ name: String) throws { try check(mkfifo(cString(path(name)), 0o644)) }
  func link(_ name: String, to target: String) throws { try check(symlink(target, cString(path(name)))) }
  func setMode(_ name: String, _ mode: mode_t) throws { try check(chmod(cString(path(name)), mode)) }

  /// Writes a file below folders that together make its path longer than one system call accepts.
  func writeDeep(_ contents: [UInt8], component: String, depth: Int, name: String) throws -> [UInt8] {
    var at = open(cString(path), O_RDONLY | O_DIRECTORY)
    var whole = path
    for _ in 0..<depth {
      try check(mkdirat(at, component, 0o755))
      let next = openat(at, component, O_RDONLY | O_DIRECTORY)
      close(at)
      at = next
      whole += Array("/\(component)".utf8)
    }
    let descriptor = openat(at, name, O_WRONLY | O_CREAT, 0o644)
    defer {
      close(descriptor)
      close(at)
    }
    guard Glibc.write(descriptor, contents, contents.count) == contents.count else { throw POSIXError(.EIO) }
    return whole + Array("/\(name)".utf8)
  }

  private func cString(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }
  private func check(_ result: Int32) throws { guard result == 0 else { throw POSIXError(.EIO) } }
}
