import Model

/// Thoroughness of the exclusive timing pass; by default at least five repeats and half a second for each point.
struct TimingSettings: Sendable, Hashable {
  /// Turns of each point. Each round shuffles an image's points, so that a slow drift affects all alike.
  var rounds = 5
  /// The least seconds of encoding, and of decoding, for each point over all rounds.
  var minimumSeconds = 0.5
  /// The most repeats of a point in a round: enough for the fastest, and no more than a store should keep.
  var maximumRepeats = 200
  /// Encodes slower than this many seconds are warmed up once: their own work displaces older data from caches.
  var warmUpBelow = 0.05
  var seed: UInt64 = 1
}

struct TimingSummary: Sendable, Hashable {
  /// The drift in per cent beyond which times are not to be trusted.
  static let driftLimit = 3.0

  var timed = 0
  /// Points that could not be timed; the sweep has recorded most of them as failed or unsupported.
  var failed = 0
  /// Slowdown of the calibration encode from start to end, per cent; nil without calibration.
  var driftPercent: Double?
  var wasCancelled = false
  var ranOutOfTime = false
  var wallNanoseconds: Int64 = 0

  var isDrifting: Bool { abs(driftPercent ?? 0) > Self.driftLimit }
}

extension TimingSeries {
  /// The median wall time of the encodes, seconds; 0 without samples.
  var medianEncodeSeconds: Double {
    let sorted = encode.map(\.wallNanoseconds).sorted()
    guard !sorted.isEmpty else { return 0 }
    let (lower, upper) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    return (Double(lower) + Double(upper)) / 2e9
  }

  func followed(by more: TimingSeries) -> TimingSeries {
    var all = self
    for operation in TimedOperation.allCases { all[operation] += more[operation] }
    return all
  }
}
