import Analysis
package import Model
package import Store

/// The columns of measurements.csv, which JSON, HTML and the terminal share. Names never change meaning;
/// new columns come before `error`, and a column is there whether or not this run measured it.
package enum MeasurementColumns {
  /// All columns in their order, with a score column for each of `metrics` besides the standard ones.
  package static func all(metrics: [MetricTraits]) -> [Column<ResultRow>] {
    MeasurementField.leading.map(Column.init) + scores(metrics: metrics)
      + MeasurementField.trailing.map(Column.init)
  }

  /// A column for each metric: the standard ones first, then what else this run measured.
  package static func scores(metrics: [MetricTraits]) -> [Column<ResultRow>] {
    scoreTraits(metrics: metrics).map { metric in
      Column(metric.column, title: metric.title, unit: metric.unit) {
        Cell(number: $0.scores[metric.id], decimals: metric.decimals)
      }
    }
  }

  /// The metrics behind the score columns, in the columns' order. What a run says of a metric holds.
  static func scoreTraits(metrics: [MetricTraits]) -> [MetricTraits] {
    let measured = Dictionary(metrics.map { ($0.id, $0) }) { first, _ in first }
    let standardIDs = Set(MetricTraits.standard.map(\.id))
    return MetricTraits.standard.map { measured[$0.id] ?? $0 }
      + metrics.filter { !standardIDs.contains($0.id) }
  }
}

extension Column<ResultRow> {
  /// The column of a field: texts stand to the left, numbers to the right.
  fileprivate init(_ field: MeasurementField) {
    let (alignment, cell): (Alignment, @Sendable (ResultRow) -> Cell) =
      switch field.value {
      case .text(let value): (.leading, { Cell(text: value($0)) })
      case .code(let value): (.leading, { Cell(code: value($0)) })
      case .flag(let value): (.leading, { Cell(flag: value($0)) })
      case .integer(let value): (.trailing, { Cell(integer: value($0)) })
      case .number(let decimals, let value): (.trailing, { Cell(number: value($0), decimals: decimals) })
      case .numeral(let value): (.trailing, { row in value(row).map { .numeral($0) } ?? .empty })
      }
    self.init(field.name, title: field.title, unit: field.unit, alignment: alignment, cell: cell)
  }
}
