import Foundation

package struct ChartScale: Hashable {
  package enum Spacing: Hashable {
    case linear
    /// Equal ratios take equal space; values must be positive.
    case logarithmic
  }

  let spacing: Spacing
  let domain: ClosedRange<Double>

  /// Covers `values` with a margin at both ends; nil if no value is usable.
  init?(_ spacing: Spacing, _ values: some Sequence<Double>, margin: Double = 0.04) {
    let usable = values.filter { $0.isFinite && (spacing == .linear || $0 > 0) }
    guard let lowest = usable.min(), let highest = usable.max() else { return nil }
    self.spacing = spacing
    switch spacing {
    case .linear:
      let room = highest > lowest ? (highest - lowest) * margin : max(abs(highest) * 0.1, 1)
      domain = (lowest - room)...(highest + room)
    case .logarithmic:
      let room = highest > lowest ? pow(highest / lowest, margin) : 2
      domain = (lowest / room)...(highest * room)
    }
  }

  func fraction(of value: Double) -> Double {
    let (low, high) = (domain.lowerBound, domain.upperBound)
    switch spacing {
    case .linear: return (value - low) / (high - low)
    case .logarithmic: return value > 0 ? log(value / low) / log(high / low) : 0
    }
  }

  /// Round values inside the domain: about six on a linear axis, 1-2-5 steps on a logarithmic one.
  var ticks: [Double] { spacing == .linear ? linearTicks : logarithmicTicks }

  private var linearTicks: [Double] {
    let span = domain.upperBound - domain.lowerBound
    let power = pow(10, floor(log10(span / 5)))
    let step = [1, 2, 5, 10].map { $0 * power }.first { span / $0 <= 7 } ?? span
    let first = (domain.lowerBound / step).rounded(.up)
    let last = (domain.upperBound / step).rounded(.down)
    guard first <= last, last - first < 100 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  private var logarithmicTicks: [Double] {
    let decades = Int(floor(log10(domain.lowerBound)))...Int(ceil(log10(domain.upperBound)))
    // A narrow range leaves room for more steps per decade.
    let span = log10(domain.upperBound / domain.lowerBound)
    let steps: [Double] = span < 0.7 ? [1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9] : span < 4 ? [1, 2, 5] : [1]
    return decades.flatMap { decade in steps.map { $0 * pow(10, Double(decade)) } }
      .filter { domain.contains($0) }
  }
}
