/// The total of a quantity over all files of a folder, projected from a simple random sample of them by its ratio to
/// another quantity that is known of every file: what conversions take, to what the files take now.
///
/// Cochran, Sampling Techniques, third edition, 1977, chapter 6: with N files, of which n are in the sample, R̂ = Σy/Σx
/// over the sample and X the known total, the total is R̂·X, and its variance
/// N²·(1 − n/N)/n · Σ(y − R̂x)²/(n − 1). That variance is multiplied by (X̄/x̄)², the square of the mean of x over all
/// files to that over the sample, which follows the error of the sample at hand better (Royall and Cumberland, An
/// empirical study of the ratio estimator and estimators of its variance, JASA 76, 1981). The interval is R̂·X plus and
/// minus Student's t with n − 1 degrees of freedom times the root of it.
///
/// Of several kinds of files, each with a sample of its own, the totals and the variances are added (the separate ratio
/// estimator, chapter 6.10), and the degrees of freedom are Satterthwaite's, (Σv)² / Σ(v²/(n − 1)), rounded down.
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

  /// The files of one kind, with a sample of them.
  package struct Stratum: Sendable, Hashable {
    /// The sample.
    package var sample: [File]
    /// How many files there are.
    package var count: Int
    /// The total of what is known of all of them.
    package var known: Double

    /// States a kind.
    package init(_ sample: [File], count: Int, known: Double) {
      (self.sample, self.count, self.known) = (sample, count, known)
    }

    private var sums: (x: Double, y: Double) {
      sample.reduce((0, 0)) { ($0.0 + $1.known, $0.1 + $1.measured) }
    }

    /// The projected total; nil where the sample says nothing.
    fileprivate var total: Double? {
      let (x, y) = sums
      guard !sample.isEmpty, sample.count <= count, x > 0, x.isFinite, y.isFinite, known.isFinite else {
        return nil
      }
      return sample.count < count ? y / x * known : y
    }

    /// The variance of that; nil where one file is to speak for several.
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

  /// The projected total.
  package let total: Double
  /// The known total.
  package let known: Double
  /// Ends of the 95 % interval of the total; nil where the sample is too small for one. Both are the total where the
  /// sample is the whole folder.
  package let interval: (lower: Double, upper: Double)?

  /// Projects samples to all files; nil where a sample says nothing of its kind.
  /// - Parameter most: the most that the total can be, at which the interval ends; it never begins below 0.
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
