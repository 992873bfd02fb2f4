package import Model

/// Properties of a standard metric that results do not record, stated in the metric's own file.
package struct MetricRules: Sendable {
  /// The score recorded for equal images and for anything above it; nil if the metric has none. Means and curves
  /// exclude it, as it is not a measurement.
  package var cap: Double?
  /// The highest possible score of images that differ; nil for that of the scale.
  var highestMeasured: Double?
  /// The shorter side in pixels from which scores are dependable; nil if every defined score is.
  package var dependableSide: Int?
  /// The fall of a point's score that a gate tolerates.
  package var tolerance: Tolerance
  /// The name under which codec-compare knows the metric; nil if it does not.
  package var codecCompareName: String?
}
