import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Store
import Workers

struct ImportRun {
  let request: ImportRequest
  let cancellation: Cancellation
  let events: @Sendable (JobEvent) -> Void

  private var names: Set<String> { Set(request.series.map(\.name)) }

  func run() throws -> ImportOutcome {
    let describer = WorkerDescriber(try request.workers.configuration(limits: request.reference.limits))
    let references = try request.reference.listing(to: "compare with", by: describer) { events(.notice($0)) }
      .entries
    let pairing = try pair(references, describer)
    describer.end()
    // Refuses a foreign folder before creating anything in it.
    try OutputFolder.make(request.output)
    try ResultsFolder.refuseObstacles(in: try ResultsFolder.open(request.output))
    let store = try ResultStore(folder: request.output)
    let base = try ImportBase(request, store, references)
    let (jobs, files, others) = base.jobs(pairing.pairs)
    let refusals = pairing.strays + others
    try refuseNothing(
      jobs.flatMap(\.cases).compactMap { files[$0]?.file }, refusals, originals: pairing.originals)
    let records = try imports(base, store)
    // Files of an earlier import that no longer exist, though their originals do.
    let gone = records.keys.filter { files[$0] == nil && base.referenced.contains($0.image) }
    let measured = try measure(jobs, files, base, store) { [request] key in
      !request.isFresh && base.isComplete(records[key], of: files[key])
    }
    try finish(measured, gone: gone, base, store)
    return try outcome(measured, base, store, refusals: refusals)
  }

  private func refuseNothing(
    _ files: [CorpusEntry], _ refusals: [ImportOutcome.Refusal], originals: Int
  ) throws {
    guard files.allSatisfy({ $0.problem != nil }) else { return }
    let reasons =
      refusals.map { ($0.file, $0.reason) } + files.map { ($0.identity.name, $0.problem?.message ?? "") }
    throw HeicBenchError(
      .noInput,
      reasons.first.map { "no file can be imported; “\($0.0)”: \($0.1)" }
        ?? (originals > 0
          ? "there is no file to import: \(Numerals.counted(originals, "file")) "
            + "\(originals == 1 ? "is itself an original" : "are themselves originals")"
          : "there is no file to import; heicbench reads \(ImageInput.readableFormats)"))
  }

  private func imports(_ base: ImportBase, _ store: ResultStore) throws -> [Case: CaseRecord] {
    try store.imports(preparation: base.manifest.preparation.canonicalSpelling, series: names)
  }

  private func pair(
    _ references: [CorpusEntry], _ describer: WorkerDescriber
  ) throws -> ImportPairing {
    var pairing = try ImportPairing(references, list: request.pairs.map { try ImportPairing.list(at: $0) })
    let reader = CorpusReader(describer, limits: request.reference.limits)
    for series in request.series {
      let found = try CorpusReader.find(
        roots: [series.folder.bytes], excluding: PathPatterns(request.reference.excluded))
      let listing = try reader.read(found)
      for line in listing.passedOver.lines { events(.notice("\(series.name): \(line)")) }
      pairing.add(listing.entries, of: series)
    }
    return pairing
  }

  private func measure(
    _ jobs: [CaseJob], _ files: [Case: ImportPairing.Pair], _ base: ImportBase, _ store: ResultStore,
    isKnown: (Case) -> Bool
  ) throws -> MeasuredCases {
    // If there is nothing to judge, the machine need not be able to start workers.
    guard !jobs.allSatisfy({ $0.cases.allSatisfy(isKnown) }) else {
      return MeasuredCases(known: jobs.flatMap(\.cases))
    }
    let configuration = try request.workers.configuration(
      limits: request.reference.limits, externalMetrics: request.metricCommands.map(\.metric))
    _ = try configuration.identicalScores(cancellation) { events(.notice($0)) }
    let pool = WorkerPool(
      configuration, preparation: base.manifest.preparation, metrics: base.metrics, bytesPerPixel: 140)
    defer { configuration.tellRemarks { events(.notice($0)) } }
    return try pool.measuring(nil, cancellation, events) { progress in
      try pool.measure(
        jobs, pixels: \.pixels, isKnown: isKnown, keep: { try store.append($0) }, progress: progress
      ) { try judge(&$0, files, base, store) }
    }
  }

