/// The progress of a sweep.
public struct SweepProgress: Sendable, Hashable {
  /// Points of the plan, less those of unusable images as these turn up.
  public var total: Int
  /// Points done, including those of earlier runs.
  public var done: Int
  /// Failed points among those done.
  public var failed: Int
  /// Points among those done that earlier runs had finished.
  package var skipped: Int
  package var imageProblems: Int
  /// Seconds since the run began.
  public var elapsed: Double
  /// Estimated seconds left; nil until enough work is done to tell.
  public var remaining: Double?
  /// The share of the work done, 0 to 1, by time; nil before the first points are done. Points of earlier runs count
  /// as no time.
  package var share: Double?
  /// Estimated CPU seconds left; nil if `remaining` is, or if they are not counted.
  package var cpuRemaining: Double?

  package init(
    total: Int, done: Int, failed: Int = 0, skipped: Int = 0, imageProblems: Int = 0, elapsed: Double,
    remaining: Double? = nil
  ) {
    self.total = total
    self.done = done
    self.failed = failed
    self.skipped = skipped
    self.imageProblems = imageProblems
    self.elapsed = elapsed
    self.remaining = remaining
  }

  package var rate: Double { elapsed > 0 ? Double(done - skipped) / elapsed : 0 }
}
