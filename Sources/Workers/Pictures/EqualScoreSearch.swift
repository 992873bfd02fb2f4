package import Model

/// Searches for the qualities at which an image's score crosses a wanted one, in hundredths, the steps that codecs can
/// tell apart. Known points save encodes.
package struct EqualScoreSearch: Sendable {
  /// The most encodes: points of a sweep are close together, and the rest is a step of the codec's own scale.
  private static let mostTries = 4
  /// The most points to choose among.
  private static let mostChoices = 4

  private var points: [ScoredPoint]
  private let wanted: Double
  private var tries = 0

  /// Searches from known points; those whose score is not finite are ignored.
  package init(_ points: [ScoredPoint], wanted: Double) {
    self.points = points.filter { $0.score.isFinite }.sorted { $0.quality < $1.quality }
    self.wanted = wanted
  }

  /// The points closest to the wanted score, nearest first.
  package var nearest: [ScoredPoint] {
    Array(points.sorted { abs($0.score - wanted) < abs($1.score - wanted) }.prefix(Self.mostChoices))
  }

  /// The quality to try next, between the two points that enclose the wanted score; nil if no points do, if they are
  /// neighbours on the codec's scale, or after the last try.
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

  package mutating func enter(_ point: ScoredPoint) {
    tries += 1
    guard point.score.isFinite else { return tries = Self.mostTries }
    let place = points.firstIndex { $0.quality > point.quality } ?? points.endIndex
    points.insert(point, at: place)
  }

  /// One point of each side: those with scores closest to each other and to `wanted`; nil if a side has none. One step
  /// of a codec's scale can exceed a point of score, so the nearest of each need not be the nearest to each other.
  package static func together(_ sides: [[ScoredPoint]], wanted: Double) -> [ScoredPoint]? {
    var choices: [[ScoredPoint]] = [[]]
    for side in sides { choices = choices.flatMap { choice in side.map { choice + [$0] } } }
    return choices.filter { !$0.isEmpty }.min { cost($0, wanted) < cost($1, wanted) }
  }

  /// The spread of the scores, plus half the distance of their middle from `wanted`.
  private static func cost(_ points: [ScoredPoint], _ wanted: Double) -> Double {
    let scores = points.map(\.score)
    let (low, high) = (scores.min() ?? wanted, scores.max() ?? wanted)
    return high - low + abs((low + high) / 2 - wanted) / 2
  }
}

extension PictureExporter {
  package struct Candidate: Sendable {
    package var variant: CodecVariant
    package var points: [ScoredPoint]

    package init(_ variant: CodecVariant, _ points: [ScoredPoint]) {
      (self.variant, self.points) = (variant, points)
    }
  }

  /// One point of each candidate, with scores closest to each other and to `score`; nil if a candidate has none.
  /// Unknown points are encoded and scored in a worker. Variants of a build, and all variants if the workers do not
  /// know the metric, keep their measured points. Throws `WorkerStartError` or `CancellationError`.
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
