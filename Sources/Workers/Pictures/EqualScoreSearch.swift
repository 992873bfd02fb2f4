package import Model

/// Looks for the qualities between which an image's score becomes a wanted one, among the hundredths that codecs can tell
/// apart, in as few encodes as the points that are known already leave.
package struct EqualScoreSearch: Sendable {
  /// Encodes at most: points of a sweep lie near, and what is left is a step of the codec's own scale.
  private static let mostTries = 4
  /// Points that are chosen among.
  private static let mostChoices = 4

  private var points: [ScoredPoint]
  private let wanted: Double
  private var tries = 0

  /// A search from known points; those whose score is no number do not count.
  package init(_ points: [ScoredPoint], wanted: Double) {
    self.points = points.filter { $0.score.isFinite }.sorted { $0.quality < $1.quality }
    self.wanted = wanted
  }

  /// The points that come nearest, the nearest first.
  package var nearest: [ScoredPoint] {
    Array(points.sorted { abs($0.score - wanted) < abs($1.score - wanted) }.prefix(Self.mostChoices))
  }

  /// The quality to try next, between the neighbours that have the score between them; nil where there are none such,
  /// where they are neighbours on the codec's scale, too, or after enough tries.
  package var next: Quality? {
    guard tries < Self.mostTries,
      let (low, high) = zip(points, points.dropFirst()).first(where: {
        ($0.score...).contains(wanted) && wanted <= $1.score
      })
    else { return nil }
    let (first, last) = (low.quality.thousandths / 10 + 1, (high.quality.thousandths + 9) / 10 - 1)
    guard first <= last, high.score > low.score else { return nil }
    let share = (wanted - low.score) / (high.score - low.score)
    let guess =
      Double(low.quality.thousandths) + share * Double(high.quality.thousandths - low.quality.thousandths)
    let hundredths = min(max(Int((guess / 10).rounded()), first), last)
    return Quality(thousandths: hundredths * 10)
  }

  /// Enters what the quality gave.
  package mutating func enter(_ point: ScoredPoint) {
    tries += 1
    guard point.score.isFinite else { return tries = Self.mostTries }
    let place = points.firstIndex { $0.quality > point.quality } ?? points.endIndex
    points.insert(point, at: place)
  }

  /// A point of each side, those whose scores are nearest to each other and to `wanted`; nil where a side has none. One step
  /// of a codec's scale can be more than a point of score, so that the nearest of each need not be the nearest to each other.
  package static func together(_ sides: [[ScoredPoint]], wanted: Double) -> [ScoredPoint]? {
    var choices: [[ScoredPoint]] = [[]]
    for side in sides { choices = choices.flatMap { choice in side.map { choice + [$0] } } }
    return choices.filter { !$0.isEmpty }.min { cost($0, wanted) < cost($1, wanted) }
  }

  /// How far scores lie apart, and from what is wanted, which counts half.
  private static func cost(_ points: [ScoredPoint], _ wanted: Double) -> Double {
    let scores = points.map(\.score)
    let (low, high) = (scores.min() ?? wanted, scores.max() ?? wanted)
    return high - low + abs((low + high) / 2 - wanted) / 2
  }
}

extension PictureExporter {
  /// What an image is to be shown as: points that are known of a variant.
  package struct Candidate: Sendable {
    /// The variant.
    package var variant: CodecVariant
    /// What is known of the image with it.
    package var points: [ScoredPoint]

    /// States what is known.
    package init(_ variant: CodecVariant, _ points: [ScoredPoint]) {
      (self.variant, self.points) = (variant, points)
    }
  }

  /// A point of each candidate, those whose scores come nearest to each other and to a score; nil where one has none. What
  /// is not known is encoded and scored, in a worker. Variants of a build stay with their measured points, as everything does
  /// where the metric is none that workers know.
  ///
  /// - Throws: `WorkerStartError`, `CancellationError`.
  func equalScores(
    _ candidates: [Candidate], of file: ImageFile, metric: String, near score: Double, with worker: WorkerSlot
  ) throws -> [ScoredPoint]? {
    let nearest = try candidates.map { candidate in
      var search = EqualScoreSearch(candidate.points, wanted: score)
      while metrics.contains(metric), candidate.variant.build == nil, let quality = search.next {
        guard let point = try point(candidate.variant, quality, of: file, metric, worker) else { break }
        search.enter(point)
      }
      return search.nearest
    }
    return EqualScoreSearch.together(nearest, wanted: score)
  }

  private func point(
    _ variant: CodecVariant, _ quality: Quality, of file: ImageFile, _ metric: String, _ worker: WorkerSlot
  ) throws -> ScoredPoint? {
    let request = RenderRequest(.encoded(variant, quality, kept: nil), [], isScored: true)
    let response = try worker.render(request, of: file)
    if case .cancelled = response { throw CancellationError() }
    guard let figures = response.value?.figures, let bytes = figures.encodedBytes,
      let score = figures.scores[metric]
    else { return nil }
    return ScoredPoint(quality: quality, bytes: bytes, score: score)
  }
}