  private func judge(
    _ turn: inout CaseTurn, _ files: [Case: ImportPairing.Pair], _ base: ImportBase, _ store: ResultStore
  ) throws {
    let reference = turn.job.entry.file
    let prepared = try turn.slot.openAgain(reference, for: nil)
    if let record = prepared.value { try store.append(.image(record)) }
    for key in turn.job.cases {
      guard let pair = files[key] else { continue }
      let file = pair.file
      var failure = file.problem
      var judged: Figures?
      if let problem = prepared.failure {
        failure = Failure(kind: problem.kind, message: "its original cannot be used: \(problem.message)")
      } else if failure == nil {
        let response = try turn.slot.judge(file.file, of: reference)
        (judged, failure) = (response.value.map(pair.weighed), response.failure)
      }
      guard let outcome = judged.map({ .measured($0) }) ?? failure.map({ Outcome.failed($0) }) else { return }
      for (metric, reason) in (outcome.value?.failedScores ?? [:]).sorted(by: { $0.key < $1.key }) {
        events(.notice("\(key.series): “\(key.file)” has no \(metric), which \(reason)"))
      }
      let hash = file.identity.contentHash
      try turn.keep(CaseRecord(key: key, outcome: outcome.map { behind(base, $0) }, fileHash: hash))
    }
  }

  /// Begins a run that shows the files next to the measurements, and writes the reports, unless nothing has changed.
  private func finish(
    _ measured: MeasuredCases, gone: [Case], _ base: ImportBase, _ store: ResultStore
  ) throws {
    try store.remove(gone)
    guard measured.known < measured.total || !gone.isEmpty || !base.isShownAlready else {
      let known = Numerals.counted(measured.known, "file")
      return events(.notice("all \(known) already there; --fresh scores them again"))
    }
    let run = try store.begin(base.manifest, images: base.images)
    if base.wasFinished { try store.finish(run, at: base.manifest.started) }
    var report = ReportRequest(results: store.folder)
    report.images = request.reference.paths
    report.importedFolders = request.series.map(\.printableFolder)
    (report.page, report.workers, report.judgement) = (request.page, request.workers, request.judgement)
    try report.writePage { [events] in events(.notice($0)) }
  }

  private func outcome(
    _ measured: MeasuredCases, _ base: ImportBase, _ store: ResultStore, refusals: [ImportOutcome.Refusal]
  ) throws -> ImportOutcome {
    let records = try imports(base, store)
    var refusals = refusals
    var files = 0
    for key in measured.cases {
      if records[key]?.figures != nil { files += 1 }
      if let failure = records[key]?.outcome.failure {
        refusals.append(.init(series: key.series, file: key.file, reason: failure.message))
      }
    }
    let source = RowSource(store, run: try ResultsInput.latestRun(of: store))
    let report = try RunReport(reading: source, options: try request.judgement.options(for: source))
    let wording = ImportWording(report.analysis)
    let comparisons = report.analysis.importComparisons.filter { names.contains($0.series.codec) }
    var sentences = comparisons.map(wording.sentence)
    if !base.ungiven.isEmpty {
      sentences.append(
        "The files have no \(base.ungiven.joined(separator: ", ")) scores, which the run has from --metric-command; "
          + "to add them, give import the same option.")
    }
    sentences += base.advice(comparisons, output: request.output)
    return ImportOutcome(
      folder: store.folder, sentences: sentences, files: files, known: measured.known,
      refusals: refusals.sorted { ($0.series, $0.file) < ($1.series, $1.file) },
      wasInterrupted: measured.wasInterrupted)
  }

  private func behind(_ base: ImportBase, _ file: Figures) -> Figures {
    var file = file
    let given = Set(request.metricCommands.map(\.name))
    if !given.isEmpty {
      file.metricPrograms = base.manifest.metricPrograms?.filter { given.contains($0.key) }
    }
    return file
  }
}
