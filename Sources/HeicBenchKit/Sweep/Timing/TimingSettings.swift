/// Thoroughness of the exclusive timing pass.
package struct TimingSettings: Sendable, Hashable {
  /// Turns of each point. Each round shuffles an image's points, so that a slow drift affects all alike.
  package var rounds: Int
  /// The least seconds of encoding, and of decoding, for each point over all rounds.
  package var minimumSeconds: Double
  /// The most repeats of a point in a round: enough for the fastest, and no more than a store should keep.
  package var maximumRepeats: Int
  /// Encodes slower than this many seconds are warmed up only once: their own work displaces older data from the
  /// caches.
  package var warmUpBelow: Double
  package var seed: UInt64

  /// By default at least five repeats and half a second for each point.
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

package struct TimingSummary: Sendable, Hashable {
  /// The drift in per cent beyond which times are not to be trusted.
  package static let driftLimit = 3.0

  package var timed = 0
  /// Points that could not be timed; the sweep has recorded most of them as failed or unsupported.
  package var failed = 0
  /// Slowdown of the calibration encode from start to end, per cent; nil without calibration.
  package var driftPercent: Double?
  package var wasCancelled = false
  /// True if it was cancelled because its time was up.
  package var ranOutOfTime = false
  package var wallNanoseconds: Int64 = 0

  package init() {}

  /// True if the machine drifted too far for the times to be trusted.
  package var isDrifting: Bool { abs(driftPercent ?? 0) > Self.driftLimit }
}
