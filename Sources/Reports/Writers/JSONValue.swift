package import Store

/// A JSON value small enough to be held in memory. Members keep their order.
package indirect enum JSONValue: Sendable {
  case cell(Cell)
  case strings([String])
  case array([JSONValue])
  case object([(String, JSONValue)])

  package static func text(_ text: String) -> JSONValue { .cell(.text(text)) }
  package static func text(_ text: String?) -> JSONValue { .cell(Cell(text: text)) }
  package static func integer(_ count: Int) -> JSONValue { .cell(.integer(count)) }
  package static func number(_ value: Double?, decimals: Int = 2) -> JSONValue {
    .cell(Cell(number: value, decimals: decimals))
  }

  package static func rows<Row>(_ columns: [Column<Row>], _ rows: [Row]) -> JSONValue {
    .array(rows.map { row in .object(columns.map { ($0.name, .cell($0.cell(row))) }) })
  }

  /// A document of a format, with these members besides.
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
      Self.list(members, "{", "}", indent: isFlat ? nil : indent, into: &buffer) { member, buffer in
        JSONText.write(string: member.0, into: &buffer)
        buffer.write(": ")
        member.1.write(into: &buffer, indent: indent + 1)
      }
    }
  }

  /// True if an object holds only cells and therefore fits one line.
  private var isFlat: Bool {
    guard case .object(let members) = self else { return false }
    return members.allSatisfy { if case .cell = $0.1 { true } else { false } }
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
