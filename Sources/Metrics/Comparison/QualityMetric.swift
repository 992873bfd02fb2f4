package import Model
import Pixels

/// A full-reference image quality metric: a small value type that turns intermediate results into a score. Results
/// shared with other metrics, such as the blurred luma of SSIM and MS-SSIM, are a `SharedStage`, computed once per
/// candidate.
protocol QualityMetric: Sendable {
  var traits: MetricTraits { get }
  var rules: MetricRules { get }

  /// Builds the stages that `score` will need, before a candidate is known.
  func prepare(_ comparison: Comparison) throws(MetricError)

  /// The score of the comparison's candidate. Both images have at least `traits.minimumSide` pixels in both directions,
  /// are equal in size, and opaque.
  func score(_ comparison: Comparison) throws(MetricError) -> Double
}

/// Properties of a standard metric that results do not record, stated in the metric's source file.
package struct MetricRules: Sendable {
  /// The score recorded for equal images and for anything above it; nil if the metric has no such limit. Means and
  /// curves exclude it because it is not a measurement.
  package var cap: Double?
  /// The highest possible score of images that differ; nil for the end of the scale.
  var highestMeasured: Double?
  /// The minimum shorter side in pixels for dependable scores; nil if every defined score is dependable.
  package var dependableSide: Int?
  /// The fall of a point's score that a gate tolerates.
  package var tolerance: Tolerance
  /// The metric's name in codec-compare; nil if it has none.
  package var codecCompareName: String?
  /// True if the metric compares linear light, and so accepts images in any colour space unchanged.
  var takesLight = false
  /// True if the metric is measured only on request.
  var isOnRequest = false
}

/// An intermediate result that several metrics share, such as the blurred luma of SSIM and MS-SSIM. A stage keeps the
/// prepared reference and buffers that every candidate reuses.
protocol SharedStage: AnyObject {
  associatedtype Result

  /// True for encoded values, which are comparable only in the same colour space: the candidate is then converted to
  /// the reference's.
  static var takesEncodedValues: Bool { get }

  init(reference: RasterImage, background: Background, tuning: MetricTuning) throws(MetricError)

  /// Compares the reference with a candidate of the same size.
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

  /// The image to compare. Setting it discards the results of the previous candidate.
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
