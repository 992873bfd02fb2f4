/// Reads the fields of a JPEG XL header (ISO/IEC 18181-1): bits from the lowest of each byte upwards. Past the
/// end there is nil, never a trap.
struct BitReader {
  private let bytes: ArraySlice<UInt8>
  private var position = 0

  /// How a U32 field spells one of its four ranges.
  enum Range {
    /// This value.
    case value(Int)
    /// So many bits, and what is added to them.
    case bits(Int, plus: Int = 0)
  }

  /// Reads from the first bit of the bytes.
  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// A number of so many bits, 32 at most.
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

  /// A Bool.
  mutating func flag() -> Bool? { number(1).map { $0 == 1 } }

  /// A U32: two bits that choose one of four ranges, then the value.
  mutating func number(_ a: Range, _ b: Range, _ c: Range, _ d: Range) -> Int? {
    guard let choice = number(2) else { return nil }
    switch [a, b, c, d][choice] {
    case .value(let value): return value
    case .bits(let count, let offset): return number(count).map { $0 + offset }
    }
  }

  /// An Enum.
  mutating func enumeration() -> Int? {
    number(.value(0), .value(1), .bits(4, plus: 2), .bits(6, plus: 18))
  }
}
