package import Model
package import Store

/// One thing that differs between a baseline and a run, held against its threshold.
package struct GateFinding: Sendable, Hashable {
  /// What is compared.
  package enum Quantity: Sendable, Hashable {
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
    /// The time of an operation.
    case time(TimedOperation)
  }

  /// What the figures alone do not tell.
  package enum Detail: Sendable, Hashable {
    /// The image cannot be used, for this reason.
    case unusable(String)
    /// The point fails now, with its error where there is one.
    case fails(String?)
    /// The codec can no longer do it, with its reason where there is one.
    case unsupported(String?)
    /// The images that are not the baseline's any more.
    case changed(NameList)
    /// Where points vanished: the first image of them, and why.
    case vanished(first: String, Absence)
    /// Scores are missing, or no finite numbers; the first image without one.
    case unscored(first: String)
    /// A threshold is set, and nothing could be held against it: bytes at equal score of this metric, or a score.
    case unguarded(headline: String)
    /// How far the run came.
    case unfinished(RunProgress)
    /// The run has only some shards of the corpus, and not these images of the baseline.
    case shards(MissingShards, NameList)
    /// The intervals of the repeats do not tell the two sides apart.
    case noise
  }

  /// Why points of the baseline are not there.
  package enum Absence: Sendable, Hashable {
    /// The run does not have the variant, but these.
    case variant(run: [CodecVariant])
    /// Images or qualities that the whole run does not have.
    case parts(images: NameList, qualities: [Quality])
  }

  /// What is compared.
  package var quantity: Quantity
  /// The image; nil for a figure over the corpus.
  package var image: String?
  /// The variant; nil for an image that cannot be read.
  package var variant: CodecVariant?
  /// The quality of a point; nil for a figure over several.
  package var quality: Quality?
  /// The name of an imported file, which has no quality; nil for anything else.
  package var file: String?
  /// The baseline's value: bytes, a score, milliseconds or a number of points; nil for a relative figure.
  package var before: Double?
  /// The run's value.
  package var after: Double?
  /// The change: percent for bytes and times, the metric's unit for scores, percentage points for savings and
  /// BD-rates, points for failures. Positive is worse, whatever the quantity.
  package var worsening: Double
  /// The threshold that it was held against, in the same unit; nil where there is none.
  package var threshold: Double?
  /// The metric of a score, or that of figures at equal score.
  package var metric: MetricTraits?
  /// The points or images that a figure over several stands on.
  package var count: Int?
  /// What the figures alone do not tell.
  package var detail: Detail?

  package init(
    quantity: Quantity, image: String? = nil, variant: CodecVariant? = nil, quality: Quality? = nil,
    file: String? = nil, before: Double? = nil, after: Double? = nil, worsening: Double,
    threshold: Double? = nil,
    metric: MetricTraits? = nil, count: Int? = nil, detail: Detail? = nil
  ) {
    self.quantity = quantity
    self.image = image
    self.variant = variant
    self.quality = quality
    self.file = file
    self.before = before
    self.after = after
    self.worsening = worsening
    self.threshold = threshold
    self.metric = metric
    self.count = count
    self.detail = detail
  }

  /// The point or figure by name: `kodim01.png · heic · q 0.5`.
  package var place: String {
    [image, variant?.name, quality.map { "q \($0)" }, file].compactMap(\.self).joined(separator: " · ")
  }
}

extension GateFinding {
  /// Whether it is about bytes or a score of one point, of which a report names only the worst.
  package var isPoint: Bool {
    switch quantity {
    case .pointBytes, .score: true
    default: false
    }
  }

  /// Whether it is a figure that two sides have, and not the lack of one.
  package var isFigure: Bool {
    switch quantity {
    case .pointBytes, .score, .totalBytes, .saving, .bdRate, .time: true
    case .failure, .vanished, .changed, .missing, .uncompared, .unfinished: false
    }
  }
}
