import Foundation
package import Model

/// Interim result of a sweep: the change in bytes at the headline's score over the images with a figure so far, by the
/// rules of the final one. Keeps only an image's points with headline scores.
package struct RunningHeadline: Sendable {
  /// The maximum number of images to follow; further ones hardly change a mean and its interval.
  private static let mostImages = 5_000

  /// An image by its content, so copies share one entry.
  private struct Image {
    var name: String
    var points: [[RateQualityCurve.Point]]
    var ratios: [Double?]
  }

  private let variants: [CodecVariant]
  private let metric: MetricTraits
  private let position: Double
  private let options: AnalysisOptions
  private var images: [String: Image] = [:]

  /// Follows the variants of a run, the reference first; nil without a second variant or a valid score.
  package init?(variants: [CodecVariant], metric: MetricTraits, options: AnalysisOptions) {
    guard variants.count > 1, let position = metric.curvePosition(of: options.verdictTarget) else {
      return nil
    }
    (self.variants, self.metric, self.position, self.options) = (variants, metric, position, options)
  }

  package mutating func add(_ identity: ImageIdentity, _ variant: CodecVariant, bytes: Int, score: Double?) {
    let content = identity.contentHash.isEmpty ? identity.name : identity.contentHash
    guard let index = variants.firstIndex(of: variant),
      images[content] != nil || images.count < Self.mostImages,
      let score = score.flatMap(metric.curvePosition(of:))
    else { return }
    var image =
      images[content]
      ?? Image(
        name: identity.name, points: Array(repeating: [], count: variants.count),
        ratios: Array(repeating: nil, count: variants.count))
    image.points[index].append(RateQualityCurve.Point(score: score, bytes: bytes))
    if let reference = size(image.points[0]) {
      for other in variants.indices.dropFirst() where index == 0 || index == other {
        image.ratios[other] = size(image.points[other]).map { log($0 / reference) }
      }
    } else {
      image.ratios = Array(repeating: nil, count: variants.count)
    }
    images[content] = image
  }

  /// Returns the verdicts so far, for the variants with an interval. `count` is the run's number of images.
  package func verdicts(outOf count: Int) -> [Verdict] {
    let images = images.values.sorted { $0.name < $1.name }
    return variants.indices.dropFirst().compactMap { index in
      var column = FigureColumn(.logRatio)
      for image in images {
        if let ratio = image.ratios[index] { column.add(ratio, image: NamedImage(name: image.name)) }
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
