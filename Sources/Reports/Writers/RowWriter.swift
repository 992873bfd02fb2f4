/// Writes the rows of one table, one after another, in one syntax. Nothing but the current row is kept.
package protocol RowWriter<Row> {
  associatedtype Row

  /// Writes what comes before the first row.
  mutating func begin(into buffer: inout TextBuffer)

  /// Writes a row.
  mutating func append(_ row: Row, into buffer: inout TextBuffer)

  /// Writes what comes after the last row.
  mutating func end(into buffer: inout TextBuffer)
}

extension RowWriter {
  /// The whole text for a few rows.
  package func text(_ rows: some Sequence<Row>) -> String {
    var writer = self
    var buffer = TextBuffer()
    writer.begin(into: &buffer)
    for row in rows { writer.append(row, into: &buffer) }
    writer.end(into: &buffer)
    return buffer.text
  }
}
