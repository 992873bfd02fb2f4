package import Store

extension Cell {
  /// The spelling for readers: no more decimals than matter, thousands grouped, yes and no.
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
