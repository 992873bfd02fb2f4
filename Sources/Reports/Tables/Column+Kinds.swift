import Model
package import Store

// Columns by kind of cell; a missing value leaves the cell empty.
extension Column {
  package typealias Value<Kind> = @Sendable (Row) -> Kind?

  package static func code(_ name: String, _ title: String, _ value: @escaping Value<String>) -> Column {
    Column(name, title: title, alignment: .leading) { Cell(code: value($0)) }
  }

  package static func text(_ name: String, _ title: String, _ value: @escaping Value<String>) -> Column {
    Column(name, title: title, alignment: .leading) { Cell(text: value($0)) }
  }

  package static func flag(_ name: String, _ title: String, _ value: @escaping Value<Bool>) -> Column {
    Column(name, title: title, alignment: .leading, type: .flag) { Cell(flag: value($0)) }
  }

  /// The score at which a row's figures apply.
  static func target(
    _ headline: MetricTraits?, _ value: @escaping @Sendable (Row) -> Double
  ) -> Column {
    Column("target", title: headline?.title ?? "Score", unit: headline?.unit ?? "") {
      .numeral(Numerals.short(value($0)))
    }
  }

  package static func count(
    _ name: String, _ title: String, unit: String = "", _ value: @escaping Value<Int>
  ) -> Column {
    Column(name, title: title, unit: unit, type: .integer) { Cell(integer: value($0)) }
  }

  package static func number(
    _ name: String, _ title: String, unit: String = "", decimals: Int, _ value: @escaping Value<Double>
  ) -> Column {
    Column(name, title: title, unit: unit) { Cell(number: value($0), decimals: decimals) }
  }

  /// A change for better or worse, shown with its sign.
  package static func change(
    _ name: String, _ title: String, unit: String = "%", decimals: Int, _ value: @escaping Value<Double>
  ) -> Column {
    Column(name, title: title, unit: unit) { Cell(change: value($0), decimals: decimals) }
  }
}

extension Cell {
  /// The text for readers: only decimals that matter, grouped thousands, and yes or no for flags.
  package var display: String {
    switch self {
    case .empty: ""
    case .text(let text), .code(let text), .numeral(let text): text
    case .flag(let flag): flag ? "yes" : "no"
    case .integer(let count): Numerals.grouped(count)
    case .number(let value, let decimals): Numerals.grouped(value, decimals: decimals)
    case .change(let value, let decimals): Numerals.signed(value, decimals: decimals)
    }
  }
}
