import Foundation

package func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
  var done = 0
  while done < bytes.count {
    let count = bytes.withUnsafeBytes {
      write(descriptor, $0.baseAddress?.advanced(by: done), $0.count - done)
    }
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { throw .last }
    done += count
  }
}

/// Writes files that are moved into place later. Foundation's `write` waits for the disk after every file, which takes
/// most of the time of a few hundred tiles; the mover waits once for all files.
package enum ScratchFile {
  package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    try writeAll(bytes, to: descriptor)
  }
}
