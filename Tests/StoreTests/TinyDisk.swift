import Foundation
import TestSupport

/// A file system of a few hundred kilobytes, mounted for a test. There is no other real way to get a full disk, or a
/// folder that even root cannot write. Mounting needs privileges.
final class TinyDisk {
  /// Whether this process may mount one.
  static let isAvailable = (try? TinyDisk(kibibytes: 64)) != nil
  /// The reason that a skipped test prints.
  static let reason = "SKIPPED: needs the right to mount a tmpfs (root on Linux)"

  private let folder: TemporaryFolder
  /// Where it is mounted.
  let path: String

  /// Mounts one.
  init(kibibytes: Int) throws {
    folder = try TemporaryFolder()
    path = folder.path + "/disk"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kibibytes)k", "tmpfs", path)
  }

  deinit { try? Self.run("umount", "-l", path) }

  /// Makes it read-only. The system refuses as long as files are open. A process that another test has just forked
  /// keeps the test's files open until it runs its program.
  func makeReadOnly() throws {
    let isDone = ProcessTable.wait { (try? Self.run("mount", "-o", "remount,ro", path)) != nil }
    guard isDone else { throw Refused() }
  }

  /// Changes its size.
  func resize(kibibytes: Int) throws { try Self.run("mount", "-o", "remount,size=\(kibibytes)k", path) }

  private struct Refused: Error {}

  private static func run(_ arguments: String...) throws {
    #if os(Linux)
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw Refused() }
    #else
      throw Refused()
    #endif
  }
}
