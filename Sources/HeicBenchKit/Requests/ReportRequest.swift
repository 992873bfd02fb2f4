import Analysis
import CodecKit
import Model
import Reports
import Store

/// The reports of a run, made again from its results folder. Nothing is measured.
public struct ReportRequest: Sendable {
  /// The results folder.
  public var results: String
  /// Where the images are now; empty where the run found them. Pictures alone need them.
  public var images: [InputPath] = []
  /// What the page shows beside plots and tables.
  public var page = PageSettings()
  /// How pictures are made.
  public var workers = WorkerSettings()
  /// Where variants are compared.
  public var judgement = Judgement()

  /// Reports on the latest run of a results folder.
  public init(results: String = "results") { self.results = results }

  /// Writes the page, the charts, `summary.md` and `measurements.csv` into the folder. Reports that say something are
  /// not replaced by some that have no answer to what was asked.
  /// - Parameter warnings: told of images whose pictures cannot be made, in sentences.
  public func writePage(warnings: @escaping @Sendable (String) -> Void = { _ in }) throws {
    try HeicBenchError.mapping {
      let (store, run) = try stored()
      let source = RowSource(store, run: run)
      let options = try judgement.options(for: source)
      let images = try MeasuredImages(store, run, corpus: images, notice: warnings)
      if judgement.isExplicit { try refuseSilence(source, options) }
      let pictures =
        page.images == 0
        ? nil
        : PictureSet(
          manifest: run.manifest, entry: images.entry,
          configuration: try workers.configuration(limits: ReadLimits()), page: page, notice: warnings)
      try ReportWriter(folder: results, options: options)
        .write(source, title: page.title) { try pictures?.make(for: $0, in: $1) ?? [] }
    }
  }

  /// Writes all results.
  public func write(_ format: ReportFormat, to output: inout some TextOutputStream) throws {
    try HeicBenchError.mapping {
      let (store, run) = try stored()
      let source = RowSource(store, run: run)
      try format.runFormat.write(source, options: try judgement.options(for: source), to: &output)
    }
  }

  /// Writes batches for the viewer of codec-compare below the folder.
  public func exportForCodecCompare() throws {
    try HeicBenchError.mapping {
      let (store, run) = try stored()
      let source = RowSource(store, run: run)
      _ = try judgement.options(for: source)
      try CodecCompareExport(folder: results).write(source)
    }
  }

  /// A line for each codec and quality, summed up by the database: for more images than memory holds.
  public func totals() throws -> String {
    try HeicBenchError.mapping {
      let (store, run) = try stored()
      let source = RowSource(store, run: run)
      _ = try judgement.options(for: source)
      return try AnswerText.totals(try store.qualitySummaries(of: run.id), source)
    }
  }

  private func stored() throws -> (ResultStore, StoredRun) {
    let store = try ResultStore(reading: results)
    return (store, try ResultsInput.latestRun(of: store))
  }

  private func refuseSilence(_ source: RowSource, _ options: AnalysisOptions) throws {
    let analysis = try RunReport(reading: source, options: options).analysis
    let verdicts = analysis.verdicts
    guard let first = verdicts.first, verdicts.allSatisfy({ $0.direction == .unknown }) else { return }
    throw HeicBenchError(.usage, "\(Wording(analysis).sentence(first)) The reports are left as they were.")
  }
}
