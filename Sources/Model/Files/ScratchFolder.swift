import Foundation

/// A private folder that goes with everything in it. Of a process that was killed it stays until the next one that
/// makes such a folder in the same place: as long as its owner lives the folder is locked.
package final class ScratchFolder: Sendable {
  /// What it is for, which decides its name.
  package enum Purpose: Sendable {
    /// Files that workers and programs hand to each other, among the system's temporary files.
    case exchange
    /// Files that are moved into place when they are done, hidden in the folder that they are moved into.
    case parts

    var affixes: (prefix: String, suffix: String) {
      switch self {
      case .exchange: ("heicbench-metric-", "")
      case .parts: (".heicbench-", ".parts")
      }
    }
  }

  /// Where it is.
  package let path: String

  private let lock: Int32
  private static let markLength = 6
  /// How often another process's tidying, or a name that is taken, may come in between.
  private static let attempts = 64

  /// Makes a new folder that nobody else may look into, and removes those of processes that were killed.
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

  /// Locks a folder of ours; nil where somebody else has it, or it is gone. The system lets go of the lock when its
  /// owner ends, however it ends.
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

  /// Removes those of processes that were killed.
  package static func removeAbandoned(_ purpose: Purpose, in parent: String) {
    let (prefix, suffix) = purpose.affixes
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
      // In a folder for everyone's files a name has to be one that was made here.
      let mark = name.utf8.count - prefix.utf8.count - suffix.utf8.count
      guard mark == markLength || purpose == .parts else { continue }
      let path = "\(parent)/\(name)"
      guard let descriptor = lock(path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(descriptor)
    }
  }
}

/// There is no place for files that are needed for a moment only.
package struct ScratchFolderError: Error, CustomStringConvertible {
  let folder: String
  /// The system's number for the reason.
  package let code: Int32
  let reason: String

  /// What is wrong, and what to do.
  package var description: String {
    "no temporary folder can be made in “\(folder)” (\(reason)), which --metric-command and --build need; set "
      + "TMPDIR to a folder that can be written"
  }
}
