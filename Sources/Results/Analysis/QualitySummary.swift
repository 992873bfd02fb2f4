public import BenchModel

/// One variant at one quality over all images that it measured there. Failed points are in no sum.
public struct QualitySummary: Sendable, Hashable, Codable {
  /// The variant.
  public var variant: CodecVariant
  /// The quality.
  public var quality: Quality
  /// The images measured.
  public var images: Int = 0
  /// Points that failed.
  public var failed: Int = 0
  /// Points that the codec cannot do.
  public var unsupported: Int = 0
  /// Bytes in total.
  public var totalBytes: Int = 0
  /// Pixels in total, of the images whose size is known.
  public var totalPixels: Int = 0
  /// Bits of all images over pixels of all images, those of unknown size left out. Not the mean of the images'
  /// own figures, which a single icon of a few pixels would decide.
  public var meanBitsPerPixel: Double?
  /// Raw bytes of all images over encoded bytes of all images.
  public var compressionRatio: Double?
  /// Size in percent of the reference's at the same quality number, over the images that have both:
  /// 140 stands for 40 % larger. Not a comparison at equal quality.
  public var percentOfReference: Double?
  /// CPU milliseconds of the encode per megapixel: all time over all pixels, medians of the repeats.
  public var encodeCPUMillisecondsPerMegapixel: Double?
  /// CPU milliseconds of the decode per megapixel.
  public var decodeCPUMillisecondsPerMegapixel: Double?
  /// Wall milliseconds of the encode per megapixel; see `Analysis.timesAreContended`.
  public var encodeWallMillisecondsPerMegapixel: Double?
  /// Wall milliseconds of the decode per megapixel.
  public var decodeWallMillisecondsPerMegapixel: Double?
  /// The highest peak memory of a point, MiB.
  public var peakMemoryMiB: Double?
  /// Mean score by metric identifier, over the images where it is defined and finite.
  public var meanScores: [String: Double] = [:]

  /// Starts a summary without images.
  public init(variant: CodecVariant, quality: Quality) {
    self.variant = variant
    self.quality = quality
  }
}
