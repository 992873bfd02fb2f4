/// One timed call.
public struct TimingSample: Sendable, Hashable, Codable {
  /// Elapsed time on the monotonic clock, nanoseconds.
  public var wallNanoseconds: Int64
  /// CPU time of the whole process, all its threads, nanoseconds.
  public var cpuNanoseconds: Int64

  /// Pairs the two clocks.
  public init(wallNanoseconds: Int64, cpuNanoseconds: Int64) {
    self.wallNanoseconds = wallNanoseconds
    self.cpuNanoseconds = cpuNanoseconds
  }
}

/// Repeats of encode and decode at one point, under the same conditions, in the order they were made.
public struct TimingSeries: Sendable, Hashable, Codable {
  /// What else the machine was doing.
  public enum Conditions: String, Sendable, Hashable, Codable {
    /// Other jobs of the sweep ran beside it: CPU time holds, wall time does not.
    case contended
    /// The sweep ran one job: nothing of ours beside it, but neither pinned nor interleaved.
    case single
    /// The exclusive timing pass: one pinned child, interleaved order, warm-up discarded.
    case exclusive
  }

  /// What else the machine was doing.
  public var conditions: Conditions
  /// Pixels in memory to file bytes in memory.
  public var encode: [TimingSample]
  /// File bytes in memory to pixels in memory.
  public var decode: [TimingSample]

  /// Groups repeats.
  public init(conditions: Conditions, encode: [TimingSample], decode: [TimingSample]) {
    self.conditions = conditions
    self.encode = encode
    self.decode = decode
  }
}

/// What was measured at a point.
public struct Measurement: Sendable, Hashable, Codable {
  /// The quality on the codec's own scale.
  public var nativeQuality: Int
  /// Size of the encoded file in bytes, container included.
  public var encodedBytes: Int
  /// SHA-256 of the encoded file, 64 hexadecimal digits.
  public var encodedHash: String
  /// Whether all repeats gave the same bytes.
  public var repeatsAgree: Bool
  /// The repeats' times.
  public var timing: TimingSeries
  /// The larger of the encode's and the decode's memory, bytes; nil where neither is known. In points of 0.1.0 the
  /// highest resident memory of the whole process.
  public var peakMemoryBytes: Int?
  /// What the encode needed at most beyond what was resident before it, bytes; nil where that is not known.
  public var encodePeakBytes: Int?
  /// What the decode needed at most beyond what was resident before it, bytes; nil where that is not known.
  public var decodePeakBytes: Int?
  /// Score by metric identifier. A metric that is not defined for the image is absent.
  public var scores: [String: Double]
  /// Why a score is missing that should be there, by metric identifier: a program that failed.
  public var failedScores: [String: String] = [:]
  /// CPU time spent scoring, nanoseconds: what the metrics cost beside the encoders.
  public var scoringCPUNanoseconds: Int64
  /// What is odd but no failure, a sentence each: `decoded with 2 warnings`.
  public var remarks: [String]

  /// Describes a measured point.
  public init(
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
