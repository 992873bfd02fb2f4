import Analysis
import Model

/// Requirements of a setting.
package struct Wishes: Sendable, Hashable {
  /// Least score of the headline metric; nil for the one that the headline uses.
  package var score: Double?
  /// Share of images that must have that score, 0 to 1.
  package var share = 0.9
  /// Least saving over the run's first variant at equal score, percent; nil for none.
  package var savingPercent: Double?
  /// Largest CPU time of each limited operation, milliseconds per megapixel.
  package var cpu = OperationTable<Double>()
  /// Names of the codecs or variants to choose among; empty for all.
  package var codecs: [String] = []

  func ask(about variant: CodecVariant) -> Bool {
    codecs.isEmpty || codecs.contains(variant.codec) || codecs.contains(variant.name)
  }
}

/// A variant at one of its measured qualities, with its figures over all images.
struct Recommendation: Sendable, Hashable {
  /// Unfulfilled requirement.
  enum Shortfall: Sendable, Hashable {
    /// Too few images have the score.
    case score
    /// The saving at equal score is too small or unknown.
    case saving
    /// An operation takes too long.
    case cpu(TimedOperation)
  }

  /// A measured quality with its number of images with the score.
  struct Bound: Sendable, Hashable {
    var quality: Quality
    var holding: Int
  }

  var variant: CodecVariant
  var quality: Quality
  /// Images measured at this quality: all usable ones, or perhaps fewer in an unfinished run.
  var images: Int
  /// Images with the score.
  var holding: Int
  /// Image with the lowest score, and that score.
  var worst: NamedFigure
  /// Geometric mean over the images.
  var bitsPerPixel: Double
  /// Change in bytes against the reference at the wished score; nil for the reference, and without near points.
  var change: CorpusFigure?
  /// CPU milliseconds over megapixels of each operation timed for every image.
  var cpu = OperationTable<Double>()
  /// Empty if all wishes are fulfilled.
  var shortfalls: [Shortfall] = []
  /// Next lower measured quality, if only the number of images with the score falls short there.
  var tooLow: Bound?
  /// Quality between `tooLow` and this one that suffices by the images' curves, in hundredths; not measured over all
  /// images.
  var interpolated: Double?
}

/// Settings that fulfil wishes, and those that come near.
struct Recommendations: Sendable, Hashable {
  /// Each variant's setting with the fewest bytes, if any; fewest bytes first.
  var fulfilling: [Recommendation] = []
  /// The nearest setting of each other variant, with its shortfalls.
  var others: [Recommendation] = []
  /// Usable images of the run, or those with points in an unfinished one.
  var images = 0
  /// The variant that savings are measured against.
  var reference: CodecVariant?
}
