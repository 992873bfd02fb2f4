import Foundation

/// The total of a quantity over all files of a folder, projected from files drawn with probabilities that depend on
/// their sizes, by its ratio to a quantity known for every file: bytes after conversion to bytes now.
///
/// File i has chance pᵢ at each of m draws, and so about πᵢ = min(1, m·pᵢ) of being in the sample. The total of files
/// in the sample is known; for the rest, X′ of X, it is R̂·X′, with R̂ = Σw·y/x and w ∝ x(1/π − 1) over the sample's
/// files: they represent the others that were as likely to be drawn (the ratio form of Horvitz and Thompson's
/// estimator; Cochran, Sampling Techniques, third edition, 1977, 9A.7, for the unknown part alone).
///
/// The variance is X′²·(1/k + 1/N′)·s², with N′ files in the rest and k = 1/Σw² files' worth in the sample. s² is the
/// mean of two estimates: Σw(r − R̂)²·k/(k − 1) with r = y/x, and the same from neighbours in the list that the files
/// were drawn from, whose order predicts r (Wolter, An investigation of some estimators of variance for systematic
/// sampling, JASA 79, 1984). A share of bytes between 0 and 1 may hide kinds of files that the sample lacks, so R(1 −
/// R)/k is added, with R = (k·R̂ + ½)/(k + 1).
///
/// The interval is the total times and over exp(t·σ/total) with k − 1 degrees of freedom, since sizes are positive.
/// Where m of n values are measured and the others estimated by a cheaper measurement, (1/m − 1/n)·Σd²/(m − 1) is added
/// to s²/k, with d the errors of the m estimates over x (double sampling, Cochran, chapter 12), and t has at most m − 1
/// degrees.
package struct FolderEstimate: Sendable {
  package struct File: Sendable {
    package var known: Double
    package var measured: Double
    /// The file's chance at each draw.
    package var chance: Double
    /// The error of a guess of `measured`, for a file where it is measured too; nil for other files.
    package var guessError: Double?

    package init(known: Double, measured: Double, chance: Double, guessError: Double? = nil) {
      (self.known, self.measured, self.chance, self.guessError) = (known, measured, chance, guessError)
    }
  }

  /// The folder that the files were drawn from.
  package struct Folder: Sendable {
    package var draws: Int
    package var count: Int
    package var known: Double

    package init(draws: Int, count: Int, known: Double) {
      (self.draws, self.count, self.known) = (draws, count, known)
    }
  }

  package let total: Double
  package let known: Double
  /// 95 % interval of the total; nil if the sample is too small. If the sample is the whole folder, both ends equal the
  /// total.
  package let interval: (lower: Double, upper: Double)?

  /// Projects a sample to all files; nil if it contains no information.
  /// - Parameters:
  ///   - files: The files drawn, each once, in the order of the list that they were drawn from.
  /// - most: Upper bound of the total, which limits the interval.
  /// - isShare: True if the quantity is a share of the known one, so that a file may keep all or none of it.
  /// - isGuessed: True if the values of files without a `guessError` are guesses.
  package init?(
    _ files: [File], of folder: Folder, most: Double = .infinity, isShare: Bool = true,
    isGuessed: Bool = false
  ) {
    known = folder.known
    let sums = files.reduce((x: 0.0, y: 0.0)) { ($0.x + $1.known, $0.y + $1.measured) }
    guard let sample = Weighted(files, draws: folder.draws), sums.x.isFinite, sums.y.isFinite, known.isFinite
    else {
      return nil
    }
    let (others, rest) = (folder.count - files.count, max(known - sums.x, 0))
    total = others > 0 ? sums.y + rest * sample.ratio : sums.y
    var variance = 0.0
    if others > 0 {
      let spread = sample.variance + (isShare ? sample.hidden : 0)
      variance = rest * rest * spread * (1 / sample.size + 1 / Double(others))
    }
    var freedom = sample.size - 1
    if isGuessed {
      let errors = files.compactMap { file in file.guessError.map { $0 / file.known } }
      let m = Double(errors.count)
      let squares = errors.reduce(0) { $0 + $1 * $1 } / (m - 1)
      variance += known * known * max(1 / m - 1 / Double(files.count), 0) * squares
      freedom = min(freedom, m - 1)
    }
    guard others > 0 || isGuessed else {
      interval = (total, total)
      return
    }
    guard files.count >= Bootstrap.minimumImages, total > 0 else {
      interval = nil
      return
    }
    let t = StudentT.quantile(central: 0.95, degreesOfFreedom: max(Int(freedom + 1e-9), 1))
    let factor = exp(t * variance.squareRoot() / total)
    interval = (total / factor, max(min(total * factor, most), total))
  }

  /// Files with their weights in representing those that were not drawn.
  private struct Weighted {
    let ratio: Double
    /// The effective number of files in the sample.
    let size: Double
    private let files: [(weight: Double, ratio: Double)]

    init?(_ files: [File], draws: Int) {
      let usable = files.filter { $0.known > 0 && $0.chance > 0 }
      var weights = usable.map { $0.known * (1 / min(1, Double(draws) * $0.chance) - 1) }
      // If all files were certain to be drawn, they represent others by their chances.
      if weights.reduce(0, +) <= 0 { weights = usable.map { $0.known / $0.chance } }
      let sum = weights.reduce(0, +)
      guard sum > 0, sum.isFinite else { return nil }
      self.files = zip(weights, usable).map { ($0 / sum, $1.measured / $1.known) }
      ratio = self.files.reduce(0) { $0 + $1.weight * $1.ratio }
      size = 1 / self.files.reduce(0) { $0 + $1.weight * $1.weight }
    }

    /// The spread of a file's ratio.
    var variance: Double {
      let plain = files.reduce(0) { $0 + $1.weight * ($1.ratio - ratio) * ($1.ratio - ratio) } * size
      let steps = zip(files, files.dropFirst()).reduce((sum: 0.0, weight: 0.0)) { steps, pair in
        let (weight, step) = ((pair.0.weight + pair.1.weight) / 2, pair.0.ratio - pair.1.ratio)
        return (steps.sum + weight * step * step / 2, steps.weight + weight)
      }
      let all = plain / max(size - 1, 0.5)
      return steps.weight > 0 ? (all + steps.sum / steps.weight) / 2 : all
    }

    var hidden: Double {
      let likely = (min(max(ratio, 0), 1) * size + 0.5) / (size + 1)
      return likely * (1 - likely) / size
    }
  }

  /// Change of the total against the known total in percent: −27 for 27 % fewer.
  package var changePercent: Double { (total / known - 1) * 100 }
  package var changeInterval: (lower: Double, upper: Double)? {
    interval.map { (($0.lower / known - 1) * 100, ($0.upper / known - 1) * 100) }
  }
}
