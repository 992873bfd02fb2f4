import Foundation

/// Lines of bytes over descriptors, with deadlines, for one thread at a time. Whoever opened the descriptors closes
/// them.
struct LineChannel {
  enum Problem: Error, Equatable {
    case closed
    case timedOut
    /// More bytes without a line feed than a message can have.
    case tooLong
    case system(Int32)
  }

  private let input: Int32
  private let output: Int32
  private let longestLine: Int
  private var buffer: [UInt8] = []
  private var searched = 0

  /// Reads from one descriptor and writes to another, which may be the same.
  init(input: Int32, output: Int32, longestLine: Int = WorkerProtocol.longestLine) {
    self.input = input
    self.output = output
    self.longestLine = longestLine
  }

  /// Reads the next line without its line feed, waiting until `deadline` on `MonotonicClock` or forever. Data that has
  /// arrived counts even after the deadline, because a run that was stopped and continued must not blame its workers.
  mutating func readLine(deadline: Int64? = nil) throws(Problem) -> [UInt8] {
    while true {
      if let end = lineFeed {
        let line = Array(buffer[..<end])
        buffer.removeSubrange(...end)
        searched = 0
        return line
      }
      searched = buffer.count
      guard buffer.count <= longestLine else { throw .tooLong }
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      try waitForInput(until: deadline)
      let count = chunk.withUnsafeMutableBytes { read(input, $0.baseAddress, $0.count) }
      buffer += chunk[..<(try received(count))]
    }
  }

  /// The index of the first line feed from `searched` on. The C library's search is fast even in an unoptimised build.
  private var lineFeed: Int? {
    buffer.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let found = memchr(start + searched, Int32(UInt8(ascii: "\n")), bytes.count - searched)
      else { return nil }
      return UnsafeRawPointer(found) - start
    }
  }

  /// Reads exactly `count` bytes after a line. Waits as `readLine` does.
  mutating func readBytes(_ count: Int, deadline: Int64? = nil) throws(Problem) -> [UInt8] {
    guard count >= 0 else { throw .tooLong }
    // Some bytes have come with the line; the rest goes straight to its place.
    let early = min(count, buffer.count)
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.replaceSubrange(..<early, with: buffer[..<early])
    buffer.removeSubrange(..<early)
    searched = 0
    var done = early
    while done < count {
      // Uses the whole array: mutating a slice would copy all remaining bytes for every piece that the socket delivers.
      try waitForInput(until: deadline)
      done += try received(
        bytes.withUnsafeMutableBytes { buffer in
          let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
          return read(input, rest.baseAddress, rest.count)
        })
    }
    return bytes
  }

  /// Writes a line and its line feed, waiting until `deadline` on `MonotonicClock` or forever for the reader.
  func write(_ bytes: [UInt8], deadline: Int64? = nil) throws(Problem) {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { rest in
        Self.write(output, rest, isWaiting: deadline == nil)
      }
      if count >= 0 {
        written += count
      } else if errno == EAGAIN {
        try wait(for: POLLOUT, on: output, until: deadline)
      } else if errno != EINTR {
        throw errno == EPIPE || errno == ECONNRESET ? .closed : .system(errno)
      }
    }
  }

  func waitForInput(until deadline: Int64?) throws(Problem) {
    try wait(for: POLLIN, on: input, until: deadline)
  }

  private func wait(for event: Int32, on descriptor: Int32, until deadline: Int64?) throws(Problem) {
    while true {
      var remaining: Int32 = -1
      if let deadline {
        // Rounded up, so that it sleeps through the last millisecond instead of spinning.
        let milliseconds = (deadline - MonotonicClock.now() + 999_999) / 1_000_000
        remaining = Int32(clamping: max(0, milliseconds))
      }
      var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let ready = poll(&entry, 1, remaining)
      if ready > 0 { return }
      if ready == 0 { throw .timedOut }
      guard errno == EINTR else { throw .system(errno) }
    }
  }

  /// The number of bytes that a call of `read` returned; 0 if it was interrupted.
  private func received(_ count: Int) throws(Problem) -> Int {
    guard count <= 0 else { return count }
    if count == 0 || errno == ECONNRESET { throw .closed }
    guard errno == EINTR || errno == EAGAIN else { throw .system(errno) }
    return 0
  }

  /// Uses `send` on sockets to avoid SIGPIPE: the end of a worker must not kill its run.
  private static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, isWaiting: Bool
  ) -> Int {
    #if os(Linux)
      let flags = Int32(MSG_NOSIGNAL | (isWaiting ? 0 : MSG_DONTWAIT))
      let sent = send(descriptor, bytes.baseAddress, bytes.count, flags)
      // EPERM comes from a worker's own sandbox, which forbids sending on sockets.
      if sent >= 0 || (errno != ENOTSOCK && errno != EPERM) { return sent }
    #endif
    return Foundation.write(descriptor, bytes.baseAddress, bytes.count)
  }
}
