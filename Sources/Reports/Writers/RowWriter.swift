/// Writes the rows of one table, one after another, in one syntax. Keeps only the current row.
package protocol RowWriter<Row> {
  associatedtype Row

  mutating func begin(into buffer: inout TextBuffer)

  mutating func append(_ row: Row, into buffer: inout TextBuffer)

  mutating func end(into buffer: inout TextBuffer)
}

extension RowWriter {
  package func text(_ rows: some Sequence<Row>) -> String {
    var text = ""
    write(to: &text) { body in
      for row in rows { body(row) }
    }
    return text
  }

  func write<Failure>(
    to output: inout some TextOutputStream, _ forEachRow: ((Row) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    var writer = self
    var buffer = TextBuffer()
    writer.begin(into: &buffer)
    try forEachRow { row in
      writer.append(row, into: &buffer)
      if buffer.isLarge { buffer.flush(to: &output) }
    }
    writer.end(into: &buffer)
    buffer.flush(to: &output)
  }
}

/// UTF-8 text that grows at its end and is flushed in pieces, so that writing a file of any length takes little memory.
package struct TextBuffer: TextOutputStream, Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package var isLarge: Bool { bytes.count >= 64 * 1024 }

  package mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  package mutating func flush(to output: inout some TextOutputStream) {
    output.write(text)
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func write(byte: UInt8) { bytes.append(byte) }

  mutating func write(integer: Int) { bytes += String(integer).utf8 }

  mutating func write(number: Double, decimals: Int) {
    Numerals.appendFixed(number, decimals: decimals, to: &bytes)
  }
}
