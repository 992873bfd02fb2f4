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
  /// Seconds that are left, as far as can be told; nil before the first points are done.
  public var remaining: Double?
  /// The share of the work that is done, 0 to 1, by the time that it takes; nil before the first points are done. Points
  /// of earlier runs took none.
  package var share: Double?
  /// CPU time of the workers over the time that they were busy: less than one where other programs compete for the
  /// cores, more where encoders use several; nil before the first points are done.
  package var cpuShare: Double?
  /// Whether what is left is told from points of all codecs.
  package var isEstimated = false

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
