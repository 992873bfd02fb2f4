/// Progress of a sweep.
public enum SweepEvent: Sendable {
  /// The number of corpus files read so far.
  case reading(done: Int, total: Int)
  /// Files skipped because they are not images or cannot be read: in one or two lines, and the names that
  /// are kept.
  case skipped(lines: [String], names: [String])
  /// The plan. Sent once before anything is measured, and again with the time left as soon as that is known.
  case planned(SweepOutlook)
  /// The number of points measured so far, or of searches for a target done.
  case measuring(SweepProgress)
  /// The answers so far with an interval, for each codec but the first.
  case headline([Saving])
  /// The number of encodes so far at a quality to set.
  case measuringSettings(SweepProgress)
  /// The number of points timed again so far.
  case timing(SweepProgress)
  /// The answer as text, as in `SweepOutcome.text`. Sent before the page's pictures are made, and not at all if the
  /// reports of an earlier run are still valid.
  case answer(String)
  /// The number of the page's pictures made so far.
  case drawing(done: Int, total: Int)
  /// Measuring, timing or drawing has ended.
  case stepEnded
  /// A remark for readers of the results, as a sentence.
  case notice(String)
  /// A sentence about something that was requested but could not be done.
  case warning(String)
  /// A message for developers, formatted on demand.
  case detail(@Sendable () -> String)
}
