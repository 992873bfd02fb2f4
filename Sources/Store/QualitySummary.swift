package import Model

/// One variant at one quality over all images measured there. Failed points are in no sum.
package struct QualitySummary: Sendable, Hashable {
  package var variant: CodecVariant
  package var quality: Quality
  package var images: Int = 0
  package var failed: Int = 0
  /// Number of points that the codec does not support.
  package var unsupported: Int = 0
  package var totalBytes: Int = 0
  /// Total pixels of the images of known size.
  package var totalPixels: Int = 0
  /// Total bits over total pixels, images of unknown size excluded. Not the mean of the images' own figures, which a
  /// single icon of a few pixels would dominate.
  package var meanBitsPerPixel: Double?
  package var compressionRatio: Double?
  /// Size in percent of the reference's at the same quality number, over the images that have both: 140 means 40 %
  /// larger. Not a comparison at equal quality.
  package var percentOfReference: Double?
  /// Milliseconds per megapixel: total time over total pixels, from medians of the repeats. For wall times see
  /// `Analysis.timesAreContended`.
  package var millisecondsPerMegapixel = OrdinalTable<TimedCall, Double>()
  /// The highest peak memory of a point, MiB.
  package var peakMemoryMiB: Double?
  /// Mean score by metric identifier, over the images with a finite score.
  package var meanScores: [String: Double] = [:]

  /// Number of images with a point at this quality, whatever its outcome.
  package var points: Int { images + failed + unsupported }

  package init(variant: CodecVariant, quality: Quality) {
    self.variant = variant
    self.quality = quality
  }
}
