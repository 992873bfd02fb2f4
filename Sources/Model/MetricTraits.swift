/// What readers of a metric's scores have to know about it.
package struct MetricTraits: Sendable, Hashable, Codable {
  /// How scores are turned into the quality axis of a rate–quality curve.
  package enum CurveScale: String, Sendable, Hashable, Codable {
    /// The score itself.
    case identity
    /// −10·log10(1 − score): for metrics that crowd towards 1, such as SSIM.
    case decibelsBelowOne
  }

  /// Where variants are compared by a metric, unless somebody says otherwise.
  package struct Scale: Sendable, Hashable, Codable {
    /// Scores at which sizes are compared, ascending.
    package var targets: [Double]
    /// The one of them that a headline speaks of.
    package var headline: Double
    /// The scores over which BD-rates are taken.
    package var band: ClosedRange<Double>
    /// The lowest score there can be; nil where there is no lower end.
    package var lowest: Double?
    /// The highest score there can be; nil where there is no upper end.
    package var highest: Double?

    /// Describes a scale.
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
  /// The column's name in CSV: `psnr_y_db`.
  package var column: String
  /// The name for people: `PSNR-Y`.
  package var title: String
  /// The unit for people, empty for a bare number: `dB`.
  package var unit: String
  /// Whether a larger score is a better image.
  package var higherIsBetter: Bool
  /// Whether `higherIsBetter` is a guess, of a program whose scores nobody has described; nil where it is known.
  package var isDirectionAssumed: Bool?
  /// How a curve is drawn over the scores.
  package var curveScale: CurveScale
  /// Digits after the point in tables.
  package var decimals: Int
  /// The smallest side, in pixels, that the metric is defined for.
  package var minimumSide: Int
  /// Where variants are compared by it; nil where that is not known, as for a metric of the user's own.
  package var scale: Scale?

  /// Describes a metric.
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

  /// The shorter side in pixels from which on scores mean what they were tuned to mean; nil where any does that
  /// has a score. SSIMULACRA 2 has its six scales from 113 pixels on: it stops halving below 8.
  package var dependableSide: Int? { id == "ssimulacra2" ? 113 : nil }

  /// The score that stands for equal images and for anything above; nil where there is none. It is no
  /// measurement: means and curves leave it out.
  package var cap: Double? { Self.cap(of: id) }

  /// Whether there can be such a score. Of PSNR it is one for equal images too, without a bound, and none above what one
  /// sample of 2³¹ pixels gives that is off by 1 in 65,535: 195 dB.
  package func allows(_ score: Double) -> Bool {
    guard let scale else { return true }
    guard score != .infinity else { return cap != nil }
    let highest = cap == nil ? scale.highest : 195
    return score.isFinite && score >= scale.lowest ?? score && score <= highest ?? score
  }

  /// The cap of the metric with this identifier.
  package static func cap(of id: String) -> Double? { id == "psnr-y" || id == "psnr-rgb" ? 100 : nil }
}
