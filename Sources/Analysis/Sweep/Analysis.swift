import Metrics
package import Model
package import Store

/// Summary of a run's rows by variant; made by `AnalysisBuilder`.
package struct Analysis: Sendable, Hashable {
  package var options: AnalysisOptions
  /// The variants in the order of the run; the first is the reference of all comparisons.
  package var variants: [CodecVariant]
  package var metrics: [MetricTraits]
  package var counts = Counts()
  /// Remarks on the images except on gain maps, which are counted separately.
  package var remarks = RemarkTally()
  package var progress: RunProgress?
  package var verdicts: [Verdict] = []
  /// Plain-text defaults by codec: `preset slow, 4:2:0`.
  package var defaults: [String: String] = [:]
  /// By variant except the reference, then by ascending target.
  package var matchedQualities: [MatchedQuality] = []
  /// By variant including the reference, then by ascending target. Empty for a search, in which every image has its own
  /// quality.
  package var settings: [QualitySetting] = []
  /// By variant except the reference, then by metric; the band before the overlap.
  package var bdRates: [BDRateSummary] = []
  /// One front per target; empty with fewer than two variants.
  package var paretoFronts: [ParetoFront] = []
  package var contrasts: [EqualQualityContrast] = []
  package var times = TimesSummary()
  package var sample: SampleOutlook?
  package var target: TargetFindings?
  /// Comparisons with the bytes of lossy source files, by variant including the reference, then by ascending target.
  /// Empty without such sources, or if they were downscaled first.
  package var fileComparisons: [FileComparison] = []
  /// Sizes after lossless recompression of the lossy source files, by variant that offers it.
  package var fileRecompressions: [FileComparison] = []
  package var importComparisons: [ImportComparison] = []
  package var importedVariants: Set<CodecVariant> = []
  /// True if images were downscaled before encoding, so that files and rasters are different pictures.
  package var sourcesAreShrunk = false
  package var sanity = SanityReport()
  package var qualitySummaries: [QualitySummary] = []
  /// Figures of the images that each of several processors timed, by processor; empty with a single processor, whose
  /// times are in `matchedQualities` and `qualitySummaries`.
  package var matchedByProcessor: [MatchedQuality] = []
  package var qualitiesByProcessor: [QualitySummary] = []
  /// Every pair of variants at every score of the headline metric; none in a search.
  package var comparisons: [PairedComparison] = []
  /// Every pair of variants over `AnalysisOptions.band` of the headline metric; none in a search.
  package var bdRateComparisons: [PairedComparison] = []
  /// By the headline metric: one curve for each variant that shares points with all others.
  package var meanCurves: [MeanCurve] = []
  /// By metric, then by variant, for any run; curves of metrics other than the headline metric cover the detailed
  /// images.
  package var drawnCurves: [MeanCurve] = []
  package var imageDetails: [ImageDetail] = []

  package init(options: AnalysisOptions = .standard, variants: [CodecVariant], metrics: [MetricTraits]) {
    (self.options, self.variants, self.metrics) = (options, variants, metrics)
  }

  /// One variant against another at a score, in either order; nil if no image reaches the score with both.
  package func comparison(
    of variant: CodecVariant, against other: CodecVariant, at score: Double
  ) -> PairedComparison? {
    let found = comparisons.first { pair in
      pair.scores == score...score
        && (pair.variant == variant && pair.against == other
          || pair.variant == other && pair.against == variant)
    }
    return found?.variant == variant ? found : found?.reversed
  }

  /// Adds the times of the rows that one of several processors timed.
  package mutating func add(_ own: Analysis, of processor: String) {
    func named<Figure>(_ figures: [Figure], _ name: WritableKeyPath<Figure, String?>) -> [Figure] {
      figures.map { figure in
        var figure = figure
        figure[keyPath: name] = processor
        return figure
      }
    }
    // A front of bytes and times is valid for a single machine only.
    paretoFronts = []
    matchedByProcessor += named(own.matchedQualities.filter { !$0.cpu.isEmpty }, \.processor)
    qualitiesByProcessor += named(
      own.qualitySummaries.filter { !$0.millisecondsPerMegapixel.isEmpty }, \.processor)
  }

  /// True if a table by quality makes sense; a search measures different qualities for each image.
  package var showsQualities: Bool { target == nil && !qualitySummaries.isEmpty }
  package var isOfOneImage: Bool { settings.allSatisfy { $0.outOf == 1 } && !settings.isEmpty }

  package struct Counts: Sendable, Hashable {
    package var images: Int = 0
    /// Copies of earlier images under other names; no figure includes them.
    package var copies: Int = 0
    /// Images with a source in a lossy format (JPEG, HEIC), which favours its own codec.
    package var lossyImages: Int = 0
    package var gainMapImages: Int = 0
    package var unusableImages = NameList()
    /// Usable images whose shorter side is under `MetricTraits.dependableSide` of the headline metric.
    package var smallImages: Int = 0
    package var pixels: Int = 0
    package var measured: Int = 0
    package var unsupported: Int = 0
    package var failed: Int = 0
    /// The number of measured points whose wall times were measured while other jobs ran.
    package var contended: Int = 0

    mutating func add(_ row: ResultRow) {
      switch row.status {
      case .measured:
        measured += 1
        if row.conditions == .contended { contended += 1 }
      case .unsupported: unsupported += 1
      case .failed: failed += row.variant == nil ? 0 : 1
      }
    }
  }

  package var reference: CodecVariant? { variants.first }
  package var usableImages: Int { counts.images - counts.unusableImages.count }

  package var headline: MetricTraits? { metrics.first { $0.id == options.headlineMetric } }

  package var timesAreContended: Bool { counts.contended > 0 }
}

package struct ImageDetail: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    package var quality: Quality?
    /// Name of an imported file; nil for a codec's point.
    package var file: String?
    package var bytes: Int
    package var score: Double?
  }

  package struct Variant: Sendable, Hashable {
    package var variant: CodecVariant
    package var points: [Point]
    /// Change in bytes against the reference in percent, one for each of `AnalysisOptions.targets`.
    package var changeAtTargets: [Double?]
  }

  package var image: String
  package var width: Int?
  package var height: Int?
  package var isSmall = false
  /// In the order of the run, except variants without a row for this image.
  package var variants: [Variant]
}
