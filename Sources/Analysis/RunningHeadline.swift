internal import Curves
internal import Foundation
package import Model

/// What a sweep can say before it is done: the change in bytes at the headline's score over the images that have a
/// figure there so far, by the rules of the final one. No more is kept of an image than its points under the headline's
/// metric.
package struct RunningHeadline: Sendable {
  /// The images that are followed; those beyond change a mean and its interval next to nothing.
  private static let mostImages = 5_000

  private struct Image {
    var points: [[RateQualityCurve.Point]]
    /// The logarithm of the ratio of bytes, for each variant but the reference.
    var ratios: [Double?]
  }

  private let variants: [CodecVariant]
  private let metric: MetricTraits
  private let position: Double
  private let options: AnalysisOptions
  private var images: [ImageIdentity: Image] = [:]

  /// Follows the variants of a run, the first of which is the reference; nil where there is nothing to compare or no
  /// such score.
  package init?(variants: [CodecVariant], metric: MetricTraits, options: AnalysisOptions) {
    guard variants.count > 1, let position = metric.curvePosition(of: options.verdictTarget) else {
      return nil
    }
    (self.variants, self.metric, self.position, self.options) = (variants, metric, position, options)
  }

  /// Takes a point that was measured.
  package mutating func add(_ identity: ImageIdentity, _ variant: CodecVariant, bytes: Int, score: Double?) {
    guard let index = variants.firstIndex(of: variant),
      images[identity] != nil || images.count < Self.mostImages,
      let score = score.flatMap(metric.curvePosition(of:))
    else { return }
    var image =
      images[identity]
      ?? Image(
        points: Array(repeating: [], count: variants.count),
        ratios: Array(repeating: nil, count: variants.count))
    image.points[index].append(RateQualityCurve.Point(score: score, bytes: bytes))
    if let reference = size(image.points[0]) {
      for other in variants.indices.dropFirst() where index == 0 || index == other {
        image.ratios[other] = size(image.points[other]).map { log($0 / reference) }
      }
    } else {
      image.ratios = Array(repeating: nil, count: variants.count)
    }
    images[identity] = image
  }

  /// The verdicts so far, for the variants that have a figure with an interval. `count` is how many images the run has.
  package func verdicts(outOf count: Int) -> [Verdict] {
    let images = images.sorted { $0.key.name < $1.key.name }
    return variants.indices.dropFirst().compactMap { index in
      var column = FigureColumn(.logRatio)
      for (identity, image) in images {
        if let ratio = image.ratios[index] { column.add(ratio, image: NamedImage(name: identity.name)) }
      }
      guard column.count >= Bootstrap.minimumImages,
        let figure = column.figure(outOf: max(count, column.count), options: options)
      else { return nil }
      return Verdict(
        variant: variants[index], reference: variants[0], direction: Verdict.direction(figure),
        target: options.verdictTarget, bytes: figure)
    }
  }

  private func size(_ points: [RateQualityCurve.Point]) -> Double? {
    (try? RateQualityCurve(points))?.bytes(at: position)
  }
}
