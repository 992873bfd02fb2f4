package import Curves
package import Model

/// The change in bytes of one image at one score: a row of savings.csv.
package struct ImageSaving: Sendable, Hashable {
  /// The image's printable name.
  package var image: String
  /// Whether the image is smaller than the headline metric was made for.
  package var isSmall: Bool
  /// The variant.
  package var variant: CodecVariant
  /// What it is compared with.
  package var reference: CodecVariant
  /// The score of the headline metric.
  package var target: Double
  /// The bytes of both; nil where there is no figure.
  package var sizes: EqualScoreSizes?
  /// Why there is none.
  package var problem: CurveProblem?
}

/// What two variants take for one image at one score, interpolated.
package struct EqualScoreSizes: Sendable, Hashable {
  /// Bytes of the variant.
  package var bytes: Double
  /// Bytes of the reference.
  package var referenceBytes: Double
  /// The variant's quality there, 0 to 1; nil where it is not known.
  package var quality: Double?
  /// The reference's quality there, 0 to 1; nil where it is not known.
  package var referenceQuality: Double?

  /// The change against the reference in percent.
  package var changePercent: Double { (bytes / referenceBytes - 1) * 100 }
}

/// The BD-rate of one image by one metric over one range: a row of bd-rates.csv.
package struct ImageBDRate: Sendable, Hashable {
  /// The image's printable name.
  package var image: String
  /// Whether the image is smaller than the headline metric was made for.
  package var isSmall: Bool
  /// The variant.
  package var variant: CodecVariant
  /// What it is compared with.
  package var reference: CodecVariant
  /// The metric.
  package var metric: MetricTraits
  /// The range that is meant.
  package var range: BDRateSummary.Range
  /// The figure with the range that it stands on, on the curve scale; nil where there is none.
  package var figure: BDRate.Figure?
  /// Why there is none.
  package var problem: CurveProblem?

  /// The scores that the figure is the mean over, in ascending order; nil without a figure.
  package var scores: ClosedRange<Double>? {
    figure.map { figure in
      let ends = [figure.scores.lowerBound, figure.scores.upperBound].map(metric.score(atCurvePosition:))
      return min(ends[0], ends[1])...max(ends[0], ends[1])
    }
  }
}

/// All figures of images, one by one.
package struct ImageFigures: Sendable {
  /// Changes in bytes at the scores.
  package var savings: [ImageSaving] = []
  /// BD-rates.
  package var rates: [ImageBDRate] = []

  /// Starts without figures.
  package init() {}

  /// Whether there are none.
  package var isEmpty: Bool { savings.isEmpty && rates.isEmpty }
}
