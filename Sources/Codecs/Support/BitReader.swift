import CodecKit
import Pixels

/// Reads the bits of a header; reading past the end throws.
struct BitReader {
  private let reader: ByteReader
  /// True if a byte's least significant bit comes first, as in JPEG XL.
  private let isLeastFirst: Bool
  /// The number of bits read.
  private(set) var position = 0

  init(_ bytes: ArraySlice<UInt8>, isLeastFirst: Bool = false) {
    (reader, self.isLeastFirst) = (ByteReader(bytes), isLeastFirst)
  }

  mutating func skip(_ count: Int) throws(CodecError) {
    guard count >= 0, count <= reader.count *| 8 -| position else { throw .malformed("a header ends early") }
    position +|= count
  }

  /// A number of `count` bits, at most 32.
  mutating func number(_ count: Int) throws(CodecError) -> Int {
    guard count <= 32 else { throw .malformed("a number in a header is too long") }
    let start = position
    try skip(count)
    return count.indices.reduce(0) { value, index in
      let place = start +| index
      let byte = reader.byte(at: place / 8) ?? 0
      return isLeastFirst
        ? value | (byte >> (place & 7) & 1) << index : value << 1 | byte >> (7 -| place & 7) & 1
    }
  }

  mutating func flag() throws(CodecError) -> Bool { try number(1) == 1 }
}
