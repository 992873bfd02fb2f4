import Foundation

/// Reads the little files that the kernel shows under `/proc` and `/sys`, which have no size beforehand.
enum SmallFile {
  /// The file's text, 64 kB of it at most; nil where it cannot be read.
  static func text(at path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var filled = 0
    while filled < bytes.count {
      let count = bytes[filled...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count > 0 else { break }
      filled += count
    }
    return String(decoding: bytes[..<filled], as: UTF8.self)
  }
}
