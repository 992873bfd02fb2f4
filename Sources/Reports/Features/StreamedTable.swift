package import Store

/// A table of any length, whose rows are read one after another and not kept.
package struct StreamedTable: Sendable {
  package enum Syntax: Sendable {
    case csv
    case json
  }

  private let body:
    @Sendable (
      _ syntaxes: [Syntax], _ level: Int, _ flush: (Int, inout TextBuffer) throws -> Void
    ) throws -> Void

  package init<Row>(
    _ columns: [Column<Row>],
    forEachRow: @escaping @Sendable (_ body: (Row) throws -> Void) throws -> Void
  ) {
    body = { syntaxes, level, flush in
      var writers = syntaxes.map { syntax -> any RowWriter<Row> in
        syntax == .csv ? CSVWriter(columns) : JSONRowsWriter(columns, level: level)
      }
      var buffers = writers.map { _ in TextBuffer() }
      for index in writers.indices { writers[index].begin(into: &buffers[index]) }
      try forEachRow { row in
        for index in writers.indices {
          writers[index].append(row, into: &buffers[index])
          if buffers[index].isLarge { try flush(index, &buffers[index]) }
        }
      }
      for index in writers.indices {
        writers[index].end(into: &buffers[index])
        try flush(index, &buffers[index])
      }
    }
  }

  package init<Row: Sendable>(_ columns: [Column<Row>], _ rows: [Row]) {
    self.init(columns) { body in try rows.forEach(body) }
  }

  /// Writes the table to a stream; `level` is the depth of a JSON array.
  package func write(_ syntax: Syntax, level: Int = 0, to output: inout some TextOutputStream) throws {
    try body([syntax], level) { _, buffer in buffer.flush(to: &output) }
  }

  /// Writes the table's files in one pass over its rows.
  func write(csv: String, json: String?, to folder: OwnedFolder) throws {
    var outputs = try [csv, json].compactMap { $0 }.map { try folder.file($0) }
    try body(json == nil ? [.csv] : [.csv, .json], 0) { $1.flush(to: &outputs[$0]) }
    if json != nil { outputs[1].write("\n") }
    for output in outputs { try output.commit() }
  }
}
