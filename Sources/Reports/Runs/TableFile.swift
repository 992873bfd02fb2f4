import Store

/// A table as a file of a results folder, written row by row. It takes its name when it is finished; without
/// any row there is none, and one of an earlier run goes.
struct TableFile<Row> {
  private let name: String
  private let files: OwnedFolder
  private var file: AtomicFile?
  private var writer: CSVWriter<Row>
  private var buffer = TextBuffer()

  init(_ name: String, _ columns: [Column<Row>], in files: OwnedFolder) {
    self.name = name
    self.files = files
    writer = CSVWriter(columns)
  }

  /// Writes the header, so that the file is there even without rows.
  mutating func begin() throws {
    file = try files.file(name)
    writer.begin(into: &buffer)
  }

  mutating func append(_ row: Row) throws {
    if file == nil { try begin() }
    writer.append(row, into: &buffer)
    if buffer.isLarge, var file {
      buffer.flush(to: &file)
      self.file = file
    }
  }

  /// Gives the file its name.
  mutating func finish() throws {
    guard var file else { return files.remove(name) }
    writer.end(into: &buffer)
    buffer.flush(to: &file)
    try file.commit()
  }
}
