import Analysis
import CodecKit
import Codecs
import Metrics
import Model
package import Pixels
import Reports
import Store
import Workers

/// A sweep: every image with every codec at every quality. The defaults are those of `heicbench`.
public struct SweepRequest: Request {
  /// The points to time again, with no other work of heicbench running.
  public enum Timing: Sendable, Hashable {
    /// None; CPU times come from the sweep itself.
    case none
    /// All points that the reports show, including refined ones and those of earlier runs.
    case all
    /// Points at these of the sweep's qualities.
    case qualities([Quality])
  }

  package enum Order: String, Sendable, Hashable, CaseIterable {
    /// All images at the few qualities that the headline needs, then all images at the others: an early answer that
    /// gets more precise. Images are opened twice if that takes almost no time.
    case coarseFirst = "coarse"
    /// Image by image, each opened once.
    case byImage = "image"
  }

  package enum Chroma: String, Sendable, Hashable, CaseIterable {
    /// As the variants set it, which for most codecs is halved.
    case given
    /// Each variant that halves it also with full chroma, if its codec supports that.
    case both
  }

  package enum Depth: String, Sendable, Hashable, CaseIterable {
    /// As the variants set it, which is 8 bits for most codecs.
    case given
    /// Each variant that does not set a depth also with 10 bits, or with the next depth of its codec.
    case both
  }

  /// The images to measure.
  public var images: ImageSource
  /// Number of images to draw as a sample of all, evenly over formats, cameras and sizes; nil measures all.
  public var sample: Int?
  /// Seed of the sample: the same images, number and seed give the same sample.
  public var seed: UInt64 = 1
  /// Codecs with their settings; the others are compared with the first. Empty for JPEG and HEIC, or in an HDR run for
  /// AVIF and HEIC with 10 bits or their next depth.
  public var codecs: [CodecVariant] = []
  /// The chroma of the variants that do not set it.
  package var chroma = Chroma.given
  /// The bits of the variants that do not set them.
  package var depth = Depth.given
  /// Other builds of the libraries, which codecs refer to as in `heic@new`.
  public var builds: [LibraryBuild] = []
  /// True if a build's files are scored through its own decoder instead of the system's.
  package var scoresThroughBuilds = false
  /// Qualities in any order; 0.1 to 1.0 in steps of 0.1 by default.
  public var qualities: [Quality] = (1...10).compactMap { Quality(thousandths: $0 * 100) }
  /// A target to search for instead of sweeping qualities, for every image and codec: the lowest quality that reaches a
  /// score, such as `ssimulacra2=80`, or the highest that fits a size, such as `bytes=200kB`; nil sweeps.
  public var target: String?
  /// True to measure points between the qualities if a quoted figure needs them.
  public var refines = true
  /// The light of samples in an HDR run; nil for an SDR run, or for HDR if all images state it.
  package var light: HDRViewing?
  /// Identifiers of the metrics; by default the usual ones, or the HDR metrics in an HDR run.
  public var metrics: [String] = MetricTraits.usual.map(\.id)
  /// The user's own metrics.
  public var metricCommands: [MetricCommand] = []
  /// The colour under transparent pixels if a codec does not keep alpha: red, green and blue.
  public var background: [UInt8] = [255, 255, 255]
  /// The factor by which images are first reduced in each direction, in linear light, 1 to 64.
  public var downscale = 1
  /// Number of timings of each encode and decode.
  public var repeats = 1
  /// The points to time again.
  public var timing = Timing.none
  /// The order of measuring, which does not change the results.
  package var order = Order.coarseFirst
  /// Seconds after which the run stops on its own and reports what it has; nil for no limit.
  public var budget: Double?
  /// The metric and scores at which variants are compared.
  public var judgement = Judgement()
  /// Settings of the worker processes.
  public var workers = WorkerSettings()
  /// The results folder. Points that it already has are not measured again.
  public var output: String
  /// The earlier results in the folder to keep.
  public var reuse = Reuse.all
  /// A folder in which to keep every encoded file; nil keeps none.
  public var keptFiles: String?
  /// The contents of the page besides plots and tables.
  public var page = PageSettings()
  /// A gate for the outcome. Problems with its baseline and thresholds are reported before anything is measured.
  /// ``GateRequest/run(on:)-(SweepOutcome)`` compares.
  public var gate: GateRequest?
  /// The command line recorded for this run: a program's name and its arguments.
  package var command: [String] = []
  /// Columns of the terminal that shows the answer.
  package var width = Int.max

  /// Creates a sweep over images, with the results in a folder.
  public init(images: ImageSource, output: String = "results") {
    (self.images, self.output) = (images, output)
  }

  /// Measures what is missing and writes the results.
  public func run(
    cancellation: Cancellation, events: @escaping @Sendable (SweepEvent) -> Void = { _ in }
  ) throws -> SweepOutcome {
    defer { cancellation.release() }
    return try HeicBenchError.mapping {
      try SweepRun(self, cancellation: cancellation, events: events).run()
    }
  }
}

extension SweepRequest {
  /// The target of a search: a score of any available metric, or a size; nil for a sweep.
  func searchedTarget() throws -> QualityTarget? {
    let known = MetricTraits.standard + MetricTraits.hdr
    let own = try metricTraits().filter { !known.contains($0) }
    return try target.map { try QualityTarget(parsing: $0, metrics: known + own) }
  }

