import Analysis
import Reports

/// The bytes that a codec saves over another one at equal quality.
public struct Saving: Sendable, Hashable {
  /// The codec with its settings.
  public let codec: String
  /// The codec to compare it with.
  public let reference: String
  /// The score at which both are compared; nil if the run has no answer.
  public let score: Double?
  /// Mean change in bytes over the images, percent, negative if `codec` takes fewer; nil if the run has no answer.
  public let bytesPercent: Double?
  /// The 95 % interval of that mean; nil if there are too few images for one.
  public let interval: ClosedRange<Double>?
  /// Number of images in the mean; nil if the run has no answer.
  public let images: Int?
  /// Number of images in the run; nil if the run has no answer.
  public let outOf: Int?
  /// The answer as a sentence.
  public let sentence: String
  /// The codec's display name, next to the other's.
  package let title: String

  init(_ verdict: Verdict, _ wording: Wording) {
    codec = verdict.variant.name
    reference = verdict.reference.name
    score = verdict.target
    bytesPercent = verdict.bytes?.mean
    interval = (verdict.bytes?.interval).map { $0.lower...$0.upper }
    images = verdict.bytes?.images
    outOf = verdict.bytes?.outOf
    sentence = wording.sentence(verdict)
    title = verdict.variant.title(beside: verdict.reference)
  }
}
