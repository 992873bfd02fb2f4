/// Writes the rows of one table, one after another, in one syntax. Keeps only the current row.
package protocol RowWriter<Row> {
  associatedtype Row

  /// Writes the text before the first row.
  mutating func begin(into buffer: inout TextBuffer)

  mutating func append(_ row: Row, into buffer: inout TextBuffer)

  /// Writes the text after the last row.
  mutating func end(into buffer: inout TextBuffer)
}

extension RowWriter {
  package func text(_ rows: some Sequence<Row>) -> String {
    var writer = self
    var buffer = TextBuffer()
    writer.begin(into: &buffer)
    for row in rows { writer.append(row, into: &buffer) }
    writer.end(into: &buffer)
    return buffer.text
  }
}
