package import Model
import Workers

/// The progress of a sweep.
public struct SweepProgress: Sendable, Hashable {
  /// Points of the plan, minus those of unusable images as they are found.
  public var total: Int
  /// Points done, including those of earlier runs.
  public var done: Int
  /// The number of those points that failed.
  public var failed = 0
  /// The number of those points that earlier runs had finished.
  package var skipped = 0
  package var imageProblems = 0
  /// Seconds since the run began.
  public var elapsed: Double
  /// Estimated seconds left; nil until enough work is done for an estimate.
  public var remaining: Double?
  /// The share of the work done, 0 to 1, by time; nil before the first points are done. Points of earlier runs count
  /// as taking no time.
  package var share: Double?
  /// Estimated CPU seconds left; nil if `remaining` is nil, or if CPU time is not counted.
  package var cpuRemaining: Double?

  package var rate: Double { elapsed > 0 ? Double(done - skipped) / elapsed : 0 }
}

/// The plan of a sweep, with an estimate of its duration.
public struct SweepOutlook: Sendable, Hashable {
  package let images: Int
  /// Megapixels of all images together, after preparation.
  package let megapixels: Double
  /// The factor by which images are first reduced in each direction.
  package let downscale: Int
  package let codecs: [String]
  package let qualities: Int
  package let isRefined: Bool
  /// Number of points in the plan, including those of earlier runs. More may be needed for the figures; see
  /// `SweepRequest.refines`.
  public let points: Int
  package let jobs: Int
  /// Seconds left; nil until enough of the work is done for an estimate.
  public var seconds: Double?
  /// CPU seconds left; nil until `seconds` is known.
  public var cpuSeconds: Double?
  /// Seconds after which the run stops on its own; nil for no limit.
  package let budget: Double?

  init(_ plan: SweepPlan, jobs: Int, budget: Double? = nil) {
    let headers = plan.entries.compactMap { $0.problem == nil ? $0.header : nil }
    images = headers.count
    downscale = plan.preparation.downscale
    megapixels = headers.reduce(0.0) { $0 + Double($1.pixelCount) } / Double(downscale * downscale) / 1e6
    codecs = plan.variants.map(\.variant.name)
    qualities = plan.qualities.count
    isRefined = plan.refinement != nil
    points = plan.pointCount
    self.jobs = jobs
    self.budget = budget
  }

  /// Returns the outlook with the time left when it is first known; nil before and after.
  mutating func firstEstimate(_ progress: SweepProgress) -> SweepOutlook? {
    guard seconds == nil, let remaining = progress.remaining else { return nil }
    seconds = remaining
    cpuSeconds = progress.cpuRemaining
    return self
  }
}

package struct SweepSummary: Sendable, Hashable {
  package var measured = 0
  package var unsupported = 0
  package var failed = 0
  package var failedScores = 0
  package var skipped = 0
  package var imageProblems = 0
  /// Points retried alone after a lost worker.
  package var retried = 0
  package var wasCancelled = false
  package var ranOutOfTime = false
  package var wallNanoseconds: Int64 = 0
  /// CPU time of all encodes, decodes and scores in all workers, seconds.
  private(set) var cpuSeconds = 0.0
  package var jobs = 1
  package var workersStarted = 0
  package var imagesOpened = 0
  /// The highest resident memory of any worker, bytes, including scoring; nil if the system does not say.
  package var peakWorkerBytes: Int?
  /// The kernel's restrictions on the workers; nil if none was started.
  package var sandbox: SandboxStatus?
  /// Each encoder's own list of the settings it ran with, by the variant's name.
  package var settingsAsRun: [String: String] = [:]

  package var changedNothing: Bool {
    measured + unsupported + failed + imageProblems == 0 && !wasCancelled
  }

  /// Adds a later pass over the same images.
  mutating func add(_ pass: SweepSummary) {
    measured += pass.measured
    unsupported += pass.unsupported
    failed += pass.failed
    failedScores += pass.failedScores
    retried += pass.retried
    wallNanoseconds += pass.wallNanoseconds
    cpuSeconds += pass.cpuSeconds
    workersStarted += pass.workersStarted
    imagesOpened += pass.imagesOpened
    peakWorkerBytes = [peakWorkerBytes, pass.peakWorkerBytes].compactMap(\.self).max()
    sandbox = SandboxStatus.common([sandbox, pass.sandbox].compactMap(\.self))
    settingsAsRun.merge(pass.settingsAsRun) { first, _ in first }
    (wasCancelled, ranOutOfTime) = (pass.wasCancelled, pass.ranOutOfTime)
  }

  mutating func count(_ outcome: PointOutcome) {
    switch outcome {
    case .measured(let measurement):
      measured += 1
      failedScores += measurement.failedScores.count
      let calls = measurement.timing.encode + measurement.timing.decode
      cpuSeconds +=
        calls.reduce(Double(measurement.scoringCPUNanoseconds)) { $0 + Double($1.cpuNanoseconds) } / 1e9
    case .unsupported: unsupported += 1
    case .failed: failed += 1
    }
  }
}
