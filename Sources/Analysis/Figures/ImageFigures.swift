package import Model

/// Change in bytes of one image at one score: a row of savings.csv.
package struct ImageSaving: Sendable {
  package var image: NamedImage
  package var variant: CodecVariant
  package var reference: CodecVariant
  package var target: Double
  package var result: Result<EqualScoreSizes, CurveProblem>

  package var sizes: EqualScoreSizes? { try? result.get() }
}

/// Interpolated bytes of two variants at one score, for one image or summed over the images where both reach it.
package struct EqualScoreSizes: Sendable, Hashable {
  package var bytes: Double
  package var referenceBytes: Double
  /// The variant's quality at the score, 0 to 1; nil if unknown.
  package var quality: Double?
  package var referenceQuality: Double?

  package var changePercent: Double { (bytes / referenceBytes - 1) * 100 }
}

/// BD-rate of one image by one metric over one range: a row of bd-rates.csv.
package struct ImageBDRate: Sendable {
  package var image: NamedImage
  package var variant: CodecVariant
  package var reference: CodecVariant
  package var metric: MetricTraits
  package var range: BDRateSummary.Range
  package var result: Result<BDRate.Figure, CurveProblem>

  package var figure: BDRate.Figure? { try? result.get() }

  /// The range of scores of the figure's mean, ascending; nil without a figure.
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
}

extension Result {
  package var problem: Failure? {
    if case .failure(let problem) = self { problem } else { nil }
  }
}
