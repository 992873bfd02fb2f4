/// What a measurement depends on, and so what it is filed under: sizes and scores are the same whenever all
/// of this is the same.
package struct PointKey: Sendable, Hashable, Codable {
  /// The source.
  package var image: ImageIdentity
  /// `Preparation.canonicalSpelling`.
  package var preparation: String
  /// Codec and settings.
  package var variant: CodecVariant
  /// Position on the quality axis.
  package var quality: Quality
  /// The versions of all libraries the codec stands on, as `canonicalSpelling` joins them.
  package var libraries: String

  /// Names a point.
  package init(
    image: ImageIdentity, preparation: String, variant: CodecVariant, quality: Quality, libraries: String
  ) {
    self.image = image
    self.preparation = preparation
    self.variant = variant
    self.quality = quality
    self.libraries = libraries
  }
  /// Hashes what tells the points of a run apart. All of it would take longer than finding a point does otherwise.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(image.name)
    hasher.combine(quality)
    hasher.combine(variant.codec)
    hasher.combine(variant.settings.count)
  }
}

/// A point and what became of it.
package struct PointRecord: Sendable, Hashable, Codable {
  /// The point.
  package var key: PointKey
  /// What became of it.
  package var outcome: PointOutcome
  /// Why it was measured.
  package var origin: PointOrigin

  /// Pairs a point with its outcome.
  package init(key: PointKey, outcome: PointOutcome, origin: PointOrigin = .grid) {
    self.key = key
    self.outcome = outcome
    self.origin = origin
  }
}

/// The times of a point from a pass that measured nothing else.
package struct TimingRecord: Sendable, Hashable, Codable {
  /// The point.
  package var key: PointKey
  /// Its repeats.
  package var timing: TimingSeries

  /// Pairs a point with its times.
  package init(key: PointKey, timing: TimingSeries) {
    self.key = key
    self.timing = timing
  }
}

/// What a sweep reports as it goes, in the order in which things finish.
package enum SweepRecord: Sendable, Hashable {
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
package protocol RecordSink: Sendable {
  /// Keeps a record for good. Called from several threads.
  func append(_ record: SweepRecord) throws
}

/// Knows what earlier runs have measured already.
package protocol FinishedPoints: Sendable {
  /// The image's finished points under this preparation: measured, unsupported or failed for good. Scores are
  /// those of `metric`.
  func finished(
    _ image: ImageIdentity, preparation: String, metric: String?
  ) throws -> FinishedImage
}

/// What became of a finished point, as far as the choice of further ones depends on it.
package struct FinishedPoint: Sendable, Hashable {
  /// Bytes of the encoded file; nil unless it was measured.
  package var bytes: Int?
  /// Its score; nil where there is none.
  package var score: Double?
  /// What it was measured for, or used for since, besides being in a grid.
  package var origins: Set<PointOrigin>

  /// States what is known; by default of a point that could not be measured.
  package init(bytes: Int? = nil, score: Double? = nil, origins: Set<PointOrigin> = []) {
    self.bytes = bytes
    self.score = score
    self.origins = origins
  }
}

/// What a quality gave: a file of so many bytes with such a score.
package struct ScoredPoint: Sendable, Hashable {
  /// The quality.
  package let quality: Quality
  /// The encoded file's size.
  package let bytes: Int
  /// The score.
  package let score: Double

  /// States a point.
  package init(quality: Quality, bytes: Int, score: Double) {
    (self.quality, self.bytes, self.score) = (quality, bytes, score)
  }
}
