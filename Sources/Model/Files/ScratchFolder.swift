import Foundation

/// A private folder that is deleted with its contents. It is locked while its owner lives; the next process that
/// creates one in the same place removes the folder of a killed process.
package final class ScratchFolder: Sendable {
  package enum Purpose: Sendable {
    /// Files exchanged between workers and programs, among the system's temporary files.
    case exchange
    /// Files that are moved into place when finished, hidden in their destination folder.
    case parts

    var affixes: (prefix: String, suffix: String) {
      switch self {
      case .exchange: ("heicbench-metric-", "")
      case .parts: (".heicbench-", ".parts")
      }
    }
  }

  package let path: String

  private let lock: Int32
  private static let markLength = 6
  /// Limit on retries after a name collision or another process's cleanup.
  private static let attempts = 64

  /// Creates a folder that only the owner can access, and removes those of killed processes.
  package init(
    _ purpose: Purpose = .exchange, in parent: String = FileManager.default.temporaryDirectory.path
  ) throws(ScratchFolderError) {
    Self.removeAbandoned(purpose, in: parent)
    let (prefix, suffix) = purpose.affixes
    for _ in 0..<Self.attempts {
      let mark = (0..<Self.markLength).map { _ in
        "\("abcdefghijklmnopqrstuvwxyz0123456789".randomElement() ?? "a")"
      }
      let path = "\(parent)/\(prefix)\(mark.joined())\(suffix)"
      guard mkdir(path, 0o700) == 0 else {
        if errno == EEXIST { continue }
        throw ScratchFolderError(folder: parent, code: errno, reason: "\(SystemError.last)")
      }
      guard let lock = Self.lock(path) else { continue }
      (self.path, self.lock) = (path, lock)
      return
    }
    throw ScratchFolderError(folder: parent, code: EAGAIN, reason: "a folder made in it cannot be locked")
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    close(lock)
  }

  /// Locks a folder that this user owns; nil if another process holds the lock or the folder is gone. The system
  /// releases the lock when the owner ends, however it ends.
  private static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), status.st_nlink > 0,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &status) == 0, status.st_nlink > 0
    else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  package static func removeAbandoned(_ purpose: Purpose, in parent: String) {
    let (prefix, suffix) = purpose.affixes
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      // In a folder that everyone can write to, only names with the length used here are touched.
      let mark = name.utf8.count - prefix.utf8.count - suffix.utf8.count
      guard mark == markLength || purpose == .parts else { continue }
      let path = "\(parent)/\(name)"
      guard let descriptor = lock(path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(descriptor)
    }
  }
}

package struct ScratchFolderError: Error, CustomStringConvertible {
  let folder: String
  package let code: Int32
  let reason: String

  package var description: String {
    "heicbench cannot create a temporary folder in “\(folder)” (\(reason)); --metric-command and --build need one. Set "
      + "TMPDIR to a writable folder"
  }
}
