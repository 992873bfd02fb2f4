/// Writes the rows of one table, one after another, in one syntax. Keeps only the current row.
package struct RowWriter<Row> {
  private let head: String
  /// Text before the first row and before all others.
  private let starts: (first: String, next: String)
  private let cells: [(mark: String, cell: @Sendable (Row) -> Cell)]
  private let rowEnd: String
  /// Text after the last row, and after the head of a table without rows.
  private let ends: (rows: String, empty: String)
  private let write: (Cell, inout TextBuffer) -> Void
  private var isFirst = true
  /// Collects rows by column for Parquet, which does not use the texts above.
  private var parquet: ParquetRows?

  /// An Apache Parquet file.
  package init(parquet columns: [Column<Row>]) {
    self.init(csv: columns)
    parquet = ParquetRows(columns.map { ($0.name, $0.type, $0.unit) })
  }

  /// Comma-separated values (RFC 4180) in UTF-8 with line feeds and a header.
  ///
  /// Fields are quoted only if their text needs it; text that a spreadsheet would evaluate is guarded (see
  /// `SpreadsheetText`). Infinity is `inf`.
  package init(csv columns: [Column<Row>]) {
    var buffer = TextBuffer()
    for (index, column) in columns.enumerated() {
      if index > 0 { buffer.write(",") }
      CSVText.write(field: column.name, into: &buffer)
    }
    head = buffer.text + "\n"
    cells = columns.enumerated().map { ($0 > 0 ? "," : "", $1.cell) }
    (starts, rowEnd, ends, write) = (("", ""), "\n", ("", ""), CSVText.write)
  }

  /// A JSON array with an object per row and line, indented for `level` in its document. Empty fields are `null`, so
  /// that every object has every key.
  package init(json columns: [Column<Row>], level: Int = 0) {
    let indent = String(repeating: "  ", count: level)
    let start = "\n" + (level > 0 ? indent + "  " : "") + "{"
    cells = columns.enumerated().map { index, column in
      var buffer = TextBuffer()
      JSONText.write(string: column.name, into: &buffer)
      return ((index > 0 ? ", " : "") + buffer.text + ": ", column.cell)
    }
    (head, starts, rowEnd) = ("[", (start, "," + start), "}")
    (ends, write) = (("\n\(indent)]", "]"), JSONText.write)
  }

  /// JSON arrays of bare cells, one array per row, within a document.
  package init(arrays columns: [Column<Row>], head: String, end: String) {
    self.head = head
    cells = columns.enumerated().map { ($0 > 0 ? ", " : "", $1.cell) }
    (starts, rowEnd, ends, write) = (("\n[", ",\n["), "]", (end, end), JSONText.write)
  }

  package func begin(into buffer: inout TextBuffer) {
    buffer.write(parquet == nil ? head : ParquetRows.mark)
  }

  package mutating func append(_ row: Row, into buffer: inout TextBuffer) {
    guard parquet == nil else { return parquet?.append(cells.lazy.map { $0.cell(row) }, into: &buffer) ?? () }
    buffer.write(isFirst ? starts.first : starts.next)
    isFirst = false
    for index in cells.indices {
      buffer.write(cells[index].mark)
      write(cells[index].cell(row), &buffer)
    }
    buffer.write(rowEnd)
  }

  package mutating func end(into buffer: inout TextBuffer) {
    guard parquet == nil else { return parquet?.finish(into: &buffer) ?? () }
    buffer.write(isFirst ? ends.empty : ends.rows)
  }

  package func text(_ rows: some Sequence<Row>) -> String {
    var stream = TableStream(self, to: "")
    for row in rows { stream.append(row) }
    return stream.finish()
  }
}

/// Writes the rows of one table into a stream, in pieces.
package struct TableStream<Row, Output: TextOutputStream> {
  private var writer: RowWriter<Row>
  private var output: Output
  private var buffer = TextBuffer()

  package init(_ writer: RowWriter<Row>, to output: Output) {
    (self.writer, self.output) = (writer, output)
    writer.begin(into: &buffer)
  }

  package mutating func append(_ row: Row) {
    writer.append(row, into: &buffer)
    if buffer.isLarge { buffer.flush(to: &output) }
  }

  package mutating func finish() -> Output {
    writer.end(into: &buffer)
    buffer.flush(to: &output)
    return output
  }
}

/// UTF-8 text, or the bytes of a file, that grows at its end and is flushed in pieces, so that writing a file of any
/// length needs little memory.
package struct TextBuffer: TextOutputStream, Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package var isLarge: Bool { bytes.count >= 64 * 1024 }

  package mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  package mutating func flush(to output: inout some TextOutputStream) {
    if let file = output as? AtomicFile { file.write(bytes: bytes) } else { output.write(text) }
    bytes.removeAll(keepingCapacity: true)
  }

  mutating func write(byte: UInt8) { bytes.append(byte) }

  mutating func write(bytes more: [UInt8]) { bytes += more }

  mutating func write(integer: Int) { bytes += String(integer).utf8 }

  /// Writes the value rounded to `decimals` places, halves away from zero: 2.345 to two is `2.35`. Non-finite values
  /// are `inf`, `-inf` or `nan`.
  package mutating func write(number value: Double, decimals: Int) {
    let places = min(max(decimals, 0), Self.powersOfTen.count - 1)
    let scaled = (value * Double(Self.powersOfTen[places])).rounded(.toNearestOrAwayFromZero)
    guard abs(scaled) < 9e18 else {
      return write(value.isNaN ? "nan" : value.isInfinite ? (value < 0 ? "-inf" : "inf") : "\(value)")
    }
    let number = Int(scaled)
    if number < 0 { write(byte: UInt8(ascii: "-")) }
    let (whole, fraction) = number.magnitude.quotientAndRemainder(dividingBy: UInt(Self.powersOfTen[places]))
    write(digits: whole, atLeast: 1)
    guard places > 0 else { return }
    write(byte: UInt8(ascii: "."))
    write(digits: fraction, atLeast: places)
  }

  private static let powersOfTen = Array(sequence(first: 1) { $0 * 10 }.prefix(13))

  private mutating func write(digits number: UInt, atLeast places: Int) {
    let digits = String(number).utf8
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(0, places - digits.count)))
    bytes += digits
  }
}

enum CSVText {
  static func write(_ cell: Cell, into buffer: inout TextBuffer) {
    switch cell {
    case .empty: break
    case .text(let text), .code(let text): write(field: SpreadsheetText.guarded(text), into: &buffer)
    case .flag(let flag): buffer.write(flag ? "true" : "false")
    case .integer(let count): buffer.write(integer: count)
    case .number(let value, let decimals), .change(let value, let decimals):
      buffer.write(number: value, decimals: decimals + Cell.exactDecimals)
    case .numeral(let digits): buffer.write(digits)
    }
  }

  static func write(field text: String, into buffer: inout TextBuffer) {
    guard text.utf8.contains(where: needsQuotes) else { return buffer.write(text) }
    let quote = UInt8(ascii: "\"")
    buffer.write(byte: quote)
    for byte in text.utf8 {
      if byte == quote { buffer.write(byte: quote) }
      buffer.write(byte: byte)
    }
    buffer.write(byte: quote)
  }

  private static func needsQuotes(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
  }
}
