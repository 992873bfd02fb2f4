/// One timed call.
package struct TimingSample: Sendable, Hashable, Codable {
  /// Elapsed time on the monotonic clock, nanoseconds.
  package var wallNanoseconds: Int64
  /// CPU time of the whole process, all its threads, nanoseconds.
  package var cpuNanoseconds: Int64

  /// Pairs the two clocks.
  package init(wallNanoseconds: Int64, cpuNanoseconds: Int64) {
    self.wallNanoseconds = wallNanoseconds
    self.cpuNanoseconds = cpuNanoseconds
  }
}

/// Repeats of the timed calls at one point, under the same conditions, in the order they were made.
package struct TimingSeries: Sendable, Hashable, Codable {
  /// What else the machine was doing.
  package enum Conditions: String, Sendable, Hashable, Codable {
    /// Other jobs of the sweep ran beside it: CPU time holds, wall time does not.
    case contended
    /// The sweep ran one job: nothing of ours beside it, but neither pinned nor interleaved.
    case single
    /// The exclusive timing pass: one pinned child, interleaved order, warm-up discarded.
    case exclusive
  }

  /// What else the machine was doing.
  package var conditions: Conditions
  private var samples: [TimedOperation: [TimingSample]] = [:]

  /// Groups repeats.
  package init(conditions: Conditions, encode: [TimingSample], decode: [TimingSample]) {
    self.conditions = conditions
    (self.encode, self.decode) = (encode, decode)
  }

  /// The repeats of an operation; none where it was not timed.
  package subscript(operation: TimedOperation) -> [TimingSample] {
    get { samples[operation] ?? [] }
    set { samples[operation] = newValue.isEmpty ? nil : newValue }
  }

  /// The repeats of the encode.
  package var encode: [TimingSample] {
    get { self[.encode] }
    set { self[.encode] = newValue }
  }

  /// The repeats of the decode.
  package var decode: [TimingSample] {
    get { self[.decode] }
    set { self[.decode] = newValue }
  }
}

/// What was measured at a point.
package struct Measurement: Sendable, Hashable, Codable {
  /// The quality on the codec's own scale.
  package var nativeQuality: Int
  /// Size of the encoded file in bytes, container included.
  package var encodedBytes: Int
  /// SHA-256 of the encoded file, 64 hexadecimal digits.
  package var encodedHash: String
  /// Whether all repeats gave the same bytes.
  package var repeatsAgree: Bool
  /// The repeats' times.
  package var timing: TimingSeries
  /// What else was measured, in the unit that each figure is counted in; those that are not known are absent.
  package var figures: [MeasuredFigure: Int] = [:]
  /// Score by metric identifier. A metric that is not defined for the image is absent.
  package var scores: [String: Double]
  /// Why a score is missing that should be there, by metric identifier: a program that failed.
  package var failedScores: [String: String] = [:]
  /// CPU time spent scoring, nanoseconds: what the metrics, and an error map that was drawn at once, cost beside
  /// the encoders.
  package var scoringCPUNanoseconds: Int64
  /// What is odd but no failure, a sentence each: `decoded with 2 warnings`.
  package var remarks: [String]

  /// Describes a measured point.
  package init(
    nativeQuality: Int, encodedBytes: Int, encodedHash: String, repeatsAgree: Bool = true,
    timing: TimingSeries, figures: [MeasuredFigure: Int] = [:], scores: [String: Double] = [:],
    scoringCPUNanoseconds: Int64 = 0, remarks: [String] = []
  ) {
    self.nativeQuality = nativeQuality
    self.encodedBytes = encodedBytes
    self.encodedHash = encodedHash
    self.repeatsAgree = repeatsAgree
    self.timing = timing
    self.figures = figures
    self.scores = scores
    self.scoringCPUNanoseconds = scoringCPUNanoseconds
    self.remarks = remarks
  }
}
