#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Writing of files that are moved into place later. Foundation's `write` waits for the disk with every file, which
/// takes most of the time of a few hundred tiles; the mover waits once for all of them.
package enum ScratchFile {
  /// Writes a file, replacing an existing one.
  package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        #if canImport(Glibc)
          Glibc.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        #elseif canImport(Musl)
          Musl.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        #else
          Darwin.write(descriptor, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last }
      done += count
    }
  }
}
