import Model
import Pixels

/// An intermediate result that several metrics share, such as the blurred luma of SSIM and MS-SSIM. A stage keeps the
/// prepared reference and buffers that every candidate reuses.
protocol SharedStage: AnyObject {
  associatedtype Result

  init(reference: RasterImage, background: Background, tuning: MetricTuning) throws(MetricError)

  /// Compares a candidate of the same size with the reference.
  func compare(_ candidate: RasterImage) throws(MetricError) -> Result
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
    didSet { results = [:] }
  }

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
    guard let candidate else { throw .invalidArgument("no candidate to compare") }
    let result = try stage(type).compare(candidate)
    results[ObjectIdentifier(type)] = result
    return result
  }
}
