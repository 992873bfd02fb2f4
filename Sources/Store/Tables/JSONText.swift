import Model

/// JSON (RFC 8259) written by hand: Foundation's encoder would need all rows in memory.
enum JSONText {
  /// Writes a string with its quotes. `<`, `>` and `&` are escaped too, so that the text is safe in a page.
  static func write(string: String, into buffer: inout TextBuffer) {
    buffer.write(byte: UInt8(ascii: "\""))
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): buffer.write("\\\"")
      case UInt8(ascii: "\\"): buffer.write("\\\\")
      case 0x0A: buffer.write("\\n")
      case 0..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), 0x7F:
        buffer.write("\\u00" + byte.hexadecimal)
      default: buffer.write(byte: byte)
      }
    }
    buffer.write(byte: UInt8(ascii: "\""))
  }

  static func write(_ cell: Cell, into buffer: inout TextBuffer) {
    switch cell {
    case .empty: buffer.write("null")
    case .number(let value, _) where !value.isFinite, .change(let value, _) where !value.isFinite:
      buffer.write("null")
    case .text(let text), .code(let text): write(string: text, into: &buffer)
    case .flag, .integer, .number, .change, .numeral: CSVText.write(cell, into: &buffer)
    }
  }
}

/// A JSON value small enough to keep in memory. Members keep their order, including those of a literal.
package indirect enum JSONValue: Sendable {
  case cell(Cell)
  case strings([String])
  case array([JSONValue])
  case object([(String, JSONValue)])

  package static func text(_ text: String?) -> JSONValue { .cell(Cell(text: text)) }
  package static func integer(_ count: Int) -> JSONValue { .cell(.integer(count)) }
  package static func number(_ value: Double?, decimals: Int = 2) -> JSONValue {
    .cell(Cell(number: value, decimals: decimals))
  }

  package static func rows<Row>(_ columns: [Column<Row>], _ rows: [Row]) -> JSONValue {
    .array(rows.map { row in .object(columns.map { ($0.name, .cell($0.cell(row))) }) })
  }

  package static func document(_ format: String, _ members: [(String, JSONValue)]) -> String {
    var buffer = TextBuffer()
    JSONValue.object([("format", .text(format)), ("format_version", .integer(1))] + members)
      .write(into: &buffer)
    return buffer.text + "\n"
  }

  /// Writes the value, indented by two spaces per level; tables have one line per row.
  package func write(into buffer: inout TextBuffer, indent: Int = 0) {
    switch self {
    case .cell(let cell): JSONText.write(cell, into: &buffer)
    case .strings(let texts): JSONValue.array(texts.map { .text($0) }).write(into: &buffer, indent: indent)
    case .array(let values):
      Self.list(values, "[", "]", indent: indent, into: &buffer) { value, buffer in
        value.write(into: &buffer, indent: indent + 1)
      }
    case .object(let members):
      // Objects with only cells go on one line.
      let isFlat = members.allSatisfy { if case .cell = $0.1 { true } else { false } }
      Self.list(members, "{", "}", indent: isFlat ? nil : indent, into: &buffer) { member, buffer in
        JSONText.write(string: member.0, into: &buffer)
        buffer.write(": ")
        member.1.write(into: &buffer, indent: indent + 1)
      }
    }
  }

  private static func list<Element>(
    _ elements: [Element], _ open: String, _ close: String, indent: Int?, into buffer: inout TextBuffer,
    write: (Element, inout TextBuffer) -> Void
  ) {
    let line = indent.map { "\n" + String(repeating: "  ", count: $0 + 1) } ?? ""
    buffer.write(open)
    for (index, element) in elements.enumerated() {
      if index > 0 { buffer.write(indent == nil ? ", " : ",") }
      buffer.write(line)
      write(element, &buffer)
    }
    if let indent, !elements.isEmpty { buffer.write("\n" + String(repeating: "  ", count: indent)) }
    buffer.write(close)
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  package init(dictionaryLiteral members: (String, JSONValue)...) { self = .object(members) }

  package init(arrayLiteral values: JSONValue...) { self = .array(values) }
}
