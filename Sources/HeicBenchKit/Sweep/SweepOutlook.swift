import Model
import Sweep

/// What a sweep is about to do, and how long that is going to take.
public struct SweepOutlook: Sendable, Hashable {
  /// Images that can be used.
  package let images: Int
  /// Millions of pixels that they have together, as codecs get them.
  package let megapixels: Double
  /// How many times the images are shrunk first.
  package let downscale: Int
  /// The codecs with their settings.
  package let codecs: [String]
  /// Qualities that were asked for.
  package let qualities: Int
  /// Points of the plan, those of earlier runs included. Figures may need some more; see `SweepRequest.refines`.
  public let points: Int
  /// Workers side by side.
  package let jobs: Int
  /// Seconds that are left; nil until enough of the work is done to tell.
  public var seconds: Double?
  /// CPU time that is left, seconds; nil until then.
  public var cpuSeconds: Double?
  /// Seconds after which the run stops by itself; nil where it goes on to the end.
  package let budget: Double?

  /// What a plan comes to.
  init(_ plan: SweepPlan, jobs: Int, budget: Double? = nil) {
    let headers = plan.entries.compactMap { $0.problem == nil ? $0.header : nil }
    images = headers.count
    downscale = plan.preparation.downscale
    megapixels = headers.reduce(0.0) { $0 + Double($1.pixelCount) } / Double(downscale * downscale) / 1e6
    codecs = plan.variants.map(\.variant.name)
    qualities = plan.qualities.count
    points = plan.pointCount
    self.jobs = jobs
    self.budget = budget
  }

  /// The same with the time that is left, the first time that this can be told; nil after that.
  mutating func estimated(_ progress: SweepProgress) -> SweepOutlook? {
    guard seconds == nil, let remaining = progress.remaining else { return nil }
    seconds = remaining
    cpuSeconds = progress.cpuRemaining
    return self
  }
}
