import Foundation
import Model

package enum Bootstrap {
  package static let minimumImages = 5
  /// The maximum number of images for Student's t. Percentiles of the bootstrap are too narrow for few images: with
  /// five, they contain the mean 83 times in a hundred (`docs/lab/metrics.md`).
  package static let fewImages = 50
  /// The maximum number of images for the bootstrap. Beyond it, the normal interval agrees and limits the time.
  static let maximumImages = 1000

  /// Returns the 95 % interval of the mean, or nil for fewer than `minimumImages`.
  ///
  /// Up to `fewImages` it is Student's t interval; values must be on a scale on which their spread is symmetric, such
  /// as logarithms for ratios. Up to `maximumImages` it is the percentile bootstrap (Efron and Tibshirani, 1993,
  /// chapter 13): the mean of as many values drawn with replacement, `resamples` times, between its 2.5th and 97.5th
  /// percentile. The generator restarts from `seed`, so equal values give equal intervals.
  ///
  /// For a sample without replacement of a `population` of images, both ends are closer to the mean by the finite
  /// population correction √(1 − n/N) (Cochran, Sampling Techniques, 1977, 2.17), because the interval is for the mean
  /// of that population.
  package static func interval(
    of values: ImageValues, resamples: Int, seed: UInt64, population: Int? = nil
  ) -> ConfidenceInterval? {
    guard (fewImages + 1...maximumImages).contains(values.count) else {
      return StudentT.interval(of: values, population: population)
    }
    guard let mean = values.mean, resamples >= 2 else { return nil }
    return bootstrap(values.few, resamples: resamples, seed: seed)
      .narrowed(around: mean, images: values.count, population: population)
  }

  private static func bootstrap(_ values: [Double], resamples: Int, seed: UInt64) -> ConfidenceInterval {
    var generator = SeededGenerator(seed: seed)
    let count = values.count
    var means: [Double] = []
    means.reserveCapacity(resamples)
    values.withUnsafeBufferPointer { values in
      for _ in 0..<resamples {
        var sum = 0.0
        for _ in 0..<count { sum += values[min(Int(generator.unit() * Double(count)), count - 1)] }
        means.append(sum / Double(count))
      }
    }
    means.sort()
    return ConfidenceInterval(
      lower: quantile(0.025, ofSorted: means), upper: quantile(0.975, ofSorted: means), method: .bootstrap)
  }

  /// Returns a quantile of ascending values, linear between neighbours (type 7 of Hyndman and Fan, 1996).
  private static func quantile(_ share: Double, ofSorted values: [Double]) -> Double {
    let position = share * Double(values.count - 1)
    let below = Int(position)
    let (lower, upper) = (values[below], values[min(below + 1, values.count - 1)])
    return lower + (upper - lower) * (position - Double(below))
  }
}

package enum StudentT {
  /// Returns the 95 % interval of the mean, or nil for fewer than `Bootstrap.minimumImages`. Beyond
  /// `Bootstrap.maximumImages` it is the normal interval, which is 0.12 % narrower there.
  /// - Parameter population: As in `Bootstrap.interval`.
  package static func interval(of values: ImageValues, population: Int? = nil) -> ConfidenceInterval? {
    let count = values.count
    guard count >= Bootstrap.minimumImages, let mean = values.mean else { return nil }
    let isNormal = count > Bootstrap.maximumImages
    let squares = values.few.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let variance = isNormal ? values.variance ?? 0 : squares / Double(count - 1)
    let errors = isNormal ? 1.959964 : quantile(central: 0.95, degreesOfFreedom: count - 1)
    let margin = errors * (variance / Double(count)).squareRoot()
    return ConfidenceInterval(
      lower: mean - margin, upper: mean + margin, method: isNormal ? .normal : .studentT
    ).narrowed(around: mean, images: count, population: population)
  }

  /// Returns the bound of a central part of the distribution, for parts up to 0.99.
  package static func quantile(central part: Double, degreesOfFreedom: Int) -> Double {
    var (low, high) = (0.0, 64.0)
    // Sixty bisections narrow the interval to the last bits of a double.
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

extension ConfidenceInterval {
  fileprivate func narrowed(around mean: Double, images: Int, population: Int?) -> ConfidenceInterval {
    guard let population else { return self }
    let share = (1 - min(Double(images) / Double(population), 1)).squareRoot()
    return mapped { mean + share * ($0 - mean) }
  }
}
