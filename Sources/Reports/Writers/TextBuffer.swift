/// UTF-8 text that grows at its end and is handed on in pieces, so that a file of any length takes little
/// memory to write.
public struct TextBuffer: TextOutputStream, Sendable {
  /// The text that was written and not handed on yet.
  public private(set) var bytes: [UInt8] = []

  /// Starts empty.
  public init() {}

  /// The text so far.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether there is enough for a piece.
  public var isLarge: Bool { bytes.count >= 64 * 1024 }

  /// Appends text.
  public mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Hands on what was written, keeping the room for more.
  public mutating func flush(to output: inout some TextOutputStream) {
    output.write(text)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Appends one byte.
  mutating func write(byte: UInt8) { bytes.append(byte) }

  /// Appends an integer in decimal.
  mutating func write(integer: Int) { Numerals.append(integer, to: &bytes) }

  /// Appends a number with a fixed number of decimals.
  mutating func write(number: Double, decimals: Int) {
    Numerals.appendFixed(number, decimals: decimals, to: &bytes)
  }
}
