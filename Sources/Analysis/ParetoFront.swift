package import Model

/// Variants worth considering at one score: those that no other beats in both bytes and encode CPU time.
package struct ParetoFront: Sendable, Hashable {
  /// A variant at the target score.
  package struct Entry: Sendable, Hashable {
    package var variant: CodecVariant
    /// Geometric mean over the images at the target.
    package var bitsPerPixel: Double
    /// CPU time of each operation at the target; nil if times are missing.
    package var millisecondsPerMegapixel: OperationTable<Double>
    /// Largest peak memory of an encode or decode of these images at any of their qualities; nil if an image has none.
    package var peakMiB: Double?
    /// A variant that is at least as good in both and better in one; nil for a member of the front.
    package var dominatedBy: CodecVariant?
  }

  package var metric: String
  package var target: Double
  /// Images behind all entries: those where every one of them reaches the target.
  package var images: Int
  /// In the order of the run.
  package var entries: [Entry]
  /// Variants left out because they reach the target for under half as many images as the others.
  package var leftOut: [CodecVariant]
}
