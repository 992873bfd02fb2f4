import CodecKit

/// Reads a box sequentially: big-endian numbers, codes and text. Each read throws past the end.
struct BoxScanner {
  private let bytes: ArraySlice<UInt8>
  private let fault: CodecError
  private(set) var position: Int

  init(_ bytes: ArraySlice<UInt8>, fault: CodecError = .malformed("a box ends early")) {
    (self.bytes, self.fault, position) = (bytes, fault, bytes.startIndex)
  }

  var remaining: Int { bytes.endIndex - position }

  var rest: ArraySlice<UInt8> { bytes[position...] }

  /// An unsigned number of `count` bytes, 0 to 8, that fits an `Int`.
  mutating func number(_ count: Int) throws(CodecError) -> Int {
    guard (0...8).contains(count) else { throw fault }
    let value = try take(count).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let number = Int(exactly: value) else { throw fault }
    return number
  }

  mutating func code() throws(CodecError) -> FourCC { FourCC(UInt32(truncatingIfNeeded: try number(4))) }

  @discardableResult
  mutating func take(_ count: Int) throws(CodecError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw fault }
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

  init(_ value: UInt32) { self.value = value }

  /// Spells a code, padded with spaces.
  init(stringLiteral text: String) {
    value = (text + "    ").utf8.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
  }

  var bytes: [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

  /// The four characters, with a dot for each unprintable one.
  var description: String {
    String(decoding: bytes.map { (0x20...0x7E).contains($0) ? $0 : 0x2E }, as: UTF8.self)
  }
}
