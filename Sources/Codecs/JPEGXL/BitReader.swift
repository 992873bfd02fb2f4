/// Reads JPEG XL header fields (ISO/IEC 18181-1), least significant bit first. Past the end: nil, never a trap.
struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private var position = 0

  /// One of the four ranges of a U32 field.
  enum Range {
    case value(Int)
    /// A bit count, and an offset added to the bits read.
    case bits(Int, plus: Int = 0)
  }

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// A number of `count` bits, at most 32.
  mutating func number(_ count: Int) -> Int? {
    guard count <= 32, position + count <= bytes.count * 8 else { return nil }
    var value = 0
    for bit in 0..<count {
      let place = position + bit
      value |= Int(bytes[bytes.startIndex + place / 8] >> UInt8(place % 8) & 1) << bit
    }
    position += count
    return value
  }

  mutating func flag() -> Bool? { number(1).map { $0 == 1 } }

  /// A U32 field: two bits that choose one of four ranges, then the value.
  mutating func number(_ a: Range, _ b: Range, _ c: Range, _ d: Range) -> Int? {
    guard let choice = number(2) else { return nil }
    switch [a, b, c, d][choice] {
    case .value(let value): return value
    case .bits(let count, let offset): return number(count).map { $0 + offset }
    }
  }

  mutating func enumeration() -> Int? {
    number(.value(0), .value(1), .bits(4, plus: 2), .bits(6, plus: 18))
  }
}
