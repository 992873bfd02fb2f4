import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Store
import Workers

struct ImportBase {
  let manifest: RunManifest
  let images: [ImageIdentity]
  /// True if the latest run shows the same series from the same folders.
  let isShownAlready: Bool
  /// True if the latest run finished, or there is none.
  let wasFinished: Bool
  /// The metrics that score files: the run's built-in metrics, and the programs given.
  let metrics: [String]
  /// The run's metric programs that were not given again.
  let ungiven: [String]
  let referenced: Set<ImageIdentity>
  private let byHash: [String: ImageIdentity]

  init(_ request: ImportRequest, _ store: ResultStore, _ references: [CorpusEntry]) throws {
    let latest = try store.latestRun()
    let usable = references.filter { $0.problem == nil }
    let images = try latest.map { try store.images(of: $0.id) } ?? usable.map(\.identity)
    let byHash = Dictionary(images.map { ($0.contentHash, $0) }, uniquingKeysWith: { first, _ in first })
    let roots = request.reference.rootNames
    if let latest { try Self.refuse(latest.manifest, byHash, references, roots: roots, request.output) }
    var manifest = latest?.manifest ?? Self.manifest(references, roots: roots)
    (manifest.started, manifest.version) = (Timestamp.now, HeicBench.version)
    // Commands that continue or reproduce encodes need the options of the sweep.
    if manifest.variants.isEmpty { manifest.command = request.command }
    if let title = request.page.title { manifest.title = title }
    let given = request.series.map { ImportedSeries(name: $0.name, folder: $0.printableFolder) }
    let earlier = manifest.imports ?? []
    manifest.imports =
      earlier.map { old in given.first { $0.name == old.name } ?? old }
      + given.filter { new in !earlier.contains { $0.name == new.name } }
    isShownAlready = manifest.imports == latest?.manifest.imports
    wasFinished = latest.map { $0.finished != nil } ?? true
    let programs = try Self.programs(request, latest?.manifest)
    metrics = manifest.metrics.map(\.id).filter { id in
      programs.contains(id) || MetricTraits.standard.contains { $0.id == id }
    }
    ungiven = (manifest.metricPrograms ?? [:]).keys.filter { !programs.contains($0) }.sorted()
    referenced = Set(references.compactMap { byHash[$0.identity.contentHash] })
    (self.manifest, self.images, self.byHash) = (manifest, images, byHash)
  }

  /// A run with only imported files, prepared like a sweep of JPEG and HEIC, which may follow.
  private static func manifest(_ references: [CorpusEntry], roots: [String]) -> RunManifest {
    RunManifest(
      version: HeicBench.version, started: Timestamp.now, command: [], roots: roots,
      machine: CurrentMachine.describe(), variants: [], qualities: [],
      preparation: Preparation(
        for: ["jpeg", "heic"].map { CodecVariant(codec: $0) }, registry: .standard),
      metrics: MetricTraits.usual, jobs: 1, repeats: 1)
  }

  /// The metrics given as programs; throws unless each is the program that gave the run's scores.
  private static func programs(_ request: ImportRequest, _ latest: RunManifest?) throws -> Set<String> {
    for command in request.metricCommands {
      let known = latest?.metricPrograms?[command.name]
      try HeicBenchError.require(
        known != nil,
        "--metric-command: the results in “\(request.output)” have no “\(command.name)” scores. Measure the originals with the "
          + "same --metric-command first")
      try HeicBenchError.require(
        ProgramFile.digest(of: command.words) == known,
        "--metric-command: “\(command.name)” differs from the command in “\(request.output)”. Use the same command, or "
          + "measure the originals with this one first")
    }
    return Set(request.metricCommands.map(\.name))
  }

