package import Model

/// One thing that differs between a baseline and a run, held against its threshold.
package struct GateFinding: Sendable, Hashable, Codable {
  /// What is compared.
  package enum Quantity: Sendable, Hashable, Codable {
    /// Bytes of a point at equal settings.
    case pointBytes
    /// A score of a point at equal settings, by metric identifier.
    case score(String)
    /// Bytes at equal settings in total: of a variant, or of one image and variant.
    case totalBytes
    /// Bytes at equal score: at this target.
    case saving(Double)
    /// BD-rate against the baseline's own curve.
    case bdRate
    /// Points that fail now.
    case failure
    /// Points of the baseline that are no longer there.
    case vanished
    /// Images that are not those of the baseline under the same name.
    case changed
    /// Scores that the run lacks, by metric identifier, or a threshold's figures that nothing gave.
    case missing(String)
    /// No point at all was there to compare.
    case uncompared
    /// The run was not finished.
    case unfinished
    /// Encode time.
    case encodeTime
    /// Decode time.
    case decodeTime

    /// The quantity in one word, for machines: `point_bytes`, `score:ssimulacra2`, `saving:70`.
    package var name: String {
      switch self {
      case .pointBytes: "point_bytes"
      case .score(let metric): "score:\(metric)"
      case .totalBytes: "total_bytes"
      case .saving(let target): "saving:\(brief(target))"
      case .bdRate: "bd_rate"
      case .failure: "failure"
      case .vanished: "vanished"
      case .changed: "changed"
      case .missing(let metric): "missing:\(metric)"
      case .uncompared: "uncompared"
      case .unfinished: "unfinished"
      case .encodeTime: "encode_time"
      case .decodeTime: "decode_time"
      }
    }
  }

  /// What is compared.
  package var quantity: Quantity
  /// The image; nil for a figure over the corpus.
  package var image: String?
  /// The variant; nil for an image that cannot be read.
  package var variant: CodecVariant?
  /// The quality of a point; nil for a figure over several.
  package var quality: Quality?
  /// The baseline's value: bytes, a score, milliseconds or a number of points; nil for a relative figure.
  package var before: Double?
  /// The run's value.
  package var after: Double?
  /// The change: percent for bytes and times, the metric's unit for scores, percentage points for savings and
  /// BD-rates, points for failures. Positive is worse, whatever the quantity.
  package var worsening: Double
  /// The threshold that it was held against, in the same unit; nil where there is none.
  package var threshold: Double?
  /// What happened, as a sentence without the place.
  package var sentence: String
  /// The unit of a score, empty for a bare number; nil for any other quantity.
  package var scoreUnit: String?

  /// States a finding.
  package init(
    quantity: Quantity, image: String? = nil, variant: CodecVariant? = nil, quality: Quality? = nil,
    before: Double? = nil, after: Double? = nil, worsening: Double, threshold: Double? = nil,
    scoreUnit: String? = nil, sentence: String
  ) {
    self.quantity = quantity
    self.image = image
    self.variant = variant
    self.quality = quality
    self.before = before
    self.after = after
    self.worsening = worsening
    self.threshold = threshold
    self.scoreUnit = scoreUnit
    self.sentence = sentence
  }

  /// The point or figure by name: `kodim01.png · heic · q 0.5`.
  package var place: String {
    [image, variant?.name, quality.map { "q \($0)" }].compactMap(\.self).joined(separator: " · ")
  }
}
