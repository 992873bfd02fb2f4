import Analysis
import CodecKit
import Codecs
import Foundation
import Model
import Reports
import Store
import Workers

struct SweepSetup {
  let store: ResultStore
  /// The part of the results folder that this program writes.
  let files: OwnedFolder
  let plan: SweepPlan
  let configuration: RunnerConfiguration
  let manifest: RunManifest
  /// The encoded files behind the page's pictures; nil if they are not kept.
  let encoded: EncodedFiles?
  /// The encoded files that the user wants to keep; nil for none.
  let kept: KeptFiles?
  /// The qualities at which points are timed once more; nil for all, including refined points.
  let timedQualities: [Quality]?
  let analysis: AnalysisOptions

  init(_ request: SweepRequest, events: @escaping @Sendable (SweepEvent) -> Void) throws {
    // A wrong request is reported before anything is made or measured for an hour.
    try request.check()
    let target = try request.searchedTarget()
    analysis = try request.judgement.options(metrics: request.metricTraits(target), target: target)
    timedQualities = try request.timedQualities()
    try request.gate?.check(metrics: try request.metricTraits().map(\.id))
    let sources = try request.images.sources()
    let found = try CorpusReader.find(sources)
    guard found.count > 0 else { throw Self.nothingFound(found.passedOver) }
    // A foreign folder is refused before anything is made in it.
    let present = try Self.resultsFolder(request.output)
    var configuration = try request.workers.configuration(
      limits: request.images.limits, externalMetrics: request.metricCommands.map(\.metric))
    let builds = try TriedBuilds(
      request.builds, namedBy: request.codecs, program: configuration.workerExecutable)
    configuration.builds = builds.builds
    configuration.scoresThroughBuild = request.scoresThroughBuilds
    store = try ResultStore(
      folder: request.output,
      options: ResultStore.Options(request.reuse))
    files = try present ?? ResultsFolder.open(store.folder)
    if present == nil { try ResultsFolder.refuseObstacles(in: files) }
    let listing = Self.read(found, request, cache: store, events)
    guard !listing.entries.isEmpty else { throw Self.nothingFound(listing.passedOver) }
    plan = try Self.plan(listing.entries, builds, request, analysis, target: target)
    kept = try request.keptFiles.map { [store, plan] in
      try KeptFiles(folder: $0, store: store, plan: plan)
    }
    encoded = try Self.encodedFiles(plan, request, in: files)
    configuration.keepFolder = kept?.scratch ?? encoded?.folder
    self.configuration = configuration
    let imports = try store.latestRun()?.manifest
    var manifest = try Self.manifest(
      plan, configuration, roots: request.images.rootNames(of: sources),
      listing.passedOver,
      request)
    // Imported files of the same pictures stay beside the new measurements.
    if imports?.preparation == manifest.preparation { manifest.imports = imports?.imports }
    self.manifest = manifest
  }

  var sink: any RecordSink { kept ?? store }
  var finished: any FinishedPoints { kept ?? store }

  func close() {
    files.removeScratch()
    kept?.close()
  }

  /// A record of what this run's reports are made from.
  func stamp(_ request: SweepRequest) throws -> ReportStamp {
    try ReportStamp(
      manifest: manifest, images: plan.entries.map(\.identity), options: analysis,
      page: request.page.spelling,
      program: RunnerConfiguration.ownExecutable)
  }

  private static func read(
    _ found: FoundFiles, _ request: SweepRequest, cache: ResultStore,
    _ events: @escaping @Sendable (SweepEvent) -> Void
  ) -> CorpusListing {
    let reader = CorpusReader(registry: .standard, limits: request.images.limits, cache: cache)
    let listing = reader.read(found, limit: request.images.limit) {
      events(.reading(done: $0, total: found.count))
    }
    events(.stepEnded)
    if !listing.entries.isEmpty, !listing.passedOver.counts.isEmpty {
      events(.passedOver(phrase: phrase(listing.passedOver), names: names(listing.passedOver)))
    }
    return listing
  }

