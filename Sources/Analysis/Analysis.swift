package import Model
package import Store

/// Everything that a run's rows say about its variants. Made by `AnalysisBuilder`.
package struct Analysis: Sendable, Hashable {
  /// What was asked for.
  package var options: AnalysisOptions
  /// The variants in the order of the run; the first is the reference of all comparisons.
  package var variants: [CodecVariant]
  /// The metrics, in the order of the run.
  package var metrics: [MetricTraits]
  /// What the rows were, in numbers.
  package var counts: Counts
  /// How far the run came; nil where that is not known, as for rows of a file.
  package var progress: RunProgress?
  /// One answer for each variant but the reference.
  package var verdicts: [Verdict]
  /// What the defaults of codecs come to, by codec: `preset slow, 4:2:0`.
  package var defaults: [String: String] = [:]
  /// Variants but the reference, and for each the targets in ascending order.
  package var matchedQualities: [MatchedQuality]
  /// Variants, the reference among them, and for each the targets in ascending order: which quality to set. Empty
  /// for a search, which finds every image's own.
  package var settings: [QualitySetting] = []
  /// Variants but the reference, for each the metrics, and for each the band and then the overlap.
  package var bdRates: [BDRateSummary]
  /// One front for each target; empty under two variants.
  package var paretoFronts: [ParetoFront]
  /// One contrast for each variant but the reference that shares points with it.
  package var contrasts: [EqualQualityContrast]
  /// Where the times come from, and what speaks against them.
  package var times = TimesSummary()
  /// What a search found; nil for a sweep.
  package var target: TargetFindings?
  /// Variants, the reference among them, and for each the targets in ascending order: against the bytes of the
  /// lossy source files. Empty without such sources, and where they were shrunk first.
  package var fileComparisons: [FileComparison] = []
  /// What packing the lossy source files without loss takes, for each variant that does.
  package var fileRecompressions: [FileRecompression] = []
  /// Series of imported files, and for each the variants that they are compared with; empty without such.
  package var importComparisons: [ImportComparison] = []
  /// The variants that stand for imported files.
  package var importedVariants: Set<CodecVariant> = []
  /// Whether images were shrunk before they were encoded, so that files and rasters are different pictures.
  package var sourcesAreShrunk = false
  /// What the sweep's figures say against it.
  package var sanity: SanityReport
  /// Variants, and for each its qualities in ascending order.
  package var qualitySummaries: [QualitySummary]
  /// One curve for each variant that has points in common with all others.
  package var meanCurves: [MeanCurve]
  /// The first images, up to `AnalysisOptions.detailedImages`.
  package var imageDetails: [ImageDetail]

  /// Starts an analysis that says nothing yet.
  package init(options: AnalysisOptions = .init(), variants: [CodecVariant], metrics: [MetricTraits]) {
    self.options = options
    self.variants = variants
    self.metrics = metrics
    counts = Counts()
    (verdicts, matchedQualities, bdRates) = ([], [], [])
    (paretoFronts, contrasts, sanity) = ([], [], SanityReport())
    (qualitySummaries, meanCurves, imageDetails) = ([], [], [])
  }

  /// Whether a table by quality says something: the points of a search are at other qualities for each image.
  package var showsQualities: Bool { target == nil && !qualitySummaries.isEmpty }
  /// Whether settings are those of a single image.
  package var isOfOneImage: Bool { settings.allSatisfy { $0.outOf == 1 } && !settings.isEmpty }

  /// What the rows were, in numbers.
  package struct Counts: Sendable, Hashable {
    /// Images with at least one row.
    package var images: Int = 0
    /// Images whose source had lost something already (JPEG, HEIC), which favours its own codec.
    package var lossyImages: Int = 0
    /// Images whose gain map was left out.
    package var gainMapImages: Int = 0
    /// Images that could not be read at all.
    package var unusableImages: Int = 0
    /// Usable images whose shorter side is under `MetricTraits.dependableSide` of the headline metric.
    package var smallImages: Int = 0
    /// Pixels of all usable images.
    package var pixels: Int = 0
    /// Points measured.
    package var measured: Int = 0
    /// Points that the codec cannot do.
    package var unsupported: Int = 0
    /// Points that failed.
    package var failed: Int = 0
    /// Measured points whose wall times were taken beside other jobs.
    package var contended: Int = 0

    /// Starts at zero.
    package init() {}
  }

  /// The variant that all others are compared with.
  package var reference: CodecVariant? { variants.first }

  /// The headline metric's traits; nil where the run does not have it.
  package var headline: MetricTraits? { metrics.first { $0.id == options.headlineMetric } }

  /// Whether wall times were taken beside other jobs, so that they say nothing about one encode alone.
  package var timesAreContended: Bool { counts.contended > 0 }
}
