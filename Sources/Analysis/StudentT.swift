import Foundation

/// Student's t distribution with whole degrees of freedom.
package enum StudentT {
  /// Returns the bound of the central 95 % of the distribution: 12.706 for one degree of freedom, 1.960 in the limit.
  package static func quantile975(degreesOfFreedom: Int) -> Double {
    quantile(central: 0.95, degreesOfFreedom: degreesOfFreedom)
  }

  /// Returns the bound of a central part of the distribution, for parts up to 0.99.
  package static func quantile(central part: Double, degreesOfFreedom: Int) -> Double {
    var (low, high) = (0.0, 64.0)
    // Sixty halvings narrow the interval to the last bits of a double.
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if central(middle, degreesOfFreedom: degreesOfFreedom) < part { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// Returns the probability of values from −t to t, as a finite sum (Abramowitz and Stegun, Handbook of Mathematical
  /// Functions, 1964, 26.7.3 and 26.7.4).
  package static func central(_ t: Double, degreesOfFreedom: Int) -> Double {
    let angle = atan(t / Double(degreesOfFreedom).squareRoot())
    let square = cos(angle) * cos(angle)
    if degreesOfFreedom == 1 { return angle * 2 / .pi }
    let isOdd = degreesOfFreedom % 2 == 1
    var term = isOdd ? cos(angle) : 1
    var sum = term
    var factor = isOdd ? 3 : 2
    while factor <= degreesOfFreedom - 2 {
      term *= square * Double(factor - 1) / Double(factor)
      sum += term
      factor += 2
    }
    return isOdd ? (angle + sin(angle) * sum) * 2 / .pi : sin(angle) * sum
  }
}
