package import Analysis
package import Model

/// What stands on `comparison.png`: an image as each codec shows it at the score of the answer, and bars of the bytes
/// over all images there.
package struct ComparisonPicture: Sendable, Hashable {
  /// The name of the picture.
  package static let fileName = "comparison.png"

  /// A picture on the sheet.
  package struct Side: Sendable, Hashable {
    /// The codec with its settings.
    package let variant: CodecVariant
    /// What is known of the image with it, and may be shown.
    package var known: [ScoredPoint]
    /// The point that is shown.
    package var shown: ScoredPoint
  }

  /// A bar of bytes.
  package struct Bar: Sendable, Hashable {
    /// The codec.
    package let label: String
    /// Its bytes in percent of the reference's.
    package let value: Double
    /// Value and interval in words.
    package let text: String
  }

  /// The image.
  package let image: String
  /// The answer.
  package let title: String
  /// What is shown.
  package let subtitle: String
  /// The pictures: the reference, and up to two others. They begin with the measured points nearest to the score.
  package var sides: [Side]
  /// What the score is of.
  package let metric: MetricTraits
  /// The score that all sides are to have: that of the first codec beside the reference, which shows a measured point. Its
  /// encodes are as a rule the dear ones, and its file is kept.
  package let score: Double
  /// What the bars are.
  package let barTitle: String
  /// The reference's bar and one for each codec with a figure.
  package let bars: [Bar]
  /// Where it comes from.
  package let footer: String

  /// Points whose scores differ by more are not shown as equal, in parts of the distance between two targets.
  private static let widest = 0.1
  private static let mostSides = 3

  /// Picks the image of these that is nearest to the mean and has measured points close to the score on all sides; nil
  /// where there is no answer or no such image.
  package init?(_ analysis: Analysis, among names: [String]) {
    let wording = Wording(analysis)
    let verdicts = wording.comparedTogether
    guard analysis.target == nil, let reference = analysis.reference, let headline = analysis.headline,
      let target = verdicts.first?.target, let first = verdicts.first?.bytes
    else { return nil }
    let shown = [reference] + verdicts.prefix(Self.mostSides - 1).map(\.variant)
    let targets = analysis.options.targets
    let spacing = (targets.max() ?? 0) - (targets.min() ?? 0)
    let limit = Self.widest * (targets.count > 1 ? spacing / Double(targets.count - 1) : 10)
    let index = targets.firstIndex(of: target) ?? 0
    let candidates = analysis.imageDetails.filter { names.contains($0.image) }.compactMap { detail in
      Self.sides(shown, of: detail, target, limit).map { (detail, $0) }
    }
    func distance(_ detail: ImageDetail) -> Double {
      let change = detail.variants.first { $0.variant == shown[1] }?.changeAtTargets[index]
      return change.map { abs($0 - first.mean) } ?? .infinity
    }
    guard let (detail, sides) = candidates.min(by: { distance($0.0) < distance($1.0) }) else { return nil }
    (image, self.sides, metric) = (detail.image, sides, headline)
    score = sides[1].shown.score
    self.sides[1].known = [sides[1].shown]
    title = wording.answers.first?.sentence ?? ""
    let size = detail.width.flatMap { width in detail.height.map { " of \(width)×\($0) pixels" } } ?? ""
    subtitle =
      "\(detail.image)\(size): its middle at about equal scores near \(headline.phrase(target))"
    let images = Set(verdicts.compactMap(\.bytes).map(Wording.images)).sorted().joined(separator: " or ")
    barTitle = "Bytes at \(headline.phrase(target)), mean over \(images)"
    bars =
      [Bar(label: reference.title, value: 100, text: "100 %")]
      + verdicts.compactMap { verdict in
        verdict.bytes.map { figure in
          let interval = figure.interval.map {
            " (\(Numerals.plain(100 + $0.lower, 0)) to \(Numerals.plain(100 + $0.upper, 0)))"
          }
          return Bar(
            label: verdict.variant.title, value: 100 + figure.mean,
            text: "\(Numerals.plain(100 + figure.mean, 0)) %\(interval ?? "")")
        }
      }
    footer = "heicbench: geometric means over the images, with 95 % intervals where there are enough"
  }

  /// The measured points nearest to the score, where all of them are near to it.
  private static func sides(
    _ variants: [CodecVariant], of detail: ImageDetail, _ target: Double, _ limit: Double
  ) -> [Side]? {
    let sides = variants.compactMap { variant -> Side? in
      let points = detail.variants.first { $0.variant == variant }?.points ?? []
      // Files of other encoders have no quality at which they could be made again.
      let known = points.compactMap { point in
        point.quality.flatMap { quality in
          point.score.map { ScoredPoint(quality: quality, bytes: point.bytes, score: $0) }
        }
      }
      guard let nearest = known.min(by: { abs($0.score - target) < abs($1.score - target) }),
        abs(nearest.score - target) <= limit
      else { return nil }
      return Side(variant: variant, known: known, shown: nearest)
    }
    return sides.count == variants.count ? sides : nil
  }

  /// What stands above a side.
  package func lines(_ side: Side) -> [String] {
    [
      "\(side.variant.title): \(Numerals.grouped(side.shown.bytes)) bytes",
      "\(metric.title) \(Numerals.plain(side.shown.score, 1)) at quality \(side.shown.quality)",
    ]
  }
}
