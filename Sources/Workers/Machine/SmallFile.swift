import Foundation

/// Reads the small files under `/proc` and `/sys`, which do not have a size in advance.
enum SmallFile {
  /// The file's text, at most 64 KiB of it; nil if it cannot be read.
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
