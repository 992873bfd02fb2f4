import Foundation

/// Another program of the machine that talks to a view: HTTP and a WebSocket over its own socket, so that a test can
/// send what no browser would.
package final class PageClient {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// Connects to a port of this machine; nil if nothing listens.
  package init?(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var patience = timeval(tv_sec: 60, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
    }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      close(descriptor)
      return nil
    }
  }

  deinit { close(descriptor) }

  /// Sends a request, and returns the status code and the body received so far; 0 if the other end hung up.
  package func ask(_ method: String, _ path: String, headers: [String], body: [UInt8] = []) -> (
    code: Int, body: [UInt8]
  ) {
    let length = body.isEmpty ? [] : ["Content-Length: \(body.count)"]
    let head = (["\(method) \(path) HTTP/1.1"] + headers + length + ["", ""]).joined(separator: "\r\n")
    guard write(Array(head.utf8) + body) else { return (0, []) }
    return answer()
  }

  /// The status code and the body received so far of the next answer; 0 if the other end hung up.
  package func answer() -> (code: Int, body: [UInt8]) {
    guard let end = read(until: Array("\r\n\r\n".utf8)) else { return (0, []) }
    let lines = String(decoding: end, as: UTF8.self).split(separator: "\r\n")
    let code = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    let size = lines.first { $0.lowercased().hasPrefix("content-length:") }?.split(separator: " ").last
    return (code, read(size.flatMap { Int($0) } ?? 0) ?? [])
  }

  /// Sends a text of up to 65,535 bytes in one masked frame.
  package func send(_ text: String) {
    let bytes = Array(text.utf8), mask: [UInt8] = [1, 2, 3, 4]
    let frame: [UInt8] = [0x81, 0x80 | 126, UInt8(bytes.count >> 8), UInt8(bytes.count & 255)] + mask
    write(frame + bytes.enumerated().map { $1 ^ mask[$0 % 4] })
  }

  /// The next frame: its content, and whether it is text; nil if the other end hung up.
  package func frame() -> (isText: Bool, payload: [UInt8])? {
    guard let head = read(2) else { return nil }
    var length = Int(head[1] & 127)
    if length >= 126 {
      guard let more = read(length == 126 ? 2 : 8) else { return nil }
      length = more.reduce(0) { $0 << 8 | Int($1) }
    }
    guard let payload = read(length) else { return nil }
    return (head[0] & 15 == 1, payload)
  }

  /// Sends bytes as they are; false if the other end hung up, or accepted none of them for a minute.
  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Foundation.send(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Whether the other end hangs up, within a minute of silence.
  package func isHungUpOn() -> Bool {
    while readMore() {}
    return errno != EAGAIN
  }

  private func read(until end: [UInt8]) -> [UInt8]? {
    while true {
      if let found = buffer.firstRange(of: end) {
        defer { buffer.removeSubrange(..<found.upperBound) }
        return Array(buffer[..<found.lowerBound])
      }
      guard readMore() else { return nil }
    }
  }

  private func read(_ count: Int) -> [UInt8]? {
    while buffer.count < count { if !readMore() { return nil } }
    defer { buffer.removeSubrange(..<count) }
    return Array(buffer[..<count])
  }

  private func readMore() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    errno = 0
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count > 0 { buffer += chunk[..<count] }
    return count > 0
  }
}
