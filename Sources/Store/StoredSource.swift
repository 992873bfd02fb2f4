import GRDB
import Model

/// What a read or a picture in tiles is made of besides the picture: a row of `read_source`.
struct StoredSource {
  /// How pictures were prepared for codecs; empty for a file as it was found.
  var preparation: String
  /// The codec with its settings and build; of a file as it was found its format.
  var variant: CodecVariant
  /// Thousandths; -1 for a file as it was found.
  var quality: Int
  /// The libraries that take part, canonically spelled.
  var libraries: String

  /// The row's number; it is made where it is missing.
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
