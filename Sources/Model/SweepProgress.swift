/// How far a sweep is.
public struct SweepProgress: Sendable, Hashable {
  /// Points of the plan, those of unusable images taken off as these turn up.
  public var total: Int
  /// Points that are done, those of earlier runs included.
  public var done: Int
  /// Points among them that failed.
  public var failed: Int
  /// Points among them that earlier runs had finished.
  package var skipped: Int
  /// Images that cannot be used.
  package var imageProblems: Int
  /// Seconds since the run began.
  public var elapsed: Double
  /// Seconds that are left; nil until enough of the work is done to tell.
  public var remaining: Double?
  /// The share of the work that is done, 0 to 1, by the time that it takes; nil before the first points are done. Points
  /// of earlier runs took none.
  package var share: Double?
  /// CPU seconds that are left; nil where `remaining` is, and where nobody counts them.
  package var cpuRemaining: Double?

  /// States how far a sweep is.
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

  /// Points per second of this run.
  package var rate: Double { elapsed > 0 ? Double(done - skipped) / elapsed : 0 }
}
