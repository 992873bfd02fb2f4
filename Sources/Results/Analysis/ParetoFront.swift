public import BenchModel

/// Which variants are worth considering at one score: those that no other beats in both bytes and CPU time.
public struct ParetoFront: Sendable, Hashable, Codable {
  /// A variant at the target score.
  public struct Entry: Sendable, Hashable, Codable {
    /// The variant.
    public var variant: CodecVariant
    /// Geometric mean over the images of the bits per pixel at the target.
    public var bitsPerPixel: Double
    /// CPU milliseconds of the encode per megapixel at the target; nil where times are missing.
    public var encodeMillisecondsPerMegapixel: Double?
    /// A variant that is no worse in either and better in one; nil for a member of the front.
    public var dominatedBy: CodecVariant?

    /// States an entry.
    public init(
      variant: CodecVariant, bitsPerPixel: Double, encodeMillisecondsPerMegapixel: Double?,
      dominatedBy: CodecVariant? = nil
    ) {
      self.variant = variant
      self.bitsPerPixel = bitsPerPixel
      self.encodeMillisecondsPerMegapixel = encodeMillisecondsPerMegapixel
      self.dominatedBy = dominatedBy
    }
  }

  /// The headline metric's identifier.
  public var metric: String
  /// The score.
  public var target: Double
  /// The images that all entries stand on: those where every one of them reaches the target.
  public var images: Int
  /// The variants in the order of the run.
  public var entries: [Entry]
  /// Variants left out because they reach the target for under half as many images as the others.
  public var leftOut: [CodecVariant]

  /// States a front.
  public init(metric: String, target: Double, images: Int, entries: [Entry], leftOut: [CodecVariant]) {
    self.metric = metric
    self.target = target
    self.images = images
    self.entries = entries
    self.leftOut = leftOut
  }
}
