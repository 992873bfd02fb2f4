import Model

extension FileMapping {
  /// A copy of a part of the file; nil unless it is complete.
  func part(at offset: Int, length: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= bytes.count, length <= bytes.count - offset else { return nil }
    return Array(UnsafeBufferPointer(rebasing: bytes[offset..<offset + length]))[...]
  }
}
