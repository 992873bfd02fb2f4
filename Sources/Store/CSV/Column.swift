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
