package import Model

/// One variant at one quality over all images that it measured there. Failed points are in no sum.
package struct QualitySummary: Sendable, Hashable {
  /// The variant.
  package var variant: CodecVariant
  /// The quality.
  package var quality: Quality
  /// The images measured.
  package var images: Int = 0
  /// Points that failed.
  package var failed: Int = 0
  /// Points that the codec cannot do.
  package var unsupported: Int = 0
  /// Bytes in total.
  package var totalBytes: Int = 0
  /// Pixels in total, of the images whose size is known.
  package var totalPixels: Int = 0
  /// Bits of all images over pixels of all images, those of unknown size left out. Not the mean of the images'
  /// own figures, which a single icon of a few pixels would decide.
  package var meanBitsPerPixel: Double?
  /// Raw bytes of all images over encoded bytes of all images.
  package var compressionRatio: Double?
  /// Size in percent of the reference's at the same quality number, over the images that have both:
  /// 140 stands for 40 % larger. Not a comparison at equal quality.
  package var percentOfReference: Double?
  /// Milliseconds per megapixel: all time over all pixels, medians of the repeats. Of wall times see
  /// `Analysis.timesAreContended`.
  package var millisecondsPerMegapixel = OrdinalTable<TimedCall, Double>()
  /// The highest peak memory of a point, MiB.
  package var peakMemoryMiB: Double?
  /// Mean score by metric identifier, over the images where it is defined and finite.
  package var meanScores: [String: Double] = [:]

  /// Images that have a point at the quality, whatever became of it.
  package var points: Int { images + failed + unsupported }

  /// Starts a summary without images.
  package init(variant: CodecVariant, quality: Quality) {
    self.variant = variant
    self.quality = quality
  }
}
