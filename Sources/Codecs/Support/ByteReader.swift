/// Reads numbers from untrusted bytes: nil past the end, never a trap.
struct ByteReader: Sendable {
  let bytes: ArraySlice<UInt8>
  var isLittleEndian = false

  /// Reads from a file or a part of one; offsets count from the part's beginning.
  init(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool = false) {
    self.bytes = bytes
    self.isLittleEndian = isLittleEndian
  }

  init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  var count: Int { bytes.count }

  func byte(at offset: Int) -> Int? { number(at: offset, length: 1) }

  func word(at offset: Int) -> Int? { number(at: offset, length: 2) }

  func long(at offset: Int) -> Int? { number(at: offset, length: 4) }

  /// A part, or nil unless it is complete.
  func part(at offset: Int, length: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + length]
  }

  func has(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
    part(at: offset, length: expected.count)?.elementsEqual(expected) ?? false
  }

  private func number(at offset: Int, length: Int) -> Int? {
    guard let part = part(at: offset, length: length) else { return nil }
    return isLittleEndian
      ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
  }
}
