import Model

/// The plan of a sweep, with an estimate of its duration.
public struct SweepOutlook: Sendable, Hashable {
  package let images: Int
  /// Megapixels of all images together, as codecs get them.
  package let megapixels: Double
  /// Factor by which images are shrunk in each direction first.
  package let downscale: Int
  package let codecs: [String]
  package let qualities: Int
  /// Number of points in the plan, including those of earlier runs. Figures may need more; see `SweepRequest.refines`.
  public let points: Int
  package let jobs: Int
  /// Seconds left; nil until enough of the work is done to tell.
  public var seconds: Double?
  /// CPU seconds left; nil until `seconds` is known.
  public var cpuSeconds: Double?
  /// Seconds after which the run stops by itself; nil for no limit.
  package let budget: Double?

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

  /// Returns the outlook with the time left when that is first known; nil before and after.
  mutating func estimated(_ progress: SweepProgress) -> SweepOutlook? {
    guard seconds == nil, let remaining = progress.remaining else { return nil }
    seconds = remaining
    cpuSeconds = progress.cpuRemaining
    return self
  }
}
