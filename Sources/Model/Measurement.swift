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

/// Repeats of encode and decode at one point, under the same conditions, in the order they were made.
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
  /// Pixels in memory to file bytes in memory.
  package var encode: [TimingSample]
  /// File bytes in memory to pixels in memory.
  package var decode: [TimingSample]

  /// Groups repeats.
  package init(conditions: Conditions, encode: [TimingSample], decode: [TimingSample]) {
    self.conditions = conditions
    self.encode = encode
    self.decode = decode
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
  /// The larger of the encode's and the decode's memory, bytes; nil where neither is known. In points of 0.1.0 the
  /// highest resident memory of the whole process.
  package var peakMemoryBytes: Int?
  /// What the encode needed at most beyond what was resident before it, bytes; nil where that is not known.
  package var encodePeakBytes: Int?
  /// What the decode needed at most beyond what was resident before it, bytes; nil where that is not known.
  package var decodePeakBytes: Int?
  /// Score by metric identifier. A metric that is not defined for the image is absent.
  package var scores: [String: Double]
  /// Why a score is missing that should be there, by metric identifier: a program that failed.
  package var failedScores: [String: String] = [:]
  /// CPU time spent scoring, nanoseconds: what the metrics cost beside the encoders.
  package var scoringCPUNanoseconds: Int64
  /// What is odd but no failure, a sentence each: `decoded with 2 warnings`.
  package var remarks: [String]

  /// Describes a measured point.
  package init(
    nativeQuality: Int, encodedBytes: Int, encodedHash: String, repeatsAgree: Bool = true,
    timing: TimingSeries, peakMemoryBytes: Int? = nil, scores: [String: Double] = [:],
    scoringCPUNanoseconds: Int64 = 0, remarks: [String] = []
  ) {
    self.nativeQuality = nativeQuality
    self.encodedBytes = encodedBytes
    self.encodedHash = encodedHash
    self.repeatsAgree = repeatsAgree
    self.timing = timing
    self.peakMemoryBytes = peakMemoryBytes
    self.scores = scores
    self.scoringCPUNanoseconds = scoringCPUNanoseconds
    self.remarks = remarks
  }
}
