import Foundation

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
///
/// Where n − m of n files are guessed by a cheaper measurement of theirs, from its ratio to the real one over the m
/// others, n²·(1/m − 1/n)·Σd²/(m − 1) is added for the sample's total, with d the errors of that guess at those m
/// (double sampling, chapter 12), times the square of the projection's factor.
package struct RatioEstimate: Sendable {
  package struct File: Sendable {
    package var known: Double
    package var measured: Double

    package init(known: Double, measured: Double) { (self.known, self.measured) = (known, measured) }
  }

  /// Files of one kind, with a sample of them.
  package struct Stratum: Sendable {
    var sample: [File]
    var count: Int
    var known: Double

    package init(sample: [File], count: Int, known: Double) {
      (self.sample, self.count, self.known) = (sample, count, known)
    }

    fileprivate var sums: (x: Double, y: Double) {
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
  /// - Parameters:
  ///   - most: Upper bound of the total, where the interval ends; its lower bound is 0.
  ///   - guessErrors: Errors of guessed values at files that were measured, too; nil if no value is a guess.
  package init?(_ strata: [Stratum], most: Double = .infinity, guessErrors: [Double]? = nil) {
    let totals = strata.compactMap(\.total)
    guard !strata.isEmpty, totals.count == strata.count else { return nil }
    let total = totals.reduce(0, +)
    (self.total, known) = (total, strata.reduce(0) { $0 + $1.known })
    interval = Self.interval(of: total, strata, most: most, guessErrors: guessErrors)
  }

  private static func interval(
    of total: Double, _ strata: [Stratum], most: Double, guessErrors: [Double]?
  ) -> (lower: Double, upper: Double)? {
    guard guessErrors != nil || strata.contains(where: { $0.sample.count < $0.count }) else {
      return (total, total)
    }
    let variances = strata.compactMap(\.variance)
    let measured = strata.reduce(0) { $0 + $1.sample.count }
    guard variances.count == strata.count, measured >= Bootstrap.minimumImages else { return nil }
    var parts = zip(variances, strata).map { (variance: $0, freedom: Double($1.sample.count - 1)) }
    if let errors = guessErrors {
      let (m, n) = (Double(errors.count), Double(measured))
      let factor = strata.reduce(0) { $0 + $1.known } / strata.reduce(0) { $0 + $1.sums.x }
      let squares = errors.reduce(0) { $0 + $1 * $1 }
      parts.append((factor * factor * n * n * max(1 / m - 1 / n, 0) * squares / (m - 1), m - 1))
    }
    let variance = parts.reduce(0) { $0 + $1.variance }
    let weights = parts.reduce(0) { sum, part in
      part.variance > 0 ? sum + (part.variance / variance) * (part.variance / variance) / part.freedom : sum
    }
    let freedom = weights > 0 ? min(1 / weights, Double(measured)) : Double(measured - 1)
    let margin =
      StudentT.quantile(central: 0.95, degreesOfFreedom: max(Int(freedom + 1e-9), 1)) * variance.squareRoot()
    return (max(total - margin, 0), min(total + margin, most))
  }

  /// Change of the total against the known one in percent: −27 for 27 % fewer.
  package var changePercent: Double { (total / known - 1) * 100 }
  package var changeInterval: (lower: Double, upper: Double)? {
    interval.map { (($0.lower / known - 1) * 100, ($0.upper / known - 1) * 100) }
  }
}
