/// A column of a table as a value: what it is called and what stands in it. Writers know only syntax and
/// escaping, so CSV, Markdown, JSON, HTML and the terminal cannot disagree about contents.
public struct Column<Row>: Sendable {
  /// The side to which a column's contents are set.
  public enum Alignment: Sendable, Hashable {
    /// Text.
    case leading
    /// Numbers.
    case trailing
  }

  /// The name in files for programs, units included: `encode_cpu_ms`.
  public let name: String
  /// The name for people, without the unit: `Encode CPU`.
  public let title: String
  /// The unit for people; empty for counts, ratios and text.
  public let unit: String
  /// The side to which contents are set.
  public let alignment: Alignment
  /// What stands in the column for a row.
  public let cell: @Sendable (Row) -> Cell

  /// Describes a column.
  public init(
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
  public var heading: String { unit.isEmpty ? title : "\(title) (\(unit))" }
}
