import Analysis
import Foundation
import Model

struct TriedConversion: Sendable, Hashable {
  enum Outcome: Sendable, Hashable {
    /// Bytes of the converted file with its preserved metadata, and CPU seconds of one encode.
    case converted(bytes: Int, seconds: Double)
    /// No quality of the codec reaches the score.
    case outOfReach
    case impossible(String)
    case failed(String)
  }

  let image: String
  let fileBytes: Int
  let pixels: Int
  var outcome: Outcome
  /// Quality found, with its score; both nil without one, as for lossless conversion.
  var quality: Quality?
  var score: Double?
  /// Index of the file's kind in the folder.
  var kind = 0

  var bytes: Int? { if case .converted(let bytes, _) = outcome { bytes } else { nil } }
  var seconds: Double? { if case .converted(_, let seconds) = outcome { seconds } else { nil } }
  var isSmaller: Bool { bytes.map { $0 < fileBytes } ?? false }
}

/// Files of a folder that are sampled separately: those of one format, or of several rare ones.
struct FileKind: Sendable, Hashable {
  var count: Int
  var bytes: Int
  var pixels: Double
}

struct ConversionProjection: Sendable {
  let variant: CodecVariant
  /// Score that every file keeps against its original; nil for lossless conversion.
  let score: Double?
  let files: [TriedConversion]
  /// Bytes of the folder with every possible conversion; other files stay unchanged.
  let bytes: RatioEstimate?
  /// Bytes of the folder if only files that shrink are converted.
  let bytesWhereSmaller: RatioEstimate?
  /// CPU seconds of one encode of every convertible file, by the ratio to pixels.
  let seconds: RatioEstimate?

  init(_ variant: CodecVariant, score: Double?, files: [TriedConversion], kinds: [FileKind]) {
    (self.variant, self.score, self.files) = (variant, score, files)
    let samples = kinds.indices.map { kind in files.filter { $0.kind == kind } }
    func project(
      _ known: (FileKind) -> Double, most: Double = .infinity, _ file: (TriedConversion) -> RatioEstimate.File
    ) -> RatioEstimate? {
      RatioEstimate(
        zip(kinds, samples).map { .init(sample: $1.map(file), count: $0.count, known: known($0)) }, most: most
      )
    }
    let bytes = { (kind: FileKind) in Double(kind.bytes) }
    self.bytes = project(bytes) {
      .init(known: Double($0.fileBytes), measured: Double($0.bytes ?? $0.fileBytes))
    }
    bytesWhereSmaller = project(bytes, most: kinds.reduce(0) { $0 + bytes($1) }) {
      .init(known: Double($0.fileBytes), measured: Double(min($0.bytes ?? $0.fileBytes, $0.fileBytes)))
    }
    seconds = project(\.pixels) { .init(known: Double($0.pixels), measured: $0.seconds ?? 0) }
    mostSmaller = Self.mostUnseen(zip(kinds, samples).map { ($0.count, $1.count) })
  }

  /// Returns the largest share of all files compatible, with 95 % confidence, with samples that contain none of them.
  /// Of n files of one kind it is 1 − 0.05^(1/n). Of several kinds it is the shares p of their N files that maximise Σ
  /// N·p while Π (1 − p)^n is 0.05: 1 − p = min(1, λ·n/N), with λ found by halving.
  private static func mostUnseen(_ kinds: [(all: Int, seen: Int)]) -> Double {
    let open = kinds.filter { $0.seen < $0.all }
    let all = kinds.reduce(0.0) { $0 + Double($1.all) }
    guard !open.isEmpty, all > 0 else { return 0 }
    if open.contains(where: { $0.seen == 0 }) { return 1 }
    func rest(_ kind: (all: Int, seen: Int), _ lambda: Double) -> Double {
      min(1, lambda * Double(kind.seen) / Double(kind.all))
    }
    var (low, high) = (0.0, open.map { Double($0.all) / Double($0.seen) }.max() ?? 1)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      let chance = open.reduce(0.0) { $0 + Double($1.seen) * log(rest($1, middle)) }
      if chance < log(0.05) { low = middle } else { high = middle }
    }
    let unseen = open.reduce(0.0) { $0 + Double($1.all - $1.seen) }
    return min(open.reduce(0.0) { $0 + Double($1.all) * (1 - rest($1, high)) }, unseen) / all
  }

  /// Largest share of shrinking files in the folder that is compatible, with 95 % confidence, with a sample that has
  /// none (Hanley and Lippman-Hand, If nothing goes wrong, is everything all right?, JAMA 249, 1983); 0 if the sample
  /// is the whole folder.
  let mostSmaller: Double

  /// Ascending qualities that keep the score, of the convertible files; empty without loss.
  var qualities: [Double] {
    files.compactMap { $0.bytes == nil ? nil : $0.quality?.value }.sorted()
  }

  var medianQuality: Double? { qualities.median }

  /// Returns the projection of a stopped conversion, over the finished files alone.
  static func soFar(
    _ variant: CodecVariant, score: Double?, files: [TriedConversion]
  ) -> ConversionProjection? {
    guard !files.isEmpty else { return nil }
    var files = files
    for index in files.indices { files[index].kind = 0 }
    let kind = FileKind(
      count: files.count, bytes: files.reduce(0) { saturatingSum($0, $1.fileBytes) },
      pixels: files.reduce(0) { $0 + Double($1.pixels) })
    return ConversionProjection(variant, score: score, files: files, kinds: [kind])
  }

  var converted: Int { files.count { $0.bytes != nil } }
  var smaller: Int { files.count(where: \.isSmaller) }
  var outOfReach: Int { files.count { $0.outcome == .outOfReach } }
  var failed: Int { files.count { if case .failed = $0.outcome { true } else { false } } }
}

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
struct RatioEstimate: Sendable {
  struct File: Sendable {
    var known: Double
    var measured: Double
  }

  /// Files of one kind, with a sample of them.
  struct Stratum: Sendable {
    var sample: [File]
    var count: Int
    var known: Double

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

  let total: Double
  let known: Double
  /// 95 % interval of the total; nil if the sample is too small, both ends the total if it is the whole folder.
  let interval: (lower: Double, upper: Double)?

  /// Projects samples to all files; nil if a sample carries no information on its kind.
  /// - Parameter most: Upper bound of the total, where the interval ends; its lower bound is 0.
  init?(_ strata: [Stratum], most: Double = .infinity) {
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
      StudentT.quantile(central: 0.95, degreesOfFreedom: max(Int(freedom + 1e-9), 1)) * variance.squareRoot()
    interval = (max(total - margin, 0), min(total + margin, most))
  }

  /// Change of the total against the known one in percent: −27 for 27 % fewer.
  var changePercent: Double { (total / known - 1) * 100 }
  var changeInterval: (lower: Double, upper: Double)? {
    interval.map { (($0.lower / known - 1) * 100, ($0.upper / known - 1) * 100) }
  }
}
