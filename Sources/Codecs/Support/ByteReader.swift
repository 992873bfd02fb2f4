/// Reads numbers out of bytes that came from outside: past the end there is nil, never a trap.
struct ByteReader: Sendable {
  /// Everything that may be read.
  let bytes: ArraySlice<UInt8>
  /// The order of the bytes of a number.
  var isLittleEndian = false

  /// Reads from a file or a part of one; offsets count from the part's beginning.
  init(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool = false) {
    self.bytes = bytes
    self.isLittleEndian = isLittleEndian
  }

  /// Reads from a whole file.
  init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// How many bytes there are.
  var count: Int { bytes.count }

  /// One byte.
  func byte(at offset: Int) -> Int? { number(at: offset, length: 1) }

  /// Two bytes as an unsigned number.
  func word(at offset: Int) -> Int? { number(at: offset, length: 2) }

  /// Four bytes as an unsigned number.
  func long(at offset: Int) -> Int? { number(at: offset, length: 4) }

  /// A part, where all of it is there.
  func part(at offset: Int, length: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else { return nil }
    return bytes[bytes.startIndex + offset..<bytes.startIndex + offset + length]
  }

  /// Whether these bytes are at an offset.
  func has(_ expected: some Collection<UInt8>, at offset: Int) -> Bool {
    part(at: offset, length: expected.count)?.elementsEqual(expected) ?? false
  }

  private func number(at offset: Int, length: Int) -> Int? {
    guard let part = part(at: offset, length: length) else { return nil }
    return isLittleEndian
      ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
  }
}
