package import Store

/// Comma-separated values (RFC 4180) in UTF-8 with line feeds and a header.
///
/// Fields are quoted only if their text needs it; text that a spreadsheet would evaluate is guarded (see
/// `SpreadsheetText`). Infinity is `inf`.
package struct CSVWriter<Row>: RowWriter {
  private let names: [String]
  /// Apart from the names, which would be copied for every field.
  private let cells: [@Sendable (Row) -> Cell]

  package init(_ columns: [Column<Row>]) {
    (names, cells) = (columns.map(\.name), columns.map(\.cell))
  }

  package mutating func begin(into buffer: inout TextBuffer) {
    for (index, name) in names.enumerated() {
      if index > 0 { buffer.write(byte: comma) }
      Self.writeField(name, into: &buffer)
    }
    buffer.write(byte: lineFeed)
  }

  package mutating func append(_ row: Row, into buffer: inout TextBuffer) {
    for index in cells.indices {
      if index > 0 { buffer.write(byte: comma) }
      Self.write(cells[index](row), into: &buffer)
    }
    buffer.write(byte: lineFeed)
  }

  package mutating func end(into buffer: inout TextBuffer) {}

  private static func write(_ cell: Cell, into buffer: inout TextBuffer) {
    switch cell {
    case .empty: break
    case .text(let text), .code(let text): writeField(SpreadsheetText.guarded(text), into: &buffer)
    case .flag(let flag): buffer.write(flag ? "true" : "false")
    case .integer(let count): buffer.write(integer: count)
    case .number(let value, let decimals), .change(let value, let decimals):
      buffer.write(number: value, decimals: decimals + Cell.exactDecimals)
    case .numeral(let digits): buffer.write(digits)
    }
  }

  private static func writeField(_ text: String, into buffer: inout TextBuffer) {
    guard text.utf8.contains(where: needsQuotes) else { return buffer.write(text) }
    buffer.write(byte: quote)
    for byte in text.utf8 {
      if byte == quote { buffer.write(byte: quote) }
      buffer.write(byte: byte)
    }
    buffer.write(byte: quote)
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    byte == comma || byte == quote || byte == lineFeed || byte == 0x0D
  }
}

/// A table as a file of a results folder, named when finished. Without rows there is none, nor one of an earlier run.
struct TableFile<Writer: RowWriter> {
  private let name: String
  private let files: OwnedFolder
  private var file: AtomicFile?
  private var writer: Writer
  private var buffer = TextBuffer()

  init(_ name: String, _ writer: Writer, in files: OwnedFolder) {
    (self.name, self.files, self.writer) = (name, files, writer)
  }

  mutating func begin() throws {
    file = try files.file(name)
    writer.begin(into: &buffer)
  }

  mutating func append(_ row: Writer.Row) throws {
    if file == nil { try begin() }
    writer.append(row, into: &buffer)
    if buffer.isLarge, var file {
      buffer.flush(to: &file)
      self.file = file
    }
  }

  mutating func finish() throws {
    guard var file else { return files.remove(name) }
    writer.end(into: &buffer)
    buffer.flush(to: &file)
    try file.commit()
  }
}

private let comma = UInt8(ascii: ",")
private let quote = UInt8(ascii: "\"")
private let lineFeed = UInt8(ascii: "\n")
