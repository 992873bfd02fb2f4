import Analysis
import CodecKit
import Reports
import Store
import Workers

/// Writes the reports of a run again from its results folder. Measures nothing.
public struct ReportRequest: ShortRequest {
  /// The results folder.
  public var results: String
  /// The current paths of the images; empty if they are in the run's original places. Only pictures need them.
  public var images: [InputPath] = []
  /// The contents of the page besides plots and tables.
  public var page = PageSettings()
  /// Settings of the workers that make pictures.
  public var workers = WorkerSettings()
  /// Folders of imported files that the user has named, in addition to those in the results.
  var importedFolders: [String] = []
  /// The metric and scores at which variants are compared.
  public var judgement = Judgement()
  /// The codec that the others are compared with, named as in reports; nil for the run's first.
  public var reference: String?

  /// Creates a request for the latest run of a results folder.
  public init(results: String = "results") { self.results = results }

  /// Writes the page and its files, without warnings; returns the path of the page.
  public func run() throws -> String { try writePage() }

  /// Writes the page, the charts, `summary.md` and `measurements.csv` into the folder. Keeps the existing reports if
  /// new ones would not have the requested answer.
  /// - Parameter warnings: Receives a sentence for each image whose pictures cannot be made.
  /// - Returns: The path of the page. In a folder without a sweep, the page shows its other measurements.
  @discardableResult
  public func writePage(warnings: @escaping @Sendable (String) -> Void = { _ in }) throws -> String {
    try HeicBenchError.mapping {
      let blind = try BlindReport(folder: results)
      if let blind, !ResultStore.isOurs(in: results) { return try writeAlone(blind) }
      let store = try ResultStore(reading: results)
      let features =
        try store.costReports { try readPictures($0, warnings) } + [blind?.feature].compactMap { $0 }
      try features.forEach(write)
      try blind?.writeTriplets(to: results)
      if let page = features.first?.files.page, try store.latestRun() == nil { return "\(results)/\(page)" }
      let run = try ResultsInput.latestRun(of: store)
      let source = try compared(RowSource(store, run: run) { features.filter { $0.inRun != nil } })
      let options = try judgement.options(for: source)
      if judgement.isExplicit { try refuseSilence(source, options) }
      let pictures = try page.images == 0 ? nil : pictures(of: run, in: store, warnings)
      try ReportWriter(folder: results, options: options).write(
        source, title: page.title, pictures: { try pictures?.make(for: $0.analysis, in: $1) ?? [] })
      return "\(results)/\(ReportWriter.pageName)"
    }
  }

  private func compared(_ source: RowSource) throws -> RowSource {
    guard let reference else { return source }
    let wanted = try CodecVariant(reference).name
    guard let source = source.comparing(with: wanted) else {
      let names = source.variants.map(\.name).joined(separator: ", ")
      throw HeicBenchError(.usage, "--reference: the results have no “\(wanted)”; they have \(names)")
    }
    return source
  }

  private func pictures(
    of run: StoredRun, in store: ResultStore, _ warnings: @escaping @Sendable (String) -> Void
  ) throws -> PictureSet {
    let configuration = try workers.configuration(limits: ReadLimits())
    let hashes = Dictionary(
      try store.images(of: run.id).map { ($0.name, $0.contentHash) }, uniquingKeysWith: { _, last in last })
    let images = try MeasuredImages(
      hashes, roots: run.manifest.roots, corpus: images, by: WorkerDescriber(configuration), notice: warnings)
    return PictureSet(
      manifest: run.manifest, imports: try store.importHashes(of: run.manifest), entry: images.entry,
      configuration: configuration, page: page, namedPlaces: importedFolders, notice: warnings)
  }

  /// Writes the thresholds of a folder that has no other measurements.
  private func writeAlone(_ blind: BlindReport) throws -> String {
    try write(blind.feature)
    try blind.writeTriplets(to: results)
    return "\(results)/\(BlindReport.files.page)"
  }

  private func write(_ feature: FeatureReport) throws {
    let files = try ResultsFolder.open(results)
    try feature.files.refuseObstacles(in: files)
    try feature.write(to: files, title: feature.inRun == nil ? nil : page.title, version: HeicBench.version)
  }

