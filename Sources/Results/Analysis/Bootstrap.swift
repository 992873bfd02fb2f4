internal import BenchModel

/// Statistics over the images of a corpus.
public enum Bootstrap {
  /// Images below which an interval would say nothing.
  public static let minimumImages = 5
  /// Images above which the normal interval takes over: both methods agree there, and time stays bounded.
  public static let maximumImages = 1000

  /// The 95 % interval of the mean of `values`, or nil for fewer than `minimumImages`.
  ///
  /// Up to `maximumImages` it is the percentile bootstrap (Efron and Tibshirani, 1993, chapter 13): the mean of
  /// as many values drawn with replacement, `resamples` times, between its 2.5th and 97.5th percentile. The
  /// generator starts from `seed` each time, so that equal values give equal intervals.
  static func interval(of values: [Double], resamples: Int, seed: UInt64) -> ConfidenceInterval? {
    guard values.count >= minimumImages, resamples >= 2 else { return nil }
    if values.count > maximumImages { return normalInterval(of: values) }
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

  /// The median of values in any order; nil for none.
  static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : quantile(0.5, ofSorted: values.sorted())
  }

  /// A quantile of ascending values, linear between neighbours (type 7 of Hyndman and Fan, 1996).
  private static func quantile(_ share: Double, ofSorted values: [Double]) -> Double {
    let position = share * Double(values.count - 1)
    let below = Int(position)
    let above = min(below + 1, values.count - 1)
    return values[below] + (values[above] - values[below]) * (position - Double(below))
  }

  private static func normalInterval(of values: [Double]) -> ConfidenceInterval {
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    let margin = 1.959964 * (variance / count).squareRoot()
    return ConfidenceInterval(lower: mean - margin, upper: mean + margin, method: .normal)
  }
}
