import Store

/// JSON (RFC 8259) written by hand: Foundation's encoder would need all rows in memory.
enum JSONText {
  /// Writes a string with its quotes. `<`, `>` and `&` are escaped too, so that the text may stand in a page.
  static func write(string: String, into buffer: inout TextBuffer) {
    buffer.write(byte: UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): buffer.write("\\\"")
      case UInt8(ascii: "\\"): buffer.write("\\\\")
      case 0x0A: buffer.write("\\n")
      case 0..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), 0x7F:
        let digits = String(byte, radix: 16)
        buffer.write("\\u00" + (digits.count == 1 ? "0" : "") + digits)
      default: buffer.write(byte: byte)
      }
    }
    buffer.write(byte: UInt8(ascii: "\""))
  }

  /// Writes a number, or `null` if it is not finite.
  static func write(number: Double, decimals: Int, into buffer: inout TextBuffer) {
    guard number.isFinite else { return buffer.write("null") }
    buffer.write(number: number, decimals: decimals)
  }

  /// Writes a cell as text, number, truth value or `null`.
  static func write(_ cell: Cell, into buffer: inout TextBuffer) {
    switch cell {
    case .empty: buffer.write("null")
    case .text(let text), .code(let text): write(string: text, into: &buffer)
    case .flag(let flag): buffer.write(flag ? "true" : "false")
    case .integer(let count): buffer.write(integer: count)
    case .number(let value, let decimals), .change(let value, let decimals):
      write(number: value, decimals: decimals + Cell.exactDecimals, into: &buffer)
    case .numeral(let digits): buffer.write(digits)
    }
  }
}
