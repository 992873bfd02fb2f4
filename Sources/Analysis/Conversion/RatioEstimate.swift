/// The total of a quantity over all files of a folder, projected from a simple random sample of them by its ratio to
/// another quantity that is known of every file: what conversions take, to what the files take now.
///
/// Cochran, Sampling Techniques, third edition, 1977, chapter 6: with N files, of which n are in the sample, R̂ = Σy/Σx
/// over the sample and X the known total, the total is R̂·X, and its variance
/// N²·(1 − n/N)/n · Σ(y − R̂x)²/(n − 1). That variance is multiplied by (X̄/x̄)², the square of the mean of x over all
/// files to that over the sample, which follows the error of the sample at hand better (Royall and Cumberland, An
/// empirical study of the ratio estimator and estimators of its variance, JASA 76, 1981). The interval is R̂·X plus and
/// minus Student's t with n − 1 degrees of freedom times the root of it.
package struct RatioEstimate: Sendable, Hashable {
  /// One file of the sample.
  package struct File: Sendable, Hashable {
    /// What is known of every file.
    package var known: Double
    /// What was measured of this one.
    package var measured: Double

    /// Pairs both.
    package init(known: Double, measured: Double) { (self.known, self.measured) = (known, measured) }
  }

  /// The projected total.
  package let total: Double
  /// The known total.
  package let known: Double
  /// Ends of the 95 % interval of the total; nil where the sample is too small for one. Both are the total where the
  /// sample is the whole folder.
  package let interval: (lower: Double, upper: Double)?

  /// Projects a sample to `count` files with the total `known`; nil where the sample says nothing.
  /// - Parameter most: the most that the total can be, at which the interval ends; it never begins below 0.
  package init?(_ sample: [File], count: Int, known: Double, most: Double = .infinity) {
    let (x, y) = (sample.reduce(0) { $0 + $1.known }, sample.reduce(0) { $0 + $1.measured })
    guard !sample.isEmpty, sample.count <= count, x > 0, x.isFinite, y.isFinite, known.isFinite else {
      return nil
    }
    let (ratio, n, all) = (y / x, Double(sample.count), Double(count))
    self.known = known
    guard sample.count < count else {
      (total, interval) = (y, (y, y))
      return
    }
    total = ratio * known
    guard sample.count >= Bootstrap.minimumImages else {
      interval = nil
      return
    }
    let squares = sample.reduce(0) { sum, file in
      let residual = file.measured - ratio * file.known
      return sum + residual * residual
    }
    let weight = (known / all) / (x / n)
    let variance = weight * weight * all * all * (1 - n / all) / n * squares / (n - 1)
    let margin = StudentT.quantile975(degreesOfFreedom: sample.count - 1) * variance.squareRoot()
    interval = (max(total - margin, 0), min(total + margin, most))
  }

  /// The change of the total against the known one in percent: −27 where 27 % fewer.
  package var changePercent: Double { (total / known - 1) * 100 }
  /// The same of the interval's ends.
  package var changeInterval: (lower: Double, upper: Double)? {
    interval.map { (($0.lower / known - 1) * 100, ($0.upper / known - 1) * 100) }
  }

  package static func == (a: RatioEstimate, b: RatioEstimate) -> Bool {
    a.total == b.total && a.known == b.known && a.interval?.lower == b.interval?.lower
      && a.interval?.upper == b.interval?.upper
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(total)
    hasher.combine(known)
  }
}
