/// A table column as a value: its names, its cells, and how to read back a field of a file. Writers handle only syntax
/// and escaping, so that CSV, Markdown, JSON, HTML and the terminal cannot disagree about contents.
package struct Column<Row>: Sendable {
  /// Parses a field that is not empty into a row.
  package typealias Read = @Sendable (CSVField, inout Row) throws(CSVError) -> Void

  package enum Alignment: Sendable, Hashable {
    case leading
    case trailing
  }

  /// The name in files for programs, units included: `encode_cpu_ms`.
  package let name: String
  package let title: String
  /// The display unit; empty for counts, ratios and text.
  package let unit: String
  package let alignment: Alignment
  package let type: ColumnType
  package let cell: @Sendable (Row) -> Cell
  /// Nil for a column that is only written, or read together with another.
  package let read: Read?

  /// - Parameter type: Nil for the default: numbers for trailing alignment, text for leading.
  package init(
    _ name: String, title: String, unit: String = "", alignment: Alignment = .trailing,
    type: ColumnType? = nil, read: Read? = nil,
    cell: @escaping @Sendable (Row) -> Cell
  ) {
    self.name = name
    self.title = title
    self.unit = unit
    self.alignment = alignment
    self.type = type ?? (alignment == .leading ? .text : .number)
    self.cell = cell
    self.read = read
  }

  /// The column with a function that reads a file's field back.
  package func reading(_ read: @escaping Read) -> Column {
    Column(name, title: title, unit: unit, alignment: alignment, type: type, read: read, cell: cell)
  }

  package var heading: String { unit.isEmpty ? title : "\(title) (\(unit))" }
}

/// The type of a column's values in files with a schema.
package enum ColumnType: Sendable, Hashable {
  case text, flag, integer, number
}

package enum Cell: Sendable, Hashable {
  /// Not measured or not applicable: an empty field, `null` in JSON.
  case empty
  case text(String)
  /// A name shown verbatim: a file, a codec variant, a hash.
  case code(String)
  case flag(Bool)
  case integer(Int)
  /// A measured number with the number of decimals shown to people; files for programs get `exactDecimals` more.
  case number(Double, decimals: Int)
  /// A change for better or worse, shown to people with its sign; otherwise like `number`.
  case change(Double, decimals: Int)
  /// A number in its own canonical decimal spelling, such as a quality of `0.85`.
  case numeral(String)

  /// The number of extra decimals in files for programs, compared with tables for people.
  package static let exactDecimals = 3

  package init(text: String?) { self = text.map { .text($0) } ?? .empty }

  package init(code: String?) { self = code.map { .code($0) } ?? .empty }

  package init(flag: Bool?) { self = flag.map { .flag($0) } ?? .empty }

  package init(integer: Int?) { self = integer.map { .integer($0) } ?? .empty }

  package init(number: Double?, decimals: Int) {
    self = number.flatMap { $0.isNaN ? nil : .number($0, decimals: decimals) } ?? .empty
  }

  package init(change: Double?, decimals: Int) {
    self = change.flatMap { $0.isNaN ? nil : .change($0, decimals: decimals) } ?? .empty
  }
}

extension Double {
  /// The number rounded as in files for programs, for a column that shows people `decimals`.
  package func roundedAsInFiles(_ decimals: Int) -> Double {
    var scale = 1.0
    for _ in 0..<min(max(decimals, 0) + Cell.exactDecimals, 12) { scale *= 10 }
    let scaled = self * scale
    // Beyond 2⁵³ there are no decimals to round.
    return abs(scaled) < 0x1p53 ? scaled.rounded() / scale : self
  }
}
