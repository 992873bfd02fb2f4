/// How much worse things may get before the gate fails. Exceeding a threshold fails; reaching it does not.
///
/// Every threshold has a key, which flags and the committed file use: see `GateThresholds.keys`.
public struct GateThresholds: Sendable, Hashable, Codable {
  /// Growth of the total bytes of a variant at equal settings, percent.
  public var totalBytesPercent: Double
  /// Growth of a single point's bytes, percent.
  public var pointBytesPercent: Double
  /// Fall of a single point's score by metric identifier, in the metric's unit. Metrics that are not listed
  /// do not fail the gate.
  public var scores: [String: Double]
  /// Growth of the bytes at equal score, percentage points of the geometric mean over the images.
  public var savingPoints: Double
  /// BD-rate against the baseline by the headline metric over the band, percentage points.
  public var bdRatePoints: Double
  /// Points that fail now and did not in the baseline.
  public var newFailures: Int
  /// Points of the baseline that are no longer there.
  public var vanishedPoints: Int
  /// Growth of a variant's encode time, percent.
  public var encodeTimePercent: Double
  /// Growth of a variant's decode time, percent.
  public var decodeTimePercent: Double

  /// States thresholds. The defaults are for runs with the same library versions, whose sizes and scores are
  /// deterministic.
  public init(
    totalBytesPercent: Double = 0.5, pointBytesPercent: Double = 2,
    scores: [String: Double] = [
      "ssimulacra2": 0.5, "psnr-y": 0.2, "psnr-rgb": 0.2, "ssim": 0.002, "ms-ssim": 0.002,
    ],
    savingPoints: Double = 1, bdRatePoints: Double = 1, newFailures: Int = 0, vanishedPoints: Int = 0,
    encodeTimePercent: Double = 20, decodeTimePercent: Double = 20
  ) {
    self.totalBytesPercent = totalBytesPercent
    self.pointBytesPercent = pointBytesPercent
    self.scores = scores
    self.savingPoints = savingPoints
    self.bdRatePoints = bdRatePoints
    self.newFailures = newFailures
    self.vanishedPoints = vanishedPoints
    self.encodeTimePercent = encodeTimePercent
    self.decodeTimePercent = decodeTimePercent
  }
}
