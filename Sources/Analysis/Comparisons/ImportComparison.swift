import Foundation
package import Model

/// Bytes of files made by another encoder against those of one of the run's variants at the *same score on the same
/// image*: quality numbers are not compared, and nothing is interpolated between points that are too far apart.
package struct ImportComparison: Sendable, Hashable {
  package enum Problem: String, Error, Hashable, Codable, CaseIterable {
    case unscored
    /// The variant has no curve of the image: it was not swept, or has too few points.
    case noCurve = "no_curve"
    case below
    case above
    /// The variant's points around the score are too far apart; see `Bracket`.
    case sparse
  }

  package var series: CodecVariant
  package var variant: CodecVariant
  package var files = 0
  package var images = 0
  /// Change in bytes of the picture alone in percent, over the images with a figure; the geometric mean over an image's
  /// files. Profiles, metadata and previews of both sides are excluded. Nil without any figure.
  package var bytes: CorpusFigure?
  package var wholeFiles: CorpusFigure?
  /// The number of compared files with more bytes besides the picture than the variant's, or with fewer, whichever are
  /// more.
  package var filesWithMore = 0
  /// Median of that difference in bytes over these files; negative if the variant's files contain more.
  package var moreBytes: Double?
  /// Median quality of the variant at these scores, 0 to 1; nil if unknown.
  package var medianQuality: Double?
  package var problems: [Problem: Int] = [:]
  package var wantedQualities: [Double] = []

  package var ratio: Double? { bytes.map { 1 + $0.mean / 100 } }
  package var wholeRatio: Double? { wholeFiles.map { 1 + $0.mean / 100 } }
}

struct ImportAccumulator: Sendable {
  /// The finest step of any codec's quality scale.
  private static let qualityStep = 0.01
  /// More would make the command line too long to use.
  private static let mostQualities = 40

  private var result: ImportComparison
  private var column = FigureColumn(.logRatio)
  private var wholeFiles = FigureColumn(.logRatio)
  private var more: [Double] = []
  private var qualities: [Double] = []
  private var wanted: Set<Int> = []

  init(series: CodecVariant, variant: CodecVariant) {
    result = ImportComparison(series: series, variant: variant)
  }

  /// Adds the imported files of an image. `curve` belongs to the variant compared with, `metadata` is the number of
  /// bytes in its files other than the picture.
  mutating func add(
    image: NamedImage, _ samples: [(file: PointSample, score: Double?)],
    _ curve: Result<RateQualityCurve, CurveProblem>?, metadata: Double
  ) {
    guard !samples.isEmpty else { return }
    result.files += samples.count
    result.images += 1
    var (picture, whole) = (Mean(), Mean())
    for (file, score) in samples {
      switch Self.bytes(at: score, curve) {
      case .success(let bytes):
        picture.add(log((Double(file.bytes) - file.metadata) / max(bytes - metadata, 1)))
        whole.add(log(Double(file.bytes) / bytes))
        if file.metadata != metadata { more.append(file.metadata - metadata) }
      case .failure(let problem):
        result.problems[problem, default: 0] += 1
        if let score, let curve = try? curve?.get() { want(score, curve) }
      }
      if let score, let quality = (try? curve?.get())?.quality(at: score) { qualities.append(quality) }
    }
    if let mean = picture.value, mean.isFinite { column.add(mean, image: image) }
    if let mean = whole.value, mean.isFinite { wholeFiles.add(mean, image: image) }
  }

  func comparison(options: AnalysisOptions) -> ImportComparison {
    var comparison = result
    comparison.bytes = column.figure(outOf: result.images, options: options)
    comparison.wholeFiles = wholeFiles.figure(outOf: result.images, options: options)
    let (larger, smaller) = (more.filter { $0 > 0 }, more.filter { $0 < 0 })
    let side = larger.count >= smaller.count ? larger : smaller
    (comparison.filesWithMore, comparison.moreBytes) = (side.count, side.median)
    comparison.medianQuality = qualities.median
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

  /// Notes a quality of the variant that would help: the middle of the gap.
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
      // The end of the scale was not measured, and there is no quality in between.
      if score < curve.scores.lowerBound, first < last { wanted.insert(first) }
      if score > curve.scores.upperBound, first < last { wanted.insert(last) }
    }
  }
}
