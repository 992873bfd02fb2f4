public import BenchModel

/// Everything that a run's rows say about its variants. Made by `AnalysisBuilder`.
public struct Analysis: Sendable, Hashable, Codable {
  /// What was asked for.
  public var options: AnalysisOptions
  /// The variants in the order of the run; the first is the reference of all comparisons.
  public var variants: [CodecVariant]
  /// The metrics, in the order of the run.
  public var metrics: [MetricTraits]
  /// What the rows were, in numbers.
  public var counts: Counts
  /// How far the run came; nil where that is not known, as for rows of a file.
  public var progress: RunProgress?
  /// One answer for each variant but the reference.
  public var verdicts: [Verdict]
  /// What readers have to know before they believe the figures, a sentence each; empty when all is well.
  public var warnings: [String]
  /// Variants but the reference, and for each the targets in ascending order.
  public var matchedQualities: [MatchedQuality]
  /// Variants but the reference, for each the metrics, and for each the band and then the overlap.
  public var bdRates: [BDRateSummary]
  /// One front for each target; empty under two variants.
  public var paretoFronts: [ParetoFront]
  /// One contrast for each variant but the reference that shares points with it.
  public var contrasts: [EqualQualityContrast]
  /// Where the times come from, and what speaks against them.
  public var times = TimesSummary()
  /// What a search found; nil for a sweep.
  public var target: TargetFindings?
  /// Variants, the reference among them, and for each the targets in ascending order: against the bytes of the
  /// lossy source files. Empty without such sources, and where they were shrunk first.
  public var fileComparisons: [FileComparison] = []
  /// Whether images were shrunk before they were encoded, so that files and rasters are different pictures.
  public var sourcesAreShrunk = false
  /// What the sweep's figures say against it.
  public var sanity: SanityReport
  /// Variants, and for each its qualities in ascending order.
  public var qualitySummaries: [QualitySummary]
  /// One curve for each variant that has points in common with all others.
  public var meanCurves: [MeanCurve]
  /// The first images, up to `AnalysisOptions.detailedImages`.
  public var imageDetails: [ImageDetail]

  /// Starts an analysis that says nothing yet.
  public init(options: AnalysisOptions = .init(), variants: [CodecVariant], metrics: [MetricTraits]) {
    self.options = options
    self.variants = variants
    self.metrics = metrics
    counts = Counts()
    (verdicts, warnings, matchedQualities, bdRates) = ([], [], [], [])
    (paretoFronts, contrasts, sanity) = ([], [], SanityReport())
    (qualitySummaries, meanCurves, imageDetails) = ([], [], [])
  }

  /// What the rows were, in numbers.
  public struct Counts: Sendable, Hashable, Codable {
    /// Images with at least one row.
    public var images: Int = 0
    /// Images whose source had lost something already (JPEG, HEIC), which favours its own codec.
    public var lossyImages: Int = 0
    /// Images that could not be read at all.
    public var unusableImages: Int = 0
    /// Usable images whose shorter side is under `MetricTraits.dependableSide` of the headline metric.
    public var smallImages: Int = 0
    /// Pixels of all usable images.
    public var pixels: Int = 0
    /// Points measured.
    public var measured: Int = 0
    /// Points that the codec cannot do.
    public var unsupported: Int = 0
    /// Points that failed.
    public var failed: Int = 0
    /// Measured points whose wall times were taken beside other jobs.
    public var contended: Int = 0

    /// Starts at zero.
    public init() {}
  }

  /// The variant that all others are compared with.
  public var reference: CodecVariant? { variants.first }

  /// The headline metric's traits; nil where the run does not have it.
  public var headline: MetricTraits? { metrics.first { $0.id == options.headlineMetric } }

  /// Whether wall times were taken beside other jobs, so that they say nothing about one encode alone.
  public var timesAreContended: Bool { counts.contended > 0 }
}
