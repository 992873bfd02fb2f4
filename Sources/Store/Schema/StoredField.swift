import GRDB

/// A part of a table's rows, defined once: the table, its inserts, selects, merges and the check of its values are made of
/// a list of them.
struct StoredField<Source, Row>: Sendable {
  /// The columns as a table declares them, such as `format TEXT`. Those that stores of earlier versions lack are added on
  /// opening.
  let declarations: [String]
  /// Conditions on the columns of every row, and on those of rows with figures.
  var holds: [String] = []
  var holdsMeasured: [String] = []
  /// Values for the columns; nil for NULL in all.
  let write: @Sendable (Source) throws -> [DatabaseValue]?
  /// Reads the columns that start at an index; nil for columns that no row shows.
  let read: (@Sendable (CurrentRow, Int, inout Row) throws -> Void)?

  var columns: [String] { declarations.map { String($0.prefix { $0 != " " }) } }

  /// Values for the columns.
  func values(_ source: Source) throws -> [DatabaseValue] {
    try write(source) ?? declarations.map { _ in .null }
  }
}
