import Foundation

extension AtomicFile {
  /// Removes temporary files of killed processes, recognised by their free locks, as far as possible.
  package static func removeLeftovers(in folder: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names where name.hasPrefix(temporaryPrefix) && name.hasSuffix(temporarySuffix) {
      let path = folder + "/" + name
      // Without blocking, since a FIFO may have any name; for writing, since locks over NFS need that.
      let descriptor = open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard descriptor >= 0 else { continue }
      // The lock is held until the name is gone, so that no new owner can take it in between.
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
      close(descriptor)
    }
  }
}
