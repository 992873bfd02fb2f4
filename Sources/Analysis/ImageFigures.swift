package import Model

/// Change in bytes of one image at one score: a row of savings.csv.
package struct ImageSaving: Sendable, Hashable {
  package var image: String
  package var isSmall: Bool
  package var variant: CodecVariant
  package var reference: CodecVariant
  package var target: Double
  package var sizes: EqualScoreSizes?
  package var problem: CurveProblem?
}

/// Interpolated bytes of two variants for one image at one score.
package struct EqualScoreSizes: Sendable, Hashable {
  package var bytes: Double
  package var referenceBytes: Double
  /// The variant's quality at the score, 0 to 1; nil if unknown.
  package var quality: Double?
  package var referenceQuality: Double?

  package var changePercent: Double { (bytes / referenceBytes - 1) * 100 }
}

/// BD-rate of one image by one metric over one range: a row of bd-rates.csv.
package struct ImageBDRate: Sendable, Hashable {
  package var image: String
  package var isSmall: Bool
  package var variant: CodecVariant
  package var reference: CodecVariant
  package var metric: MetricTraits
  package var range: BDRateSummary.Range
  /// Figure with its actual range, on the curve scale; nil without one.
  package var figure: BDRate.Figure?
  package var problem: CurveProblem?

  /// Ascending range of scores of the figure's mean; nil without a figure.
  package var scores: ClosedRange<Double>? {
    figure.map { figure in
      let ends = [figure.scores.lowerBound, figure.scores.upperBound].map(metric.score(atCurvePosition:))
      return min(ends[0], ends[1])...max(ends[0], ends[1])
    }
  }
}

package struct ImageFigures: Sendable {
  package var savings: [ImageSaving] = []
  package var rates: [ImageBDRate] = []

  package var isEmpty: Bool { savings.isEmpty && rates.isEmpty }
}
