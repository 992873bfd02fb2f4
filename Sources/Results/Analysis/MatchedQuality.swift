public import BenchModel

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

  /// States a comparison.
  public init(
    variant: CodecVariant, reference: CodecVariant, metric: String, target: Double, bytes: CorpusFigure?,
    total: MatchedTotal?, encodeCPU: MatchedTime?, decodeCPU: MatchedTime?, bytesSavedPerCPUSecond: Double?,
    problems: [ProblemCount]
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
