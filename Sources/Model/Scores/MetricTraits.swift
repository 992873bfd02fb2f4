/// The properties of a metric that are needed to interpret its scores.
package struct MetricTraits: Sendable, Hashable, Codable {
  /// The mapping of scores to the quality axis of a rate–quality curve.
  package enum CurveScale: String, Sendable, Hashable, Codable {
    case identity
    /// −10·log10(1 − score): for metrics whose scores crowd near 1, such as SSIM.
    case decibelsBelowOne
    /// −10·log10(score): for distances that crowd near 0, such as DSSIM.
    case decibels
  }

  /// The scores at which variants are compared by default.
  package struct Scale: Sendable, Hashable, Codable {
    /// Scores for size comparisons, ascending.
    package var targets: [Double]
    package var headline: Double
    package var band: ClosedRange<Double>
    /// The lowest possible score; nil if unbounded.
    package var lowest: Double?
    package var highest: Double?

    package init(
      targets: [Double], headline: Double, band: ClosedRange<Double>, lowest: Double? = nil,
      highest: Double? = nil
    ) {
      self.targets = targets
      self.headline = headline
      self.band = band
      self.lowest = lowest
      self.highest = highest
    }
  }

  /// The identifier that `--metrics` takes: `psnr-y`.
  package var id: String
  /// The CSV column: `psnr_y_db`.
  package var column: String
  /// The display name: `PSNR-Y`.
  package var title: String
  /// The display unit, empty for a bare number: `dB`.
  package var unit: String
  package var higherIsBetter: Bool
  /// True if `higherIsBetter` is a guess for a program that does not declare it; nil if it is known.
  package var isDirectionAssumed: Bool?
  /// The score that a user's own program gives two identical images; nil if it gave none or was not tried.
  package var identical: Double?
  package var curveScale: CurveScale
  package var decimals: Int
  /// The smallest image side in pixels for which the metric is defined.
  package var minimumSide: Int
  /// Nil if unknown, as for a user's own metric.
  package var scale: Scale?

  package init(
    id: String, column: String, title: String, unit: String = "", higherIsBetter: Bool = true,
    curveScale: CurveScale = .identity, decimals: Int, minimumSide: Int = 1, scale: Scale? = nil
  ) {
    self.id = id
    self.column = column
    self.title = title
    self.unit = unit
    self.higherIsBetter = higherIsBetter
    self.curveScale = curveScale
    self.decimals = decimals
    self.minimumSide = minimumSide
    self.scale = scale
  }

  /// How much worse the second score is, in the metric's own unit; negative if it is better.
  package func worsening(from before: Double, to after: Double) -> Double {
    higherIsBetter ? before - after : after - before
  }
}
