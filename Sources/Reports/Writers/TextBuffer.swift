/// UTF-8 text that grows at its end and is handed on in pieces, so that a file of any length takes little
/// memory to write.
package struct TextBuffer: TextOutputStream, Sendable {
  /// The text that was written and not handed on yet.
  package private(set) var bytes: [UInt8] = []

  /// Starts empty.
  package init() {}

  /// The text so far.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether there is enough for a piece.
  package var isLarge: Bool { bytes.count >= 64 * 1024 }

  /// Appends text.
  package mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Hands on what was written, keeping the room for more.
  package mutating func flush(to output: inout some TextOutputStream) {
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
