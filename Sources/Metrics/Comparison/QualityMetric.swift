package import Model
import Pixels

/// A full-reference image quality metric: a small value that turns intermediate results into a score. Results shared
/// with other metrics, such as the blurred luma of SSIM and MS-SSIM, are a `SharedStage`, computed once per candidate.
protocol QualityMetric: Sendable {
  var traits: MetricTraits { get }
  var rules: MetricRules { get }

  /// Builds the stages that `score` will need, before a candidate is known.
  func prepare(_ comparison: Comparison) throws(MetricError)

  /// The score of the comparison's candidate. Both images are at least `traits.minimumSide` pixels in both directions,
  /// equal in size and opaque.
  func score(_ comparison: Comparison) throws(MetricError) -> Double
}

/// Properties of a standard metric that results do not record, stated in the metric's own file.
package struct MetricRules: Sendable {
  /// The score recorded for equal images and for anything above; nil if the metric has no such limit. Means and curves
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
  /// True if the metric compares linear light, and so takes images in any colour space as they are.
  var takesLight = false
  /// True if the metric is measured only where it is asked for.
  var isOnRequest = false
}

/// An intermediate result that several metrics share, such as the blurred luma of SSIM and MS-SSIM. A stage keeps the
/// prepared reference and buffers that every candidate reuses.
protocol SharedStage: AnyObject {
  associatedtype Result

  /// True for encoded values, which mean the same only in one colour space: the candidate then comes in the reference's.
  static var takesEncodedValues: Bool { get }

  init(reference: RasterImage, background: Background, tuning: MetricTuning) throws(MetricError)

  /// Compares a candidate of the same size with the reference.
  func compare(_ candidate: RasterImage) throws(MetricError) -> Result
}

extension SharedStage {
  static var takesEncodedValues: Bool { false }
}

/// A reference over one background, the current candidate, and the stages that the metrics share.
final class Comparison {
  let reference: RasterImage
  private let background: Background
  let tuning: MetricTuning
  private var stages: [ObjectIdentifier: any SharedStage] = [:]
  private var results: [ObjectIdentifier: Any] = [:]

  /// The image to compare. Setting it discards the results of the previous one.
  var candidate: RasterImage? {
    didSet { (results, encoded) = ([:], nil) }
  }
  /// The candidate in the reference's colour space.
  private var encoded: RasterImage?

  init(_ reference: RasterImage, background: Background, tuning: MetricTuning) {
    self.reference = reference
    self.background = background
    self.tuning = tuning
  }

  func stage<Stage: SharedStage>(_ type: Stage.Type) throws(MetricError) -> Stage {
    if let stage = stages[ObjectIdentifier(type)] as? Stage { return stage }
    let stage = try Stage(reference: reference, background: background, tuning: tuning)
    stages[ObjectIdentifier(type)] = stage
    return stage
  }

  /// A stage's result for the candidate, computed on first use.
  func result<Stage: SharedStage>(of type: Stage.Type) throws(MetricError) -> Stage.Result {
    if let result = results[ObjectIdentifier(type)] as? Stage.Result { return result }
    guard let candidate else { throw MetricError("no candidate to compare") }
    let result = try stage(type).compare(
      Stage.takesEncodedValues ? inReferenceSpace(candidate) : candidate)
    results[ObjectIdentifier(type)] = result
    return result
  }

  private func inReferenceSpace(_ candidate: RasterImage) throws(MetricError) -> RasterImage {
    if let encoded { return encoded }
    do {
      let image = try candidate.inSpace(of: reference)
      encoded = image
      return image
    } catch { throw MetricError(error.description) }
  }
}