  /// Makes pictures of files that have not changed since they were read; nil if none are wanted.
  private func readPictures(
    _ reads: DecodeReport, _ warnings: @escaping @Sendable (String) -> Void
  ) throws -> ReadPictureSet? {
    guard page.images != 0 else { return nil }
    let configuration = try workers.configuration(limits: ReadLimits())
    let choices = try reads.choices(
      count: page.images, builds: Set(configuration.builds.map(\.name)))
    let hashes = Dictionary(
      choices.flatMap(\.reads).map { ($0.key.image.name, $0.key.image.contentHash) },
      uniquingKeysWith: { _, last in last })
    let images = try MeasuredImages(
      hashes, roots: reads.question.roots, corpus: images, by: WorkerDescriber(configuration),
      notice: warnings)
    return ReadPictureSet(
      entry: images.entry, configuration: configuration, page: page, notice: warnings)
  }

  /// Writes all results to a stream in the given format.
  public func write(_ format: ReportFormat, to output: inout some TextOutputStream) throws {
    try HeicBenchError.mapping {
      let store = try ResultStore(reading: results)
      guard let run = try store.latestRun() else { return try writeCosts(of: store, format, to: &output) }
      let source = try compared(RowSource(store, run: run))
      try format.runFormat.write(source, options: try judgement.options(for: source), to: &output)
    }
  }

  /// For a folder without a sweep, writes the results of its reads, or otherwise of its tiles or generations.
  private func writeCosts(
    of store: ResultStore, _ format: ReportFormat, to output: inout some TextOutputStream
  ) throws {
    guard let report = try store.costReports().first else {
      _ = try ResultsInput.latestRun(of: store)
      return
    }
    switch format {
    case .csv: try report.table.write(.csv, to: &output)
    case .markdown: output.write(report.markdown)
    case .json where report.inRun != nil:
      try RunFormat.json.write(RowSource(metrics: [], features: { [report] }) { _ in }, to: &output)
    case .json:
      try report.writeJSON(to: &output)
      output.write("\n")
    }
  }

  /// Writes the tables of points, savings, BD-rates, reads and tiles into the folder as Parquet. Returns the files' names.
  package func writeParquet() throws -> [String] {
    try HeicBenchError.mapping {
      let store = try ResultStore(reading: results)
      let features = try store.costReports()
      let files = try ResultsFolder.open(results)
      let names = try features.map { try $0.writeParquet(to: files) }
      guard try features.isEmpty || store.latestRun() != nil else { return names }
      let source = try compared(RowSource(store, run: try ResultsInput.latestRun(of: store)))
      return try ReportWriter(folder: results, options: try judgement.options(for: source)).writeParquet(
        source) + names
    }
  }

  /// Writes batches for codec-compare's viewer below the folder.
  package func exportForCodecCompare() throws {
    try HeicBenchError.mapping {
      try CodecCompareExport(folder: results).write(try stored().source)
    }
  }

  /// One line per codec and quality, summed up by the database, in case the images do not fit in memory.
  package func totals(width: Int) throws -> String {
    try HeicBenchError.mapping {
      let (store, run, source) = try stored()
      let summaries = try store.qualitySummaries(of: run.id, against: source.variants.first)
      return try SweepReport.totals(summaries, source).text(width: width)
    }
  }

  private func stored() throws -> (store: ResultStore, run: StoredRun, source: RowSource) {
    let store = try ResultStore(reading: results)
    let run = try ResultsInput.latestRun(of: store)
    let source = try compared(RowSource(store, run: run))
    _ = try judgement.options(for: source)
    return (store, run, source)
  }

  private func refuseSilence(_ source: RowSource, _ options: AnalysisOptions) throws {
    let analysis = try RunReport(reading: source, options: options).analysis
    let verdicts = analysis.verdicts
    guard let first = verdicts.first, verdicts.allSatisfy({ $0.direction == .unknown }) else { return }
    throw HeicBenchError(.usage, "\(Wording(analysis).sentence(first)) The reports were not changed.")
  }
}

extension ResultStore {
  /// The reports on whichever of reads, tiles and generations the store has.
  /// - Parameter pictures: Makes the pictures of a report on reads; nil for none.
  func costReports(
    pictures: (DecodeReport) throws -> ReadPictureSet? = { _ in nil }
  ) throws -> [FeatureReport] {
    let reads = try DecodeReport(of: self)
    let reports = [
      try reads?.feature(with: reads.flatMap(pictures)), try TileReport(of: self)?.feature,
      try chainReport(),
    ]
    return try reports.compactMap { try $0?.withSkipped(of: self) }
  }
}
