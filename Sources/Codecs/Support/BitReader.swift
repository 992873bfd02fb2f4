import CodecKit

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
