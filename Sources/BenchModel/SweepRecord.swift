/// A point and what became of it.
public struct PointRecord: Sendable, Hashable, Codable {
  /// The point.
  public var key: PointKey
  /// What became of it.
  public var outcome: Outcome
  /// Why it was measured.
  public var origin: PointOrigin

  /// Pairs a point with its outcome.
  public init(key: PointKey, outcome: Outcome, origin: PointOrigin = .grid) {
    self.key = key
    self.outcome = outcome
    self.origin = origin
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
  /// A point that an earlier run measured for another reason serves this one too.
  case reuse(PointKey, PointOrigin)
}

/// Takes what a sweep reports. A record counts as done once `append` has returned.
public protocol RecordSink: Sendable {
  /// Keeps a record for good. Called from several threads.
  func append(_ record: SweepRecord) throws
}

/// Knows what earlier runs have measured already.
public protocol FinishedPoints: Sendable {
  /// The image's finished points under this preparation: measured, unsupported or failed for good. Scores are
  /// those of `metric`.
  func finished(
    _ image: ImageIdentity, preparation: String, metric: String?
  ) throws -> [PointKey: FinishedPoint]
}

/// What became of a finished point, as far as the choice of further ones depends on it.
public struct FinishedPoint: Sendable, Hashable {
  /// Bytes of the encoded file; nil unless it was measured.
  public var bytes: Int?
  /// Its score; nil where there is none.
  public var score: Double?
  /// What it was measured for, or used for since, besides being in a grid.
  public var origins: Set<PointOrigin>

  /// States what is known; by default of a point that could not be measured.
  public init(bytes: Int? = nil, score: Double? = nil, origins: Set<PointOrigin> = []) {
    self.bytes = bytes
    self.score = score
    self.origins = origins
  }
}
