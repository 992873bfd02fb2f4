import GRDB

/// A part of a table's rows, defined once: the table, its inserts, selects and merges, and the check of its values all
/// come from a list of fields.
struct StoredField<Source, Row>: Sendable {
  /// The columns as a table declares them, such as `format TEXT`. Columns that stores of earlier versions lack are
  /// added on opening.
  let declarations: [String]
  /// Conditions on the columns of every row; `holdsMeasured` has those for rows with figures only.
  var holds: [String] = []
  var holdsMeasured: [String] = []
  /// Values for the columns; nil for NULL in all.
  let write: @Sendable (Source) throws -> [DatabaseValue]?
  /// Reads the columns from an index on; nil for columns that no row shows.
  let read: (@Sendable (CurrentRow, Int, inout Row) throws -> Void)?

  var columns: [String] { declarations.map { String($0.prefix { $0 != " " }) } }

  /// Values for the columns.
  func values(_ source: Source) throws -> [DatabaseValue] {
    try write(source) ?? declarations.map { _ in .null }
  }
}
