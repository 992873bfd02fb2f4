import Foundation

/// A private folder that goes with everything in it. Of a run that was killed it stays until the next run that
/// needs one: as long as its owner lives the folder is locked.
package final class ScratchFolder: Sendable {
  /// Where it is.
  package let path: String

  private let lock: Int32
  private static let prefix = "heicbench-metric-"
  /// How often another run's tidying may take a folder away before it is locked.
  private static let attempts = 8

  /// Makes a new folder that nobody else may look into, and removes those of runs that were killed.
  package init(in parent: String = FileManager.default.temporaryDirectory.path) throws(TemporaryFolderError) {
    Self.removeAbandoned(in: parent)
    for _ in 0..<Self.attempts {
      var bytes = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
      guard mkdtemp(&bytes) != nil else {
        throw TemporaryFolderError(folder: parent, reason: "\(SystemError.last)")
      }
      let made = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard let lock = Self.lock(made) else { continue }
      (path, self.lock) = (made, lock)
      return
    }
    throw TemporaryFolderError(folder: parent, reason: "a folder made in it cannot be locked")
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

  private static func removeAbandoned(in parent: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    for name in names where name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 6 {
      let path = "\(parent)/\(name)"
      guard let descriptor = lock(path) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(descriptor)
    }
  }
}

/// There is no place for files that are needed for a moment only.
package struct TemporaryFolderError: Error, CustomStringConvertible {
  let folder: String
  let reason: String

  /// What is wrong, and what to do.
  package var description: String {
    "no temporary folder can be made in “\(folder)” (\(reason)), which --metric-command needs; set TMPDIR to a "
      + "folder that can be written"
  }
}
