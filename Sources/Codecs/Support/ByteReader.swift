import CodecKit

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

/// Reads the bits of a header; each read throws past the end.
struct BitReader {
  private let bytes: ArraySlice<UInt8>
  /// True if a byte's least significant bit comes first, as in JPEG XL.
  private let isLeastFirst: Bool
  private var position = 0

  init(_ bytes: ArraySlice<UInt8>, isLeastFirst: Bool = false) {
    (self.bytes, self.isLeastFirst) = (bytes, isLeastFirst)
  }

  mutating func skip(_ count: Int) throws(CodecError) {
    guard count >= 0, count <= bytes.count * 8 - position else { throw .malformed("a header ends early") }
    position += count
  }

  /// A number of `count` bits, at most 32.
  mutating func number(_ count: Int) throws(CodecError) -> Int {
    let start = position
    try skip(count)
    return (0..<count).reduce(0) { value, index in
      let place = start + index
      let byte = Int(bytes[bytes.startIndex + place / 8])
      return isLeastFirst
        ? value | (byte >> (place % 8) & 1) << index : value << 1 | byte >> (7 - place % 8) & 1
    }
  }

  mutating func flag() throws(CodecError) -> Bool { try number(1) == 1 }
}
