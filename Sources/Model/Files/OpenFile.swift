import Foundation

/// An open file, closed at the end of its lifetime.
package struct OpenFile: ~Copyable {
  let descriptor: Int32

  package init(descriptor: Int32) { self.descriptor = descriptor }

  /// A duplicate of standard input, so that closing it leaves the original open.
  package static func standardInput() throws(SystemError) -> OpenFile {
    let copy = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .last }
    return OpenFile(descriptor: copy)
  }

  deinit { close(descriptor) }

  package func status() throws(SystemError) -> FileStatus {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    return FileStatus(status)
  }

  /// Appends up to `count` more bytes to `bytes`, fewer only at the end of the file.
  package func read(_ count: Int, into bytes: inout [UInt8]) throws(SystemError) {
    if bytes.isEmpty {
      bytes = try read(count)
      return
    }
    // Read in place, so that the bytes are in memory only once.
    bytes.reserveCapacity(bytes.count + max(0, count))
    var left = count
    while left > 0 {
      let piece = try read(min(left, 1 << 20))
      bytes += piece
      left -= piece.count
      if piece.isEmpty { return }
    }
  }

  private func read(_ count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let more = [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
      while filled < buffer.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let got = readOnce(descriptor, rest)
        if got > 0 {
          filled += got
        } else if got == 0 {
          return
        } else if SystemError.last != .interrupted {
          failure = .last
          return
        }
      }
    }
    if let failure { throw failure }
    return more
  }
}

/// Outside the type, because a method with the same name hides the C function.
private func readOnce(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
