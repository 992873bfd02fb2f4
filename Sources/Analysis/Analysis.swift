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
  /// Remarks on the images, but for gain maps, which are counted by themselves.
  package var remarks = RemarkTally()
  package var progress: RunProgress?
  package var verdicts: [Verdict] = []
  /// Plain-text defaults by codec: `preset slow, 4:2:0`.
  package var defaults: [String: String] = [:]
  /// By variant without the reference, then by ascending target.
  package var matchedQualities: [MatchedQuality] = []
  /// By variant with the reference, then by ascending target. Empty for a search: every image has its own.
  package var settings: [QualitySetting] = []
  /// By variant without the reference, then by metric; the band before the overlap.
  package var bdRates: [BDRateSummary] = []
  /// One front per target; empty with fewer than two variants.
  package var paretoFronts: [ParetoFront] = []
  package var contrasts: [EqualQualityContrast] = []
  package var times = TimesSummary()
  package var sample: SampleOutlook?
  package var target: TargetFindings?
  /// Comparisons with the bytes of lossy source files, by variant with the reference, then by ascending target. Empty
  /// without such sources, and where they were shrunk first.
  package var fileComparisons: [FileComparison] = []
  /// Sizes after lossless packing of the lossy source files, by variant that offers it.
  package var fileRecompressions: [FileComparison] = []
  package var importComparisons: [ImportComparison] = []
  package var importedVariants: Set<CodecVariant> = []
  /// True if images were shrunk before encoding, so that files and rasters are different pictures.
  package var sourcesAreShrunk = false
  package var sanity = SanityReport()
  package var qualitySummaries: [QualitySummary] = []
  /// Figures of the images that each of several unlike processors has timed, by processor, for their times; empty if
  /// there is one, whose times are in `matchedQualities` and `qualitySummaries`.
  package var matchedByProcessor: [MatchedQuality] = []
  package var qualitiesByProcessor: [QualitySummary] = []
  /// Every two variants at every score of the headline metric; none in a search.
  package var comparisons: [PairedComparison] = []
  /// By the headline metric: one curve for each variant that shares points with all others.
  package var meanCurves: [MeanCurve] = []
  /// By metric, then by variant, whatever the run; those of further metrics stand on the detailed images.
  package var drawnCurves: [MeanCurve] = []
  package var imageDetails: [ImageDetail] = []

  package init(options: AnalysisOptions = .standard, variants: [CodecVariant], metrics: [MetricTraits]) {
    (self.options, self.variants, self.metrics) = (options, variants, metrics)
  }

  /// One variant against another at a score, whichever comes first in the run; nil if they share no image there.
  package func comparison(
    of variant: CodecVariant, against other: CodecVariant, at score: Double
  ) -> PairedComparison? {
    let found = comparisons.first { pair in
      pair.score == score
        && (pair.variant == variant && pair.against == other
          || pair.variant == other && pair.against == variant)
    }
    return found?.variant == variant ? found : found?.reversed
  }

  /// Takes the times of the rows that one of several processors has timed.
  package mutating func add(_ own: Analysis, of processor: String) {
    func named<Figure>(_ figures: [Figure], _ name: WritableKeyPath<Figure, String?>) -> [Figure] {
      figures.map { figure in
        var figure = figure
        figure[keyPath: name] = processor
        return figure
      }
    }
    // Fronts of bytes and times are of one machine.
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
    /// Images whose content an earlier one has under another name; they are in no figure.
    package var copies: Int = 0
    /// Images with a source in a lossy format (JPEG, HEIC), which favours its own codec.
    package var lossyImages: Int = 0
    package var gainMapImages: Int = 0
    package var unusableImages: Int = 0
    /// Usable images whose shorter side is under `MetricTraits.dependableSide` of the headline metric.
    package var smallImages: Int = 0
    package var pixels: Int = 0
    package var measured: Int = 0
    package var unsupported: Int = 0
    package var failed: Int = 0
    /// Measured points whose wall times were taken beside other jobs.
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
  package var usableImages: Int { counts.images - counts.unusableImages }

  package var headline: MetricTraits? { metrics.first { $0.id == options.headlineMetric } }

  package var timesAreContended: Bool { counts.contended > 0 }
}

package enum AnalysisError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An image's rows are not contiguous; they must be in plan order or sorted by image.
  case scatteredImage(String)

  package var description: String {
    switch self {
    case .scatteredImage(let image):
      "the rows of “\(image)” do not stand together: sort the rows by image"
    }
  }
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
  /// In the order of the run, without those that lack any row of this image.
  package var variants: [Variant]
}

/// Options of an analysis; the defaults are those of the report.
package struct AnalysisOptions: Sendable, Hashable, Codable {
  /// Identifier of the deciding metric; targets and band are its scores.
  package var headlineMetric = MetricTraits.headline.id
  /// Scores at which variants are compared, ascending.
  package var targets = [50.0, 70, 80, 90]
  /// Scores in practical use, the range of the verdict's BD-rate.
  package var band = 50.0...90
  /// Target of the verdict; the nearest one with a figure is used instead if it has none.
  package var verdictTarget = 70.0
  /// Goal of a search; nil for a sweep. A search's points lie close to its target and say nothing elsewhere, so it has
  /// no BD-rates and no figures at equal quality numbers.
  package var target: QualityTarget?
  /// Images of the folder that those of the run were drawn from; nil if the run is of all.
  package var population: Int?
  /// True if ratios of times have intervals.
  package var givesTimeIntervals = false
  package var resamples = 2000
  package var seed: UInt64 = 2026
  /// Most images with points and figures in `Analysis.imageDetails`.
  package var detailedImages = 500

  package static let standard = AnalysisOptions()

  var takesBDRates: Bool { target == nil && band.lowerBound < band.upperBound }
}
