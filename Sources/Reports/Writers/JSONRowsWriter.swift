package import Store

/// A JSON array with one object per row and line, keyed by the columns' names. Empty fields are `null`, so that every
/// object has every key.
package struct JSONRowsWriter<Row>: RowWriter {
  private let columns: [Column<Row>]
  private let keys: [String]
  private let indent: String
  private var isFirst = true

  /// `level` is the array's depth of indentation.
  package init(_ columns: [Column<Row>], level: Int = 0) {
    self.columns = columns
    indent = level > 0 ? String(repeating: "  ", count: level) : ""
    keys = columns.map { column in
      var buffer = TextBuffer()
      JSONText.write(string: column.name, into: &buffer)
      return buffer.text + ": "
    }
  }

  package mutating func begin(into buffer: inout TextBuffer) { buffer.write("[") }

  package mutating func append(_ row: Row, into buffer: inout TextBuffer) {
    buffer.write(isFirst ? "\n" : ",\n")
    if !indent.isEmpty { buffer.write(indent + "  ") }
    buffer.write("{")
    isFirst = false
    for index in columns.indices {
      if index > 0 { buffer.write(", ") }
      buffer.write(keys[index])
      JSONText.write(columns[index].cell(row), into: &buffer)
    }
    buffer.write("}")
  }

  package mutating func end(into buffer: inout TextBuffer) {
    buffer.write(isFirst ? "]" : "\n\(indent)]")
  }
}
