import GRDB
import Model

/// The inputs of a read or a tiled picture other than the picture: a row of `read_source`.
struct StoredSource {
  /// The preparation of pictures for codecs; empty for a file as found.
  var preparation: String
  /// The codec with settings and build; for a file as found, its format.
  var variant: CodecVariant
  /// Thousandths; -1 for a file as found.
  var quality: Int
  /// The libraries involved, canonically spelled.
  var libraries: String

  /// The row's number; the row is created if missing.
  func number(_ db: Database) throws -> Int64 {
    let values: StatementArguments = [
      preparation, variant.codec, variant.build ?? "", try StoredJSON.text(variant.settings), quality,
      libraries,
    ]
    let find = """
      SELECT id FROM read_source
      WHERE preparation = ? AND codec = ? AND build = ? AND settings = ? AND quality = ? AND libraries = ?
      """
    if let id = try Int64.fetchOne(db.cachedStatement(sql: find), arguments: values) { return id }
    let make = """
      INSERT INTO read_source(preparation, codec, build, settings, quality, libraries) VALUES (?, ?, ?, ?, ?, ?)
      """
    try db.cachedStatement(sql: make).execute(arguments: values)
    return db.lastInsertedRowID
  }
}
