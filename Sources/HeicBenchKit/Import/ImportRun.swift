import Analysis
import CodecKit
import Codecs
import Metrics
import Model
import Reports
import Store
import Synchronization
import Workers

struct ImportRun {
  let request: ImportRequest
  let cancellation: Cancellation
  let events: @Sendable (JobEvent) -> Void

  private var names: Set<String> { Set(request.series.map(\.name)) }

  func run() throws -> ImportOutcome {
    defer { cancellation.release() }
    let references = try request.reference.entries(to: "compare with")
    let pairing = try pair(references)
    // Refuses a foreign folder before anything is made in it.
    try OutputFolder.make(request.output)
    try ResultsFolder.refuseObstacles(in: try ResultsFolder.open(request.output))
    let store = try ResultStore(folder: request.output)
    let base = try ImportBase(request, store, references)
    let (jobs, others) = base.jobs(pairing.pairs)
    let refusals = pairing.strays + others
    try refuseNothing(jobs.flatMap(\.files), refusals, originals: pairing.originals)
    let work = ImportWork(
      jobs, base, isFresh: request.isFresh, records: try imports(base, store))
    let wasInterrupted = try measure(work, base, store)
    try finish(work, base, store)
    return try outcome(work, base, store, refusals: refusals, wasInterrupted)
  }

  private func refuseNothing(
    _ files: [ImportWork.File], _ refusals: [ImportOutcome.Refusal], originals: Int
  ) throws {
    guard files.allSatisfy({ $0.problem != nil }) else { return }
    let unusable = files.compactMap { file in file.problem.map { file.refusal($0.message) } }
    throw HeicBenchError(
      .noInput,
      (refusals + unusable).first.map { "no file can be imported; “\($0.file)”: \($0.reason)" }
        ?? (originals > 0
          ? "there is no file to import: \(Numerals.counted(originals, "file")) "
            + "\(originals == 1 ? "is an original itself" : "are the originals themselves")"
          : "there is no file to import; heicbench reads \(ImageInput.readableFormats)"))
  }

  private func imports(_ base: ImportBase, _ store: ResultStore) throws -> [Case: CaseRecord] {
    try store.imports(preparation: base.manifest.preparation.canonicalSpelling, series: names)
  }

  private func pair(_ references: [CorpusEntry]) throws -> ImportPairing {
    var pairing = try ImportPairing(references, list: request.pairs.map { try ImportPairing.list(at: $0) })
    let reader = CorpusReader(registry: .standard, limits: request.reference.limits)
    for series in request.series {
      let found = try CorpusReader.find(roots: [series.folder.bytes])
      pairing.add(reader.read(found).entries, of: series)
    }
    return pairing
  }

  /// Has workers judge the missing files. Returns true if stopped.
  private func measure(_ work: ImportWork, _ base: ImportBase, _ store: ResultStore) throws -> Bool {
    guard !work.missing.isEmpty else { return false }
    let configuration = try request.workers.configuration(
      limits: request.reference.limits, externalMetrics: request.metricCommands.map(\.metric))
    let pool = WorkerPool(
      configuration, preparation: base.manifest.preparation, metrics: base.metrics, bytesPerPixel: 140)
    cancellation.perform { pool.cancel() }
    let done = Atomic(0)
    let wasStopped = Atomic(false)
    _ = try pool.map(work.missing, pixels: \.reference.pixels, image: \.reference.identity) { worker, job in
      let prepared = try worker.openAgain(job.reference, for: nil)
      if let failure = prepared.failure {
        let reason = Failure(
          kind: failure.kind, message: "its original cannot be used: \(failure.message)")
        for file in job.files {
          try store.append(CaseRecord(key: file.key, outcome: .failed(reason), fileHash: file.hash))
        }
      } else if let record = prepared.value {
        try store.append(.image(record))
        for file in job.files {
          guard let verdict = try look(at: file, of: job.reference, with: worker) else {
            wasStopped.store(true, ordering: .relaxed)
            return
          }
          for (metric, reason) in (verdict.value?.failedScores ?? [:]).sorted(by: { $0.key < $1.key }) {
            events(.notice("\(file.key.series): “\(file.key.file)” has no \(metric), which \(reason)"))
          }
          try store.append(
            CaseRecord(key: file.key, outcome: verdict.map { behind(base, $0) }, fileHash: file.hash))
          let count = done.add(1, ordering: .relaxed).newValue
          events(.progress(done: count, total: work.missingFiles))
        }
      }
    }
    events(.ended)
    return wasStopped.load(ordering: .relaxed)
  }

  /// The verdict on a file; nil once cancelled. A lost worker is not the file's fault until a second one is lost.
  private func look(
    at file: ImportWork.File, of reference: ImageFile, with worker: WorkerSlot
  ) throws -> Outcome<Figures>? {
    if let problem = file.problem { return .failed(problem) }
    for attempt in 1...2 {
      let response = try worker.judge(file.source, of: reference)
      if let measurement = response.value { return .measured(measurement) }
      guard let failure = response.failure else { return nil }
      guard failure.isWorthRetrying, attempt == 1 else { return .failed(failure) }
    }
    return nil
  }

  /// Begins a run that shows the files beside the measurements, and writes the reports, unless nothing has changed.
  private func finish(_ work: ImportWork, _ base: ImportBase, _ store: ResultStore) throws {
    try store.remove(work.gone)
    guard !work.missing.isEmpty || !work.gone.isEmpty || !base.isShownAlready else {
      let known = Numerals.counted(work.knownFiles, "file")
      return events(.notice("all \(known) were there already; --fresh looks at them again"))
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
    _ work: ImportWork, _ base: ImportBase, _ store: ResultStore, refusals: [ImportOutcome.Refusal],
    _ wasInterrupted: Bool
  ) throws -> ImportOutcome {
    let records = try imports(base, store)
    var refusals = refusals
    var files = 0
    for key in work.keys {
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
        "Files have no scores of \(base.ungiven.joined(separator: ", ")), which the run took with --metric-command; "
          + "give the same to import, and they get them.")
    }
    sentences += base.advice(comparisons, output: request.output)
    return ImportOutcome(
      folder: store.folder, sentences: sentences, files: files, known: work.knownFiles,
      refusals: refusals.sorted { ($0.series, $0.file) < ($1.series, $1.file) },
      wasInterrupted: wasInterrupted)
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
