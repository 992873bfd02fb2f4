/// A column of a table as a value: what it is called and what stands in it. Writers know only syntax and
/// escaping, so CSV, Markdown, JSON, HTML and the terminal cannot disagree about contents.
package struct Column<Row>: Sendable {
  /// The side to which a column's contents are set.
  package enum Alignment: Sendable, Hashable {
    /// Text.
    case leading
    /// Numbers.
    case trailing
  }

  /// The name in files for programs, units included: `encode_cpu_ms`.
  package let name: String
  /// The name for people, without the unit: `Encode CPU`.
  package let title: String
  /// The unit for people; empty for counts, ratios and text.
  package let unit: String
  /// The side to which contents are set.
  package let alignment: Alignment
  /// What stands in the column for a row.
  package let cell: @Sendable (Row) -> Cell

  /// Describes a column.
  package init(
    _ name: String, title: String, unit: String = "", alignment: Alignment = .trailing,
    cell: @escaping @Sendable (Row) -> Cell
  ) {
    self.name = name
    self.title = title
    self.unit = unit
    self.alignment = alignment
    self.cell = cell
  }

  /// Title and unit as a table's header shows them: `Encode CPU (ms)`.
  package var heading: String { unit.isEmpty ? title : "\(title) (\(unit))" }
}

/// What stands in one field of a table, before any writer has given it a spelling.
package enum Cell: Sendable, Hashable {
  /// Nothing was measured or does not apply: an empty field, `null` in JSON.
  case empty
  /// Prose, such as an error message.
  case text(String)
  /// A name that is shown exactly as it is spelled: a file, a codec variant, a hash.
  case code(String)
  /// Yes or no.
  case flag(Bool)
  /// A count.
  case integer(Int)
  /// A measured number with the decimals that people need; files for programs get `exactDecimals` more.
  case number(Double, decimals: Int)
  /// A change for better or worse, which people see with its sign; else like `number`.
  case change(Double, decimals: Int)
  /// A number in its own canonical decimal spelling, such as a quality of `0.85`.
  case numeral(String)

  /// Decimals that CSV and JSON carry beyond what tables for people show.
  package static let exactDecimals = CSVColumnNames.exactDecimals

  /// `text` for a text, `empty` for none.
  package init(text: String?) { self = text.map { .text($0) } ?? .empty }

  /// `code` for a name, `empty` for none.
  package init(code: String?) { self = code.map { .code($0) } ?? .empty }

  /// `flag` for a truth value, `empty` for none.
  package init(flag: Bool?) { self = flag.map { .flag($0) } ?? .empty }

  /// `integer` for a count, `empty` for none.
  package init(integer: Int?) { self = integer.map { .integer($0) } ?? .empty }

  /// `number` for a value, `empty` for none and for what is not a number.
  package init(number: Double?, decimals: Int) {
    guard let number, !number.isNaN else {
      self = .empty
      return
    }
    self = .number(number, decimals: decimals)
  }

  /// `change` for a value, `empty` for none and for what is not a number.
  package init(change: Double?, decimals: Int) {
    guard let change, !change.isNaN else {
      self = .empty
      return
    }
    self = .change(change, decimals: decimals)
  }
}
