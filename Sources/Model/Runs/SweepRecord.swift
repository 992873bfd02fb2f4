/// The records of a sweep, reported in the order of completion.
package enum SweepRecord: Sendable, Hashable {
  /// An image was prepared, or cannot be used. Comes before the image's points.
  case image(ImageRecord)
  case point(CaseRecord)
  /// The times of a point from a pass that measured nothing else.
  case timing(Case, TimingSeries)
  /// This run uses a point that an earlier run measured for another reason.
  case reuse(Case, PointOrigin)
}

/// Receives the records of a sweep. A record counts as done once `append` has returned.
package protocol RecordSink: Sendable {
  /// Stores a record permanently. Called from several threads.
  func append(_ record: SweepRecord) throws
}

/// Access to the points that earlier runs have finished.
package protocol FinishedPoints: Sendable {
  /// The image's points under this preparation that were measured, are unsupported or failed for good. Scores are
  /// those of `metric`.
  func finished(
    _ image: ImageIdentity, preparation: String, metric: String?
  ) throws -> FinishedImage
}

/// The part of a finished point that decides on further points.
package struct FinishedPoint: Sendable, Hashable {
  package var bytes: Int?
  package var score: Double?
  /// The reasons, other than a grid, for which the point was measured, or has been used since.
  package var origins: PointOrigins

  /// Creates a point; by default one that could not be measured.
  package init(bytes: Int? = nil, score: Double? = nil, origins: PointOrigins = []) {
    self.bytes = bytes
    self.score = score
    self.origins = origins
  }
}
