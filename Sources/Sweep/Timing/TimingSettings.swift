/// How thorough the exclusive timing pass is.
package struct TimingSettings: Sendable, Hashable {
  /// How often each point has its turn. In every round the points of an image come in another random order, so
  /// that a slow drift of the machine falls on all of them alike.
  package var rounds: Int
  /// Seconds of encoding, and of decoding, that each point gets at least, over all rounds.
  package var minimumSeconds: Double
  /// The most repeats of a point in a round: enough for the fastest, and no more than a store wants to keep.
  package var maximumRepeats: Int
  /// Encodes slower than this many seconds are warmed up in the first round only: by then their own work has
  /// long displaced what the codec before them left in the caches.
  package var warmUpBelow: Double
  /// Where the random orders begin.
  package var seed: UInt64

  /// Sets up a pass; by default at least five repeats and half a second for each point.
  package init(
    rounds: Int = 5, minimumSeconds: Double = 0.5, maximumRepeats: Int = 200, warmUpBelow: Double = 0.05,
    seed: UInt64 = 1
  ) {
    self.rounds = max(1, rounds)
    self.minimumSeconds = max(0, minimumSeconds)
    self.maximumRepeats = max(1, maximumRepeats)
    self.warmUpBelow = warmUpBelow
    self.seed = seed
  }
}

/// What became of an exclusive timing pass.
package struct TimingSummary: Sendable, Hashable {
  /// A machine that drifts by more than this many per cent gives times that are not to be trusted.
  package static let driftLimit = 3.0

  /// Points that were timed.
  package var timed = 0
  /// Points that could not be timed, most of which the sweep has recorded as failed or unsupported.
  package var failed = 0
  /// By how many per cent the calibration encode at the end was slower than the one at the start; nil where
  /// there was none.
  package var driftPercent: Double?
  /// Whether the pass was cancelled before it was done.
  package var wasCancelled = false
  /// Whether it was cancelled because its time was up.
  package var ranOutOfTime = false
  /// Elapsed time, nanoseconds.
  package var wallNanoseconds: Int64 = 0

  /// A pass in which nothing has happened yet.
  package init() {}

  /// Whether the machine drifted too far for the times to be trusted.
  package var isDrifting: Bool { abs(driftPercent ?? 0) > Self.driftLimit }
}
