/// Reads a box sequentially: big-endian numbers, codes and text, each checked against the end.
struct BoxScanner {
  private let bytes: ArraySlice<UInt8>
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var remaining: Int { bytes.endIndex - position }

  var rest: ArraySlice<UInt8> { bytes[position...] }

  /// An unsigned number of `count` bytes, 0 to 8; nil past the end or if too large for `Int`.
  mutating func number(_ count: Int) -> Int? {
    guard (0...8).contains(count), count <= remaining else { return nil }
    var value: UInt64 = 0
    for byte in bytes[position..<(position + count)] { value = value << 8 | UInt64(byte) }
    position += count
    return Int(exactly: value)
  }

  mutating func byte() -> UInt8? {
    guard remaining > 0 else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func code() -> FourCC? { number(4).map { FourCC(UInt32(truncatingIfNeeded: $0)) } }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining else { return nil }
    defer { position += count }
    return bytes[position..<(position + count)]
  }

  /// Text up to a zero byte or the end.
  mutating func text() -> String {
    let end = rest.firstIndex(of: 0) ?? bytes.endIndex
    defer { position = min(end + 1, bytes.endIndex) }
    return String(decoding: bytes[position..<end], as: UTF8.self)
  }
}

/// A four-character code: a box type, brand or item type.
struct FourCC: Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let value: UInt32

  /// Wraps four bytes, the first one most significant.
  init(_ value: UInt32) { self.value = value }

  /// Spells a code, padded with spaces.
  init(stringLiteral text: String) {
    let bytes = Array((text + "    ").utf8.prefix(4))
    value = bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  /// The four characters, with a dot for each unprintable one.
  var description: String {
    String(
      String.UnicodeScalarView(
        [24, 16, 8, 0].map { shift in
          let byte = UInt8(truncatingIfNeeded: value >> shift)
          return Unicode.Scalar((0x20...0x7E).contains(byte) ? byte : 0x2E)
        }))
  }
}
