/// A curve through points that never overshoots them: PCHIP, a piecewise cubic Hermite interpolant.
///
/// Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5 (1984): the slope at an inner point is the weighted harmonic mean
/// of its neighbours' secants, and zero at a local extremum. At the ends it is the three-point formula, limited to keep
/// the shape (Moler, Numerical Computing with MATLAB, 2004, section 3.6). SciPy's PchipInterpolator uses the same
/// slopes; with two points both give a straight line.
package struct PiecewiseCubic: Sendable, Hashable {
  let x: [Double]
  let y: [Double]
  let slopes: [Double]

  /// Creates the curve. Returns nil unless there are at least two points, all finite, with ascending `x`.
  package init?(x: [Double], y: [Double]) {
    guard x.count >= 2, x.count == y.count, x.allSatisfy(\.isFinite), y.allSatisfy(\.isFinite),
      zip(x, x.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    self.x = x
    self.y = y
    slopes = Self.slopes(x, y)
  }

  package var domain: ClosedRange<Double> { x[0]...x[x.count - 1] }

  package func value(at position: Double) -> Double? {
    guard domain.contains(position) else { return nil }
    let k = segment(of: position)
    let t = position - x[k]
    let (c2, c3) = curvature(k)
    return y[k] + t * (slopes[k] + t * (c2 + t * c3))
  }

  /// Returns the exact integral over an interval; nil if the interval leaves the domain.
  package func integral(over interval: ClosedRange<Double>) -> Double? {
    guard domain.contains(interval.lowerBound), domain.contains(interval.upperBound) else { return nil }
    var total = 0.0
    for k in segment(of: interval.lowerBound)...segment(of: interval.upperBound) {
      let from = max(interval.lowerBound, x[k]) - x[k]
      let to = min(interval.upperBound, x[k + 1]) - x[k]
      total += antiderivative(k, to) - antiderivative(k, from)
    }
    return total
  }

  private func antiderivative(_ k: Int, _ t: Double) -> Double {
    let (c2, c3) = curvature(k)
    return t * (y[k] + t * (slopes[k] / 2 + t * (c2 / 3 + t * c3 / 4)))
  }

  /// Returns the coefficients of t² and t³ in segment `k`.
  private func curvature(_ k: Int) -> (Double, Double) {
    let h = x[k + 1] - x[k]
    let secant = (y[k + 1] - y[k]) / h
    return (
      (3 * secant - 2 * slopes[k] - slopes[k + 1]) / h, (slopes[k] + slopes[k + 1] - 2 * secant) / (h * h)
    )
  }

  private func segment(of position: Double) -> Int {
    var (low, high) = (0, x.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if x[middle] <= position { low = middle } else { high = middle }
    }
    return low
  }

  private static func slopes(_ x: [Double], _ y: [Double]) -> [Double] {
    let steps = zip(x, x.dropFirst()).map { $1 - $0 }
    let secants = zip(zip(y, y.dropFirst()), steps).map { ($0.1 - $0.0) / $1 }
    guard steps.count > 1 else { return [secants[0], secants[0]] }
    var slopes = [endSlope(steps[0], steps[1], secants[0], secants[1])]
    for k in 1..<steps.count {
      slopes.append(innerSlope(steps[k - 1], steps[k], secants[k - 1], secants[k]))
    }
    let n = steps.count
    slopes.append(endSlope(steps[n - 1], steps[n - 2], secants[n - 1], secants[n - 2]))
    return slopes
  }

  private static func innerSlope(_ h0: Double, _ h1: Double, _ s0: Double, _ s1: Double) -> Double {
    guard s0 * s1 > 0 else { return 0 }
    let (w0, w1) = (2 * h1 + h0, h1 + 2 * h0)
    return (w0 + w1) / (w0 / s0 + w1 / s1)
  }

  private static func endSlope(_ h0: Double, _ h1: Double, _ s0: Double, _ s1: Double) -> Double {
    let slope = ((2 * h0 + h1) * s0 - h0 * s1) / (h0 + h1)
    if slope * s0 <= 0 { return 0 }
    if s0 * s1 <= 0, abs(slope) > 3 * abs(s0) { return 3 * s0 }
    return slope
  }
}