  /// Traits of the requested metrics and of the target's, in the order of the columns.
  func metricTraits(_ target: QualityTarget? = nil) throws(MetricError) -> [MetricTraits] {
    let metrics = try MetricSuite(metrics).traits + metricCommands.map(\.traits)
    guard let wanted = target?.metric, !metrics.contains(where: { $0.id == wanted.id }) else {
      return metrics
    }
    return metrics + [wanted]
  }

  /// The sweep's qualities to time; nil for all, including refined points.
  func timedQualities() throws -> [Quality]? {
    guard case .qualities(let wanted) = timing else { return nil }
    let sweep = QualityList(qualities)
    let timed = sweep.qualities.filter(wanted.contains)
    guard !timed.isEmpty else {
      throw HeicBenchError(
        .usage,
        "--time-qualities \(QualityList(wanted)) contains none of the sweep’s qualities, which are \(sweep)")
    }
    return timed
  }

  func check() throws(HeicBenchError) {
    try HeicBenchError.require(!qualities.isEmpty || target != nil, "give at least one quality")
    try HeicBenchError.require(
      target == nil || timing == .none, "encodes are timed in a sweep over qualities, not in a search")
    try Limits.downscale.check(downscale)
    try Limits.repeats.check(repeats)
    try HeicBenchError.require(background.count == 3, "a background needs red, green and blue")
    try Limits.budget.check(budget)
    try Limits.sample.check(sample)
    try HeicBenchError.require(
      sample == nil || images.limit == nil, "--sample and --limit both choose images: leave one out")
    try HeicBenchError.requireFolder(output)
  }

  private var comparedCodecs: [CodecVariant] {
    codecs.isEmpty ? ["jpeg", "heic"].map { CodecVariant(codec: $0) } : codecs
  }

  /// The variants that `chroma` and `depth` add. Codecs may refuse some of them.
  var addedCodecs: [CodecVariant] {
    let whole = chroma == .both ? comparedCodecs.compactMap(\.withFullChroma) : []
    return whole + (depth == .both ? (comparedCodecs + whole).compactMap(HDRCodecs.withMoreBits) : [])
  }

  /// The plan over images. Points between the qualities serve the headline metric.
  func plan(
    _ entries: [CorpusEntry], _ builds: TriedBuilds, _ analysis: AnalysisOptions, target: QualityTarget?
  ) throws -> SweepPlan {
    let metrics = try metricTraits(target)
    let headline = target == nil ? metrics.first { $0.id == analysis.headlineMetric } : nil
    let refinement = headline.map { metric in
      (Refinement(metric: metric.id, targets: analysis.targets, band: analysis.band), metric)
    }
    let builder = PlanBuilder(registry: .standard, builds: builds, scoresThroughBuild: scoresThroughBuilds)
    var variants = try builder.describe(comparedCodecs, isHDR: light != nil)
    for added in addedCodecs.compactMap({ try? CodecVariant($0.name) }) {
      let described = (try? builder.describe([added], isHDR: light != nil)) ?? []
      variants += described.filter { !variants.map(\.variant).contains($0.variant) }
    }
    if light != nil { try builder.requireDepth(of: variants) }
    return builder.plan(
      entries: entries, variants: variants,
      qualities: QualityList(target == nil ? qualities : []), refinement: refines ? refinement : nil,
      target: target, headline: order == .coarseFirst ? headline.map { ($0, analysis.scoresInTurn) } : nil,
      metrics: metrics.map(\.id), repeats: repeats, background: background, downscale: downscale,
      light: light, shard: images.shard)
  }

  func manifest(
    of plan: SweepPlan, _ configuration: RunnerConfiguration, roots: [String], _ listing: CorpusListing
  ) throws -> RunManifest {
    var manifest = RunManifest(
      version: HeicBench.version, started: Timestamp.now, command: command, roots: roots,
      machine: CurrentMachine.describe(), variants: plan.variants, qualities: plan.qualities,
      refinement: plan.refinement?.goal, target: plan.target?.target.description,
      preparation: plan.preparation, metrics: try metricTraits(plan.target?.target),
      jobs: configuration.jobs, repeats: plan.repeats, passedOver: listing.passedOver.countsByName,
      shard: images.shard?.description)
    manifest.title = page.title
    if !configuration.builds.isEmpty { manifest.builds = configuration.builds }
    manifest.passedOverNames = listing.passedOver.namesByName
    if !listing.passedOver.unread.isEmpty { manifest.unread = listing.passedOver.unread }
    manifest.sample = listing.sample
    let programs = metricCommands.map { ($0.name, ProgramFile.digest(of: $0.words)) }
    if !programs.isEmpty { manifest.metricPrograms = Dictionary(programs, uniquingKeysWith: { $1 }) }
    let codecs = Set(plan.variants.map(\.variant.codec)).compactMap {
      CodecRegistry.standard.codec($0)?.traits
    }
    manifest.defaults = Dictionary(
      codecs.filter { !$0.defaults.isEmpty }.map { ($0.id, $0.defaults) },
      uniquingKeysWith: { first, _ in first })
    return manifest
  }
}
