internal import Curves
internal import Foundation
package import Model

/// What files that another encoder made take, against what one of the run's variants takes for the *same score on the
/// same image*: no quality numbers are compared, and nothing is interpolated where the run has no points close enough.
package struct ImportComparison: Sendable, Hashable {
  /// Why a file has no figure.
  package enum Problem: String, Sendable, Hashable, Codable, CaseIterable {
    /// The file has no score of the metric that decides.
    case unscored
    /// The variant has no curve of the image: it was not swept, or has too few points.
    case noCurve = "no_curve"
    /// The file scores lower than anything measured of the variant.
    case below
    /// The file scores higher than anything measured of the variant.
    case above
    /// The variant's points around the score are too far apart; see `Bracket`.
    case sparse
  }

  /// The variant that stands for the imported files.
  package var series: CodecVariant
  /// The variant that they are compared with.
  package var variant: CodecVariant
  /// The imported files that were scored.
  package var files: Int
  /// The images that they are of.
  package var images: Int
  /// The change in bytes of the picture alone in percent, over the images that have a figure: of an image with several
  /// files their geometric mean. Profiles, metadata and previews of both sides are left out. Nil where no file has one.
  package var bytes: CorpusFigure?
  /// The same with all that is in the files.
  package var wholeFiles: CorpusFigure?
  /// How many of the files that were compared hold other things beside the picture than the variant's files.
  package var filesWithMore = 0
  /// How many bytes more these hold in the median; less than 0 where the variant's files hold more.
  package var moreBytes: Double?
  /// The median quality at which the variant gives these scores, 0 to 1; nil where it is not known.
  package var medianQuality: Double?
  /// How many files have no figure, and why.
  package var problems: [Problem: Int] = [:]
  /// Qualities whose points would give files a figure that have none, ascending.
  package var wantedQualities: [Double] = []

  /// How many times the variant's bytes the files take; nil without a figure.
  package var ratio: Double? { bytes.map { 1 + $0.mean / 100 } }
  /// The same with all that is in the files.
  package var wholeRatio: Double? { wholeFiles.map { 1 + $0.mean / 100 } }
}

/// Compares imported files image by image while they stream by.
struct ImportAccumulator: Sendable {
  /// Steps finer than this no codec's scale has.
  private static let qualityStep = 0.01
  /// Beyond so many a command line is no help.
  private static let mostQualities = 40

  /// An imported file: what it takes, what of that stands beside the picture, and its score on the curve scale of the
  /// metric that decides, nil without one.
  struct File {
    var bytes: Double
    var metadata: Double
    var score: Double?
  }

  private var column = FigureColumn(.logRatio)
  private var wholeFiles = FigureColumn(.logRatio)
  private var more: [Double] = []
  private var files = 0
  private var images = 0
  private var problems: [ImportComparison.Problem: Int] = [:]
  private var qualities: [Double] = []
  private var wanted: Set<Int> = []

  /// Adds the imported files of an image. `curve` is that of the variant that they are compared with, `metadata` what
  /// its files hold beside the picture, bytes.
  mutating func add(
    image: NamedImage, _ samples: [File], _ curve: Result<RateQualityCurve, CurveProblem>?, metadata: Double
  ) {
    guard !samples.isEmpty else { return }
    files += samples.count
    images += 1
    var ratios: [(picture: Double, whole: Double)] = []
    for sample in samples {
      switch Self.bytes(at: sample.score, curve) {
      case .success(let bytes):
        ratios.append(
          (log((sample.bytes - sample.metadata) / max(bytes - metadata, 1)), log(sample.bytes / bytes)))
        if sample.metadata != metadata { more.append(sample.metadata - metadata) }
      case .failure(let problem):
        problems[problem, default: 0] += 1
        if let score = sample.score, let curve = try? curve?.get() { want(score, curve) }
      }
      if let score = sample.score, let quality = (try? curve?.get())?.quality(at: score) {
        qualities.append(quality)
      }
    }
    guard !ratios.isEmpty else { return }
    let mean = ratios.reduce(0) { $0 + $1.picture } / Double(ratios.count)
    if mean.isFinite { column.add(mean, image: image) }
    let whole = ratios.reduce(0) { $0 + $1.whole } / Double(ratios.count)
    if whole.isFinite { wholeFiles.add(whole, image: image) }
  }

  /// The comparison over all images so far.
  func comparison(
    _ series: CodecVariant, _ variant: CodecVariant, options: AnalysisOptions
  ) -> ImportComparison {
    var comparison = ImportComparison(series: series, variant: variant, files: files, images: images)
    comparison.bytes = column.figure(outOf: images, options: options)
    comparison.wholeFiles = wholeFiles.figure(outOf: images, options: options)
    (comparison.filesWithMore, comparison.moreBytes) = (more.count, Bootstrap.median(more))
    comparison.medianQuality = Bootstrap.median(qualities)
    comparison.problems = problems
    comparison.wantedQualities = wanted.sorted().prefix(Self.mostQualities).map {
      Double($0) * Self.qualityStep
    }
    return comparison
  }

  private static func bytes(
    at score: Double?, _ curve: Result<RateQualityCurve, CurveProblem>?
  ) -> Result<Double, ImportComparison.Problem> {
    guard let score else { return .failure(.unscored) }
    guard let curve = try? curve?.get() else { return .failure(.noCurve) }
    if let bytes = curve.bytes(at: score), bytes > 0 { return .success(bytes) }
    if curve.scores.contains(score) { return .failure(.sparse) }
    return .failure(score < curve.scores.lowerBound ? .below : .above)
  }

  /// Notes between which qualities of the variant a point would help.
  private mutating func want(_ score: Double, _ curve: RateQualityCurve) {
    let ends: (Double?, Double?) =
      if let bracket = curve.bracket(at: score) {
        (bracket.lower.quality, bracket.upper.quality)
      } else if score < curve.scores.lowerBound {
        (0, curve.points.first?.quality)
      } else {
        (curve.points.last?.quality, 1)
      }
    guard let low = ends.0, let high = ends.1, (0...1).contains(low), (0...1).contains(high) else { return }
    let (first, last) = (Int((low / Self.qualityStep).rounded()), Int((high / Self.qualityStep).rounded()))
    if last - first >= 2 {
      wanted.insert((first + last) / 2)
    } else if curve.bracket(at: score) == nil {
      // Nothing lies between: the end itself was not measured.
      if score < curve.scores.lowerBound, first < last { wanted.insert(first) }
      if score > curve.scores.upperBound, first < last { wanted.insert(last) }
    }
  }
}

extension ImportComparison.Problem: Error {}
