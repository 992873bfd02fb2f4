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

/// Why a point or an image could not be measured.
package struct Failure: Sendable, Hashable, Codable, Error {
  /// What kind of thing went wrong, which decides whether trying again can help.
  package enum Kind: String, Sendable, Hashable, Codable {
    /// The file cannot be read or is broken.
    case source
    /// The codec or its library reported an error, or its output does not decode to what went in.
    case codec
    /// A metric reported an error.
    case metric
    /// The child was killed by a signal that it raised itself.
    case crash
    /// The child did not answer in time.
    case timeout
    /// The child reached its memory limit.
    case memory
    /// The child ended without an answer, or answered something else than a reply.
    case broken
    /// A limit of heicbench's own, such as the number of pixels, was exceeded.
    case limit
  }

  /// What kind of thing went wrong.
  package var kind: Kind
  /// What happened, as a sentence without the point's name: `killed by SIGSEGV`, `no answer in 60 s`.
  package var message: String

  /// Describes a failure.
  package init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// Whether another child might succeed where this one did not.
  package var isWorthRetrying: Bool { [.crash, .timeout, .memory, .broken].contains(kind) }
}

/// What became of something that was to be measured: of a point, a read, a cut. There is no “cancelled”: what has no
/// outcome is measured by the next run.
package enum Outcome<Value: Sendable & Codable>: Sendable, Codable {
  /// It was done, and gave this.
  case measured(Value)
  /// The codec or the file does not allow it; the text gives the reason.
  case unsupported(String)
  /// It should have worked.
  case failed(Failure)

  /// What was measured; nil where nothing was.
  package var value: Value? {
    if case .measured(let value) = self { value } else { nil }
  }

  /// Why it failed; nil where it did not.
  package var failure: Failure? {
    if case .failed(let failure) = self { failure } else { nil }
  }
}

extension Outcome: Equatable where Value: Equatable {}
extension Outcome: Hashable where Value: Hashable {}

/// What became of a point: it was encoded, decoded and scored, or was not.
package typealias PointOutcome = Outcome<Measurement>