  private static func refuse(
    _ manifest: RunManifest, _ byHash: [String: ImageIdentity], _ references: [CorpusEntry],
    roots: [String], _ output: String
  ) throws {
    try HeicBenchError.require(
      manifest.preparation.downscale <= 1,
      "the results in “\(output)” are for originals downscaled by \(manifest.preparation.downscale), which other encoders "
        + "did not get. Measure the originals into another folder and name it with --output")
    try HeicBenchError.require(
      manifest.target == nil,
      "“\(output)” holds a search for \(manifest.target?.description ?? ""), which covers only one score. Measure the "
        + "originals into another folder and name it with --output")
    try HeicBenchError.require(
      references.contains { byHash[$0.identity.contentHash] != nil },
      "the results in “\(output)” are for other images. Measure these originals first: "
        + ShellWord.sweep(of: roots, ["--output", "ANOTHER-FOLDER"]))
  }

  /// The files to judge, by case and in jobs by original, and the files without a usable original.
  func jobs(
    _ pairs: [ImportPairing.Pair]
  ) -> (jobs: [CaseJob], files: [Case: ImportPairing.Pair], refusals: [ImportOutcome.Refusal]) {
    var jobs: [ImageIdentity: CaseJob] = [:]
    var files: [Case: ImportPairing.Pair] = [:]
    var refusals: [ImportOutcome.Refusal] = []
    for pair in pairs {
      func refuse(_ reason: String) {
        refusals.append(
          .init(series: pair.series.name, file: pair.file.identity.name, reason: reason))
      }
      let original = pair.reference
      if let problem = original.problem {
        refuse("heicbench cannot use its original: \(problem.message)")
        continue
      }
      guard let image = byHash[original.identity.contentHash] else {
        refuse("its original “\(original.identity.name)” is not in the results")
        continue
      }
      let key = Case(
        image: image, preparation: manifest.preparation.canonicalSpelling, series: pair.series.name,
        file: pair.file.identity.name)
      let named = CorpusEntry(
        identity: image, path: original.path, fileBytes: original.fileBytes, header: original.header)
      jobs[image, default: CaseJob(entry: named, cases: [])].cases.append(key)
      files[key] = pair
    }
    return (images.compactMap { jobs[$0] }, files, refusals)
  }

  /// True if a record is about the same bytes and has everything that a new judgement would give.
  func isComplete(_ record: CaseRecord?, of pair: ImportPairing.Pair?) -> Bool {
    guard let record, let pair, record.fileHash == pair.file.identity.contentHash else { return false }
    switch record.scored(by: manifest.metricPrograms).outcome {
    case .failed(let failure): return !failure.isWorthRetrying
    case .unsupported: return false
    case .measured(let figures):
      return Set(metrics).isSubset(of: figures.asked ?? []) && figures.figures[.metadata] != nil
        && figures.encodedBytes == pair.bytes ?? pair.file.fileBytes
        && figures.decoder == CodecRegistry.standard.decoder(of: figures.format ?? "")
    }
  }

  /// Returns advice on the command that gives all files the figures they lack; empty if nothing is missing.
  func advice(_ comparisons: [ImportComparison], output: String) -> [String] {
    guard !manifest.variants.isEmpty else {
      let command = ShellWord.sweep(of: manifest.roots, ["--output", output])
      return ["To compare the imported files with JPEG and HEIC, run: \(command)"]
    }
    let qualities = Set(comparisons.flatMap(\.wantedQualities).map { Int(($0 * 1000).rounded()) })
      .sorted().compactMap { Quality(thousandths: $0) }
    guard !qualities.isEmpty else { return [] }
    let variants = manifest.variants.map(\.variant).filter { $0.build == nil }
    let points = Numerals.counted(qualities.count * variants.count * images.count, "encode")
    let words =
      variants.flatMap { ["--codec", $0.name] }
      + ["--qualities", qualities.map(\.description).joined(separator: ","), "--output", output]
    return [
      "Some files are too far from measured qualities. To measure near them (\(points), and more at other "
        + "qualities; earlier results are kept): \(ShellWord.sweep(of: manifest.roots, words))"
    ]
  }
}
