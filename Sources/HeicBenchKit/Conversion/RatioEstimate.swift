import Analysis

/// Total of a quantity over all files of a folder, projected from a simple random sample by its ratio to a quantity
/// known for every file: bytes after conversion to bytes now.
///
/// Cochran, Sampling Techniques, third edition, 1977, chapter 6: with N files, n of them in the sample, R̂ = Σy/Σx over
/// the sample and X the known total, the total is R̂·X, and its variance N²·(1 − n/N)/n · Σ(y − R̂x)²/(n − 1). That
/// variance is multiplied by (X̄/x̄)², the squared ratio of the mean of x over all files to that over the sample, which
/// follows the error of the actual sample better (Royall and Cumberland, An empirical study of the ratio estimator and
/// estimators of its variance, JASA 76, 1981). The interval is R̂·X ± Student's t with n − 1 degrees of freedom times
/// the root of the variance.
///
/// For several kinds of files, each with its own sample, totals and variances are added (the separate ratio estimator,
/// chapter 6.10), and the degrees of freedom are Satterthwaite's, (Σv)² / Σ(v²/(n − 1)), rounded down.
package struct RatioEstimate: Sendable, Hashable {
  package struct File: Sendable, Hashable {
    /// The quantity known for every file.
    package var known: Double
    /// The quantity measured in the sample.
    package var measured: Double
  }

  /// Files of one kind, with a sample of them.
  package struct Stratum: Sendable, Hashable {
    package var sample: [File]
    /// Number of all files.
    package var count: Int
    /// Total of the known quantity over all files.
    package var known: Double

    package init(_ sample: [File], count: Int, known: Double) {
      (self.sample, self.count, self.known) = (sample, count, known)
    }

    private var sums: (x: Double, y: Double) {
      sample.reduce((0, 0)) { ($0.0 + $1.known, $0.1 + $1.measured) }
    }

    /// Projected total; nil for a sample without information.
    fileprivate var total: Double? {
      let (x, y) = sums
      guard !sample.isEmpty, sample.count <= count, x > 0, x.isFinite, y.isFinite, known.isFinite else {
        return nil
      }
      return sample.count < count ? y / x * known : y
    }

    /// Variance of `total`; nil if one file stands for several.
    fileprivate var variance: Double? {
      guard sample.count < count else { return 0 }
      guard sample.count > 1 else { return nil }
      let (x, y) = sums
      let (ratio, n, all) = (y / x, Double(sample.count), Double(count))
      let squares = sample.reduce(0) { sum, file in
        let residual = file.measured - ratio * file.known
        return sum + residual * residual
      }
      let weight = (known / all) / (x / n)
      return weight * weight * all * all * (1 - n / all) / n * squares / (n - 1)
    }
  }

  package let total: Double
  package let known: Double
  /// 95 % interval of the total; nil if the sample is too small, both ends the total if it is the whole folder.
  package let interval: (lower: Double, upper: Double)?

  /// Projects samples to all files; nil if a sample carries no information on its kind.
  /// - Parameter most: Upper bound of the total, where the interval ends; its lower bound is 0.
  package init?(_ strata: [Stratum], most: Double = .infinity) {
    let totals = strata.compactMap(\.total)
    guard !strata.isEmpty, totals.count == strata.count else { return nil }
    let total = totals.reduce(0, +)
    (self.total, known) = (total, strata.reduce(0) { $0 + $1.known })
    let variances = strata.compactMap(\.variance)
    let measured = strata.reduce(0) { $0 + $1.sample.count }
    guard strata.contains(where: { $0.sample.count < $0.count }) else {
      interval = (total, total)
      return
    }
    guard variances.count == strata.count, measured >= Bootstrap.minimumImages else {
      interval = nil
      return
    }
    let variance = variances.reduce(0, +)
    let weights = zip(strata, variances).reduce(0) { sum, part in
      part.1 > 0 ? sum + (part.1 / variance) * (part.1 / variance) / Double(part.0.sample.count - 1) : sum
    }
    let freedom = weights > 0 ? min(1 / weights, Double(measured)) : Double(measured - 1)
    let margin =
      StudentT.quantile975(degreesOfFreedom: max(Int(freedom + 1e-9), 1)) * variance.squareRoot()
    interval = (max(total - margin, 0), min(total + margin, most))
  }

  /// Projects one sample to `count` files with the total `known`.
  package init?(_ sample: [File], count: Int, known: Double, most: Double = .infinity) {
    self.init([Stratum(sample, count: count, known: known)], most: most)
  }

  /// Change of the total against the known one in percent: −27 for 27 % fewer.
  package var changePercent: Double { (total / known - 1) * 100 }
  /// Ends of the interval as changes in percent.
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
