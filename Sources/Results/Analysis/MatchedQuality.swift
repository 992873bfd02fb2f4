public import BenchModel
public import Curves

/// A variant against the reference at one score of the headline metric, where both reach it.
public struct MatchedQuality: Sendable, Hashable, Codable {
  /// The variant.
  public var variant: CodecVariant
  /// What it is compared with.
  public var reference: CodecVariant
  /// The headline metric's identifier.
  public var metric: String
  /// The score.
  public var target: Double
  /// The change in bytes, percent, as the geometric mean of the per-image ratios; nil where none exists.
  public var bytes: CorpusFigure?
  /// Bytes in total over the images for which it holds. Large images dominate it.
  public var total: MatchedTotal?
  /// CPU time of the encode at the target.
  public var encodeCPU: MatchedTime?
  /// CPU time of the decode at the target.
  public var decodeCPU: MatchedTime?
  /// Bytes saved per extra CPU-second of encoding; nil unless it saves bytes and takes longer.
  public var bytesSavedPerCPUSecond: Double?
  /// What stood in the way, in the order of `CurveProblem`.
  public var problems: [ProblemCount]
  /// On which side of the target the images lie that were not measured around it.
  public var reach: TargetReach

  /// States a comparison.
  public init(
    variant: CodecVariant, reference: CodecVariant, metric: String, target: Double, bytes: CorpusFigure?,
    total: MatchedTotal?, encodeCPU: MatchedTime?, decodeCPU: MatchedTime?, bytesSavedPerCPUSecond: Double?,
    problems: [ProblemCount], reach: TargetReach = .init()
  ) {
    self.variant = variant
    self.reference = reference
    self.metric = metric
    self.target = target
    self.bytes = bytes
    self.total = total
    self.encodeCPU = encodeCPU
    self.decodeCPU = decodeCPU
    self.bytesSavedPerCPUSecond = bytesSavedPerCPUSecond
    self.problems = problems
    self.reach = reach
  }

  /// Which side to widen, so that the target lies inside of what was measured; nil where that is not it.
  public var advice: String? { reach.advice(variant, reference) }
}

/// Images whose curve ends before a target score, by the side on which they lie.
public struct TargetReach: Sendable, Hashable, Codable {
  /// Images in which everything that was measured of a variant lies on one side.
  public struct Side: Sendable, Hashable, Codable {
    /// All scores are higher: lower qualities were not measured.
    public var above = 0
    /// All scores are lower: higher qualities were not measured, or there are none.
    public var below = 0

    /// Starts at zero.
    public init() {}

    mutating func add(_ scores: ClosedRange<Double>, around score: Double) {
      if scores.lowerBound > score { above += 1 }
      if scores.upperBound < score { below += 1 }
    }

    fileprivate func advice(_ name: String) -> [String] {
      [
        above > 0 ? "\(name) starts above it in \(counted(above, "image")): measure \(name) lower" : nil,
        below > 0 ? "\(name) ends below it in \(counted(below, "image")): measure \(name) higher" : nil,
      ].compactMap(\.self)
    }
  }

  /// The variant.
  public var variant = Side()
  /// What it is compared with.
  public var reference = Side()

  /// Starts at zero.
  public init() {}

  /// `HEIC starts above it in 6 images: measure HEIC lower`; nil where all images reach the score.
  func advice(_ variant: CodecVariant, _ reference: CodecVariant) -> String? {
    let parts = self.variant.advice(variant.title) + self.reference.advice(reference.title)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

/// Bytes of two variants at equal score, summed over the images for which both reach it.
public struct MatchedTotal: Sendable, Hashable, Codable {
  /// Bytes of the variant, interpolated.
  public var bytes: Double
  /// Bytes of the reference, interpolated.
  public var referenceBytes: Double

  /// States two totals.
  public init(bytes: Double, referenceBytes: Double) {
    self.bytes = bytes
    self.referenceBytes = referenceBytes
  }

  /// The change of the total in percent.
  public var changePercent: Double { (bytes / referenceBytes - 1) * 100 }
}

/// CPU times of two variants at equal score: all time over all pixels of the images for which both are known.
public struct MatchedTime: Sendable, Hashable, Codable {
  /// The images that it stands on.
  public var images: Int
  /// Milliseconds per megapixel (10⁶ pixels) of the variant.
  public var millisecondsPerMegapixel: Double
  /// Milliseconds per megapixel of the reference.
  public var referenceMillisecondsPerMegapixel: Double

  /// States two times.
  public init(
    images: Int, millisecondsPerMegapixel: Double, referenceMillisecondsPerMegapixel: Double
  ) {
    self.images = images
    self.millisecondsPerMegapixel = millisecondsPerMegapixel
    self.referenceMillisecondsPerMegapixel = referenceMillisecondsPerMegapixel
  }

  /// How many times as long the variant takes.
  public var ratio: Double { millisecondsPerMegapixel / referenceMillisecondsPerMegapixel }
}
