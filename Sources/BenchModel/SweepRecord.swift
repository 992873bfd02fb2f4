/// A point and what became of it.
public struct PointRecord: Sendable, Hashable, Codable {
  /// The point.
  public var key: PointKey
  /// What became of it.
  public var outcome: Outcome

  /// Pairs a point with its outcome.
  public init(key: PointKey, outcome: Outcome) {
    self.key = key
    self.outcome = outcome
  }
}

/// The times of a point from a pass that measured nothing else.
public struct TimingRecord: Sendable, Hashable, Codable {
  /// The point.
  public var key: PointKey
  /// Its repeats.
  public var timing: TimingSeries

  /// Pairs a point with its times.
  public init(key: PointKey, timing: TimingSeries) {
    self.key = key
    self.timing = timing
  }
}

/// What a sweep reports as it goes, in the order in which things finish.
public enum SweepRecord: Sendable, Hashable {
  /// An image was read and prepared, or cannot be used. Comes before the image's points.
  case image(ImageRecord)
  /// A point is done.
  case point(PointRecord)
  /// A point was timed by the exclusive pass.
  case timing(TimingRecord)
}

/// Takes what a sweep reports. A record counts as done once `append` has returned.
public protocol RecordSink: Sendable {
  /// Keeps a record for good. Called from several threads.
  func append(_ record: SweepRecord) throws
}

/// Knows what earlier runs have measured already.
public protocol FinishedPoints: Sendable {
  /// The image's finished points under this preparation: measured, unsupported or failed for good.
  func finished(_ image: ImageIdentity, preparation: String) throws -> Set<PointKey>
}
