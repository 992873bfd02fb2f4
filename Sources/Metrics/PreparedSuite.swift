import Model
package import Pixels

/// The metrics of a suite for one reference. Buffers are reused between candidates, so only one thread may use it at a
/// time.
package final class PreparedSuite {
  private let reference: RasterImage
  private let metrics: [any QualityMetric]
  private let tuning: MetricTuning
  private let isHDR: Bool
  private var comparisons: [Background: Comparison] = [:]

  init(
    _ reference: RasterImage, metrics: [any QualityMetric], tuning: MetricTuning
  ) throws(MetricError) {
    self.reference = reference
    self.tuning = tuning
    isHDR = if case .light = reference.profile { true } else { false }
    for metric in metrics where metric.traits.isHDR != isHDR {
      throw MetricError("\(metric.traits.title) is not defined for \(isHDR ? "HDR" : "SDR") light")
    }
    let side = min(reference.width, reference.height)
    self.metrics = metrics.filter { $0.traits.minimumSide <= side }
    for background in backgrounds(with: reference) { _ = try comparison(over: background) }
  }

  /// The scores of a candidate by metric identifier; metrics not defined for images this small are absent. If either
  /// image has alpha, both are scored over white and over black, and the worse score counts. The candidate may differ
  /// from the reference in depth and layout. `metric`, if given, names the only metric to compute. Throws for a
  /// different size, if only one side is HDR, and for an unusable colour profile.
  package func score(
    _ candidate: RasterImage, only metric: String? = nil
  ) throws(MetricError) -> [String: Double] {
    let metrics = metrics.filter { metric == nil || $0.traits.id == metric }
    try checkSize(of: candidate)
    var scores: [String: Double] = [:]
    for background in backgrounds(with: candidate) {
      let comparison = try comparison(over: background)
      comparison.candidate = candidate
      defer { comparison.candidate = nil }
      for metric in metrics {
        let (score, traits) = (try metric.score(comparison), metric.traits)
        let other = scores[traits.id] ?? score
        scores[traits.id] = traits.higherIsBetter ? min(score, other) : max(score, other)
      }
    }
    return scores
  }

  /// Passes the errors that SSIMULACRA2 sees, over white if there is alpha, to `look` without copying them, and returns
  /// its result; nil for images that are too small and for HDR. Throws like `score`.
  package func errors<Value>(
    _ candidate: RasterImage, _ look: (ErrorRows) -> Value
  ) throws(MetricError) -> Value? {
    let compare = { (stage: XYBStage) throws(MetricError) in _ = try stage.compare(candidate) }
    return try mapped(candidate, compare, look)
  }

  /// Returns the scores of a candidate and the result of `look` on its errors, in a single pass if SSIMULACRA2 is among
  /// the metrics. Throws like `score`.
  package func scoreAndErrors<Value>(
    _ candidate: RasterImage, _ look: (ErrorRows) -> Value
  ) throws(MetricError) -> (scores: [String: Double], errors: Value?) {
    var scores: [String: Double] = [:]
    let errors = try mapped(
      candidate,
      { stage throws(MetricError) in
        scores = try score(candidate)
        // Needed without the metric, or if the stage of the other background replaced this one.
        if stage.planes == nil { _ = try stage.compare(candidate) }
      }, look)
    return (errors == nil ? try score(candidate) : scores, errors)
  }

  /// Returns the result of `look` on the errors of the comparison that `body` makes; nil for images that are too small.
  private func mapped<Value>(
    _ candidate: RasterImage, _ body: (XYBStage) throws(MetricError) -> Void, _ look: (ErrorRows) -> Value
  ) throws(MetricError) -> Value? {
    try checkSize(of: candidate)
    let smallest = SSIMULACRA2().traits.minimumSide
    guard !isHDR, min(candidate.width, candidate.height) >= smallest else { return nil }
    return try comparison(over: .white).stage(XYBStage.self).mapping(body, look)
  }

  private func checkSize(of candidate: RasterImage) throws(MetricError) {
    guard candidate.width == reference.width, candidate.height == reference.height else {
      throw MetricError(
        "the images differ in size: \(reference.width) × \(reference.height) and "
          + "\(candidate.width) × \(candidate.height)")
    }
    switch (reference.profile, candidate.profile) {
    case (.light, .light): return
    case (.light, _), (_, .light): throw MetricError("HDR light cannot be compared with SDR")
    default: return
    }
  }

  /// Only white if nothing is transparent, since the background then makes no difference.
  private func backgrounds(with image: RasterImage) -> [Background] {
    reference.format.layout.hasAlpha || image.format.layout.hasAlpha ? [.white, .black] : [.white]
  }

  private func comparison(over background: Background) throws(MetricError) -> Comparison {
    if let known = comparisons[background] { return known }
    // Large images keep only one background at a time and prepare it again for every candidate.
    if reference.pixelCount > tuning.mostPixelsKept { comparisons = [:] }
    let comparison = Comparison(reference, background: background, tuning: tuning)
    for metric in metrics { try metric.prepare(comparison) }
    comparisons[background] = comparison
    return comparison
  }
}
