import Foundation

/// The total of a quantity over all files of a folder, projected from a simple random sample by its ratio to a quantity
/// known for every file: CPU time to pixels.
///
/// Cochran, Sampling Techniques, third edition, 1977, chapter 6: with N files, n of them in the sample, R̂ = Σy/Σx over
/// the sample and X the known total of x, the total is R̂·X, and its variance is N²·(1 − n/N)/n · Σ(y − R̂x)²/(n − 1).
/// That variance is multiplied by (X̄/x̄)², the squared ratio of the mean of x over all files to that over the sample,
/// which follows the error of the actual sample better (Royall and Cumberland, An empirical study of the ratio
/// estimator and estimators of its variance, JASA 76, 1981). The interval is R̂·X ± Student's t with n − 1 degrees of
/// freedom times the root of the variance.
package struct RatioEstimate: Sendable {
  package struct File: Sendable {
    package var known: Double
    package var measured: Double

    package init(known: Double, measured: Double) { (self.known, self.measured) = (known, measured) }
  }

  package let total: Double
  package let known: Double
  /// 95 % interval of the total; nil if the sample is too small. If the sample is the whole folder, both ends equal the
  /// total.
  package let interval: (lower: Double, upper: Double)?

  /// Projects a sample to `count` files; nil if it contains no information.
  package init?(_ sample: [File], count: Int, known: Double) {
    let (x, y) = sample.reduce((0, 0)) { ($0.0 + $1.known, $0.1 + $1.measured) }
    guard !sample.isEmpty, sample.count <= count, x > 0, x.isFinite, y.isFinite, known.isFinite else {
      return nil
    }
    guard sample.count < count else {
      (total, self.known, interval) = (y, known, (y, y))
      return
    }
    let (ratio, n, all) = (y / x, Double(sample.count), Double(count))
    (total, self.known) = (ratio * known, known)
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
    let margin = StudentT.quantile(central: 0.95, degreesOfFreedom: sample.count - 1) * variance.squareRoot()
    interval = (max(total - margin, 0), total + margin)
  }
}
