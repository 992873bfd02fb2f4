package import Model

/// Which variants are worth considering at one score: those that no other beats in both bytes and CPU time of the encode.
package struct ParetoFront: Sendable, Hashable {
  /// A variant at the target score.
  package struct Entry: Sendable, Hashable {
    /// The variant.
    package var variant: CodecVariant
    /// Geometric mean over the images of the bits per pixel at the target.
    package var bitsPerPixel: Double
    /// CPU milliseconds of each operation per megapixel at the target; nil where times are missing.
    package var millisecondsPerMegapixel: OperationTable<Double>
    /// The largest peak memory of an encode or decode of these images at any of their qualities, MiB; nil where an
    /// image has none.
    package var peakMiB: Double?
    /// A variant that is no worse in either and better in one; nil for a member of the front.
    package var dominatedBy: CodecVariant?

    /// States an entry.
    package init(
      variant: CodecVariant, bitsPerPixel: Double, millisecondsPerMegapixel: OperationTable<Double>,
      peakMiB: Double? = nil, dominatedBy: CodecVariant? = nil
    ) {
      self.variant = variant
      self.bitsPerPixel = bitsPerPixel
      self.millisecondsPerMegapixel = millisecondsPerMegapixel
      self.peakMiB = peakMiB
      self.dominatedBy = dominatedBy
    }
  }

  /// The headline metric's identifier.
  package var metric: String
  /// The score.
  package var target: Double
  /// The images that all entries stand on: those where every one of them reaches the target.
  package var images: Int
  /// The variants in the order of the run.
  package var entries: [Entry]
  /// Variants left out because they reach the target for under half as many images as the others.
  package var leftOut: [CodecVariant]

  /// States a front.
  package init(metric: String, target: Double, images: Int, entries: [Entry], leftOut: [CodecVariant]) {
    self.metric = metric
    self.target = target
    self.images = images
    self.entries = entries
    self.leftOut = leftOut
  }
}
