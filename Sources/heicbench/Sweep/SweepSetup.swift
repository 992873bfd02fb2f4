import Analysis
import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Sweep
import Workers

/// What a sweep is going to do, found out before anything is measured.
struct SweepSetup {
  let store: ResultStore
  /// The results folder, as far as it is written by this program.
  let files: OwnedFolder
  let plan: SweepPlan
  let configuration: RunnerConfiguration
  let manifest: RunManifest
  /// The encoded files that the page's pictures are made from; nil where they are not kept.
  let encoded: EncodedFiles?
  /// The encoded files that the user wants; nil where nobody asked.
  let kept: KeptFiles?
  /// What to search for; nil for a sweep over qualities.
  let target: QualityTarget?
  /// What the analysis is asked for.
  let analysis: AnalysisOptions

  /// Reads the corpus, opens the results folder and makes the plan.
  init(_ options: SweepOptions, target: QualityTarget?, progress: ProgressReporter) throws {
    let sources = try options.corpus.sources()
    let files = try CorpusReader.find(sources)
    guard files.count > 0 else { throw Self.nothingFound(files.passedOver) }
    // Before anything is made in a folder that is somebody else's.
    try Self.refuseObstacles(in: options.output.output)
    store = try ResultStore(folder: options.output.output, options: options.output.storeOptions)
    self.files = try ResultsFolder.open(store.folder)
    try ResultsFolder.refuseObstacles(in: self.files)
    let reader = CorpusReader(registry: .standard, limits: options.corpus.limits, cache: store)
    let listing = reader.read(files, limit: options.corpus.limit) {
      progress.showReading($0, of: files.count)
    }
    progress.close()
    guard !listing.entries.isEmpty else { throw Self.nothingFound(listing.passedOver) }
    if !options.output.quiet, !listing.passedOver.counts.isEmpty {
      StandardError.notice("passed over " + Self.phrase(listing.passedOver))
      if options.output.verbose { Self.list(listing.passedOver) }
    }
    self.target = target
    analysis = try options.analysisOptions(target)
    plan = try Self.plan(listing.entries, options, target: target)
    var configuration = options.runner.configuration(options.corpus, options.coding)
    kept = try configuration.keepFolder.map { [store, plan] in
      try KeptFiles(folder: $0, store: store, plan: plan)
    }
    encoded = try Self.encodedFiles(plan, options, in: self.files)
    configuration.keepFolder = kept?.scratch ?? encoded?.folder
    self.configuration = configuration
    manifest = try Self.manifest(
      plan, target, configuration, sources, listing, options)
  }

  /// Where the run's records go.
  var sink: any RecordSink { kept ?? store }
  /// What need not be measured again.
  var finished: any FinishedPoints { kept ?? store }

  /// Takes away what was only for the time of the run.
  func close() {
    files.removeScratch()
    kept?.close()
  }

  /// What the reports of this run will have been made from.
  func stamp(_ options: SweepOptions) throws -> ReportStamp {
    try ReportStamp(
      manifest: manifest, images: plan.entries.map(\.identity), options: analysis,
      page: "\(options.page.images) \(options.page.embed as Bool?) \(options.page.title ?? "")",
      program: RunnerConfiguration.ownExecutable)
  }

  private static func plan(
    _ entries: [CorpusEntry], _ options: SweepOptions, target: QualityTarget?
  ) throws -> SweepPlan {
    let coding = options.coding
    var metrics = coding.metrics.identifiers + coding.metricCommands.map(\.metric.id)
    if let wanted = target?.metric?.id, !metrics.contains(wanted) { metrics.append(wanted) }
    return PlanBuilder(registry: .standard).plan(
      entries: entries, variants: try coding.variants(), qualities: coding.qualities,
      refinement: target == nil
        ? try options.refinement.goal(options.analysisOptions(nil), metrics: coding.metricTraits()) : nil,
      metrics: metrics, repeats: options.runner.repeats, background: coding.background.components,
      downscale: coding.downscale, shard: options.corpus.shard)
  }