  private static func plan(
    _ entries: [CorpusEntry], _ builds: TriedBuilds, _ request: SweepRequest, _ analysis: AnalysisOptions,
    target: QualityTarget?
  ) throws -> SweepPlan {
    let metrics = try request.metricTraits(target)
    let codecs = request.codecs.isEmpty ? ["jpeg", "heic"].map { CodecVariant(codec: $0) } : request.codecs
    // Points between the qualities serve the headline metric.
    let headline = metrics.first { $0.id == analysis.headlineMetric }
    let refinement = headline.map { metric in
      (Refinement(metric: metric.id, targets: analysis.targets, band: analysis.band), metric)
    }
    let builder = PlanBuilder(
      registry: .standard, builds: builds, scoresThroughBuild: request.scoresThroughBuilds)
    return builder.plan(
      entries: entries, variants: try builder.describe(codecs),
      qualities: QualityList(target == nil ? request.qualities : []),
      refinement: request.refines && target == nil ? refinement : nil, target: target,
      headline: request.order == .coarseFirst && target == nil
        ? headline.map { ($0, analysis.verdictTarget) } : nil,
      metrics: metrics.map(\.id),
      repeats: request.repeats, background: request.background, downscale: request.downscale,
      shard: request.images.shard)
  }

  /// Temporary encoded files for the pictures; nil without pictures, with `keptFiles`, or if there are too many pixels.
  private static func encodedFiles(
    _ plan: SweepPlan, _ request: SweepRequest, in files: OwnedFolder
  ) throws -> EncodedFiles? {
    guard request.page.images != 0, request.keptFiles == nil, EncodedFiles.areFew(pixels: plan.pixelCount)
    else {
      return nil
    }
    return EncodedFiles(folder: try files.makeScratch())
  }

  /// The folder if this program has written into it before, else nil; throws if something is in its way.
  private static func resultsFolder(_ folder: String) throws -> OwnedFolder? {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      return nil
    }
    let files = try ResultsFolder.open(folder)
    try ResultsFolder.refuseObstacles(in: files)
    return files.isNew ? nil : files
  }

  private static func manifest(
    _ plan: SweepPlan, _ configuration: RunnerConfiguration, roots: [String],
    _ passedOver: PassedOver,
    _ request: SweepRequest
  ) throws -> RunManifest {
    var manifest = RunManifest(
      version: HeicBench.version, started: Timestamp.now, command: request.command, roots: roots,
      machine: CurrentMachine.describe(), variants: plan.variants,
      qualities: plan.qualities, refinement: plan.refinement?.goal,
      target: plan.target?.target.description, preparation: plan.preparation,
      metrics: try request.metricTraits(plan.target?.target), jobs: configuration.jobs, repeats: plan.repeats,
      passedOver: passedOver.countsByName, shard: request.images.shard?.description)
    manifest.title = request.page.title
    if !configuration.builds.isEmpty { manifest.builds = configuration.builds }
    manifest.passedOverNames = passedOver.namesByName
    let programs = request.metricCommands.map { ($0.name, ProgramFile.digest(of: $0.words)) }
    if !programs.isEmpty { manifest.metricPrograms = Dictionary(programs, uniquingKeysWith: { $1 }) }
    let codecs = Set(plan.variants.map(\.variant.codec)).compactMap {
      CodecRegistry.standard.codec($0)?.traits
    }
    manifest.defaults = Dictionary(
      codecs.filter { !$0.defaults.isEmpty }.map { ($0.id, $0.defaults) },
      uniquingKeysWith: { first, _ in first })
    return manifest
  }

  private static func nothingFound(_ passedOver: PassedOver) -> HeicBenchError {
    let detail = passedOver.counts.isEmpty ? "" : " Passed over: \(phrase(passedOver))."
    return HeicBenchError(
      .noInput,
      "there is no image to measure; heicbench reads \(ImageInput.readableFormats).\(detail)")
  }

  private static func names(_ passedOver: PassedOver) -> [String] {
    PassedOver.Reason.allCases.flatMap { reason in
      let names = passedOver.names[reason] ?? []
      let more = (passedOver.counts[reason] ?? 0) - names.count
      return names.map { "“\($0)”: \(reason.rawValue)" }
        + (more > 0 ? ["\(more) more: \(reason.rawValue)"] : [])
    }
  }

  /// A phrase such as `2 hidden (.a, .b); 1 not an image (notes.txt)`.
  private static func phrase(_ passedOver: PassedOver) -> String {
    PassedOver.Reason.allCases.compactMap { reason in
      guard let count = passedOver.counts[reason] else { return nil }
      let examples = passedOver.names[reason] ?? []
      let names = examples.prefix(3).joined(separator: ", ") + (count > 3 ? ", …" : "")
      return "\(reason.counted(count)) (\(names))"
    }.joined(separator: "; ")
  }
}

enum Timestamp {
  /// The current time, ISO 8601 in UTC.
  static var now: String { Date.now.formatted(.iso8601) }
}
