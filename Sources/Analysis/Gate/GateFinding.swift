package import Model
package import Store

/// A difference between a baseline and a run, compared with its threshold.
package struct GateFinding: Sendable, Hashable {
  package enum Quantity: Sendable, Hashable {
    /// Bytes of a point at equal settings.
    case pointBytes
    /// Score of a point at equal settings, by metric identifier.
    case score(String)
    /// Total bytes at equal settings: of a variant, or of one image and variant.
    case totalBytes
    /// Bytes at equal score: at this target.
    case saving(Double)
    /// BD-rate against the baseline's own curve.
    case bdRate
    case failure
    /// Baseline points missing from the run.
    case vanished
    /// Images that differ from the baseline's under the same name.
    case changed
    /// Scores missing from the run, by metric identifier, or a threshold without figures.
    case missing(String)
    case uncompared
    case unfinished
    case time(TimedOperation)
  }

  /// Context beyond the figures.
  package enum Detail: Sendable, Hashable {
    case unusable(String)
    /// The point fails now, with its error if there is one.
    case fails(String?)
    /// No longer supported by the codec, with its reason if there is one.
    case unsupported(String?)
    case changed(NameList)
    /// Vanished points: their first image, and the kind of absence.
    case vanished(first: String, Absence)
    /// Missing or non-finite scores, with the first such image.
    case unscored(first: String)
    /// A threshold without figures: bytes at equal score of this metric, or a score.
    case unguarded(headline: String)
    case unfinished(RunProgress)
    /// The run has only some shards of the corpus, without these images of the baseline.
    case shards(MissingShards, NameList)
    /// The intervals of the repeats do not tell the two sides apart.
    case noise
  }

  /// Kind of absence of baseline points.
  package enum Absence: Sendable, Hashable {
    /// The run lacks the variant, and has these.
    case variant(run: [CodecVariant])
    /// Images or qualities missing from the whole run.
    case parts(images: NameList, qualities: [Quality])
  }

  package var quantity: Quantity
  /// Nil for a figure over the corpus.
  package var image: String?
  /// Nil for an unreadable image.
  package var variant: CodecVariant?
  /// Nil for a figure over several qualities.
  package var quality: Quality?
  /// Name of an imported file, which has no quality; nil otherwise.
  package var file: String?
  /// The baseline's value: bytes, a score, milliseconds or a number of points; nil for a relative figure.
  package var before: Double?
  package var after: Double?
  /// Change in percent for bytes and times, the metric's unit for scores, percentage points for savings and BD-rates,
  /// points for failures. Positive is worse for every quantity.
  package var worsening: Double
  /// In the unit of `worsening`; nil without a threshold.
  package var threshold: Double?
  /// Metric of a score, or of figures at equal score.
  package var metric: MetricTraits?
  /// Points or images behind a figure over several.
  package var count: Int?
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

  /// Name of the point or figure: `kodim01.png · heic · q 0.5`.
  package var place: String {
    [image, variant?.name, quality.map { "q \($0)" }, file].compactMap(\.self).joined(separator: " · ")
  }
}

extension GateFinding {
  /// True for bytes or a score of one point, of which a report names only the worst.
  package var isPoint: Bool {
    switch quantity {
    case .pointBytes, .score: true
    default: false
    }
  }

  /// True for a figure of both sides, false for a missing one.
  package var isFigure: Bool {
    switch quantity {
    case .pointBytes, .score, .totalBytes, .saving, .bdRate, .time: true
    case .failure, .vanished, .changed, .missing, .uncompared, .unfinished: false
    }
  }
}