  /// Encoded files go into the results folder until the pictures are made, where the user does not keep them.
  private static func encodedFiles(
    _ plan: SweepPlan, _ options: SweepOptions, in files: OwnedFolder
  ) throws -> EncodedFiles? {
    guard options.page.images != .none, options.runner.keepEncoded == nil,
      EncodedFiles.areFew(pixels: plan.pixelCount)
    else { return nil }
    return EncodedFiles(folder: try files.makeScratch())
  }

  private static func refuseObstacles(in folder: String) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      return
    }
    try ResultsFolder.refuseObstacles(in: try ResultsFolder.open(folder))
  }

  private static func manifest(
    _ plan: SweepPlan, _ target: QualityTarget?, _ configuration: RunnerConfiguration,
    _ sources: CorpusSources, _ listing: CorpusListing, _ options: SweepOptions
  ) throws -> RunManifest {
    let list = options.corpus.files.map { [Array("--files \($0)".utf8)] } ?? []
    var manifest = RunManifest(
      version: HeicBench.version, started: Timestamp.now,
      command: ["heicbench"] + CommandLine.arguments.dropFirst(),
      roots: (sources.roots + list).map(ImageName.printable), machine: CurrentMachine.describe(),
      variants: plan.variants, qualities: target == nil ? plan.qualities : [],
      refinement: plan.refinement?.goal, target: target?.description,
      preparation: plan.preparation, metrics: try options.runMetrics(target), jobs: configuration.jobs,
      repeats: plan.repeats,
      passedOver: listing.passedOver.countsByName, shard: options.corpus.shard?.description)
    manifest.title = options.page.title
    manifest.passedOverNames = listing.passedOver.namesByName
    let programs = options.coding.metricCommands.map {
      ($0.metric.id, ProgramFile.digest(of: $0.metric.words))
    }
    if !programs.isEmpty { manifest.metricPrograms = Dictionary(programs, uniquingKeysWith: { $1 }) }
    let codecs = Set(plan.variants.map(\.variant.codec)).compactMap {
      CodecRegistry.standard.codec($0)?.traits
    }
    manifest.defaults = Dictionary(
      codecs.filter { !$0.defaults.isEmpty }.map { ($0.id, $0.defaults) },
      uniquingKeysWith: { first, _ in first })
    return manifest
  }

  private static func nothingFound(_ passedOver: PassedOver) -> CommandError {
    let detail = passedOver.counts.isEmpty ? "" : " Passed over: \(phrase(passedOver))."
    return CommandError(
      .noInput,
      "there is no image to measure; heicbench reads \(ImageInput.readableFormats).\(detail)")
  }

  /// A line for each file that was passed over, as far as names are kept.
  private static func list(_ passedOver: PassedOver) {
    for reason in PassedOver.Reason.allCases {
      let names = passedOver.names[reason] ?? []
      for name in names { StandardError.notice("passed over “\(name)”: \(reason.rawValue)") }
      let more = (passedOver.counts[reason] ?? 0) - names.count
      if more > 0 { StandardError.notice("passed over \(more) more: \(reason.rawValue)") }
    }
  }

  /// `2 hidden (.a, .b); 1 not an image (notes.txt)`.
  private static func phrase(_ passedOver: PassedOver) -> String {
    PassedOver.Reason.allCases.compactMap { reason in
      guard let count = passedOver.counts[reason] else { return nil }
      let examples = passedOver.names[reason] ?? []
      let names = examples.prefix(3).joined(separator: ", ") + (count > 3 ? ", …" : "")
      return "\(reason.counted(count)) (\(names))"
    }.joined(separator: "; ")
  }
}

/// Points in time as manifests keep them.
enum Timestamp {
  /// ISO 8601 in UTC.
  static var now: String { Date.now.formatted(.iso8601) }
}
