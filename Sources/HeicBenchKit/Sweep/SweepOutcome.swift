import Analysis
import Reports
import Store

/// The outcome of a sweep. The results themselves are in `folder`.
public struct SweepOutcome: Sendable {
  /// The folder of the results.
  public let folder: String
  /// The images and points that could not be measured.
  public let failures: [FailedPoint]
  /// True if the run was stopped early.
  public var wasInterrupted: Bool { summary.wasCancelled }
  /// True if the run was stopped because its budget ran out.
  public var ranOutOfTime: Bool { summary.ranOutOfTime }
  /// Number of points that this run has measured.
  public var measured: Int { summary.measured }
  /// Number of points that earlier runs had measured.
  public var skipped: Int { summary.skipped }
  /// Number of points that a codec does not support, such as 16 bits in JPEG.
  public var unsupported: Int { summary.unsupported }
  /// Number of points that failed in this run.
  public var failed: Int { summary.failed }
  /// Number of scores that metric programs did not give for measured points.
  package var failedScores: Int { summary.failedScores }
  /// Number of images that could not be used at all.
  public var unusableImages: Int { summary.imageProblems }
  /// Elapsed time of the measurement, seconds.
  public var seconds: Double { Double(summary.wallNanoseconds) / 1e9 }
  /// Number of points timed exclusively by this run, and the seconds that took.
  package let timed: (points: Int, seconds: Double)
  /// Files not kept because their content differs from what was measured.
  package let notKept: [String]

  let summary: SweepSummary
  let store: ResultStore
  let run: StoredRun
  let options: AnalysisOptions
  let written: RunReport?
  /// The answer, if it is known without reading the results.
  let answer: ReportStamp.Answer?
  package var wasAnswered: Bool { written != nil }
  /// True if the run was stopped while only the page's pictures were missing.
  package let lacksPictures: Bool
  let images: Int

  /// The answer as text: the saving of each codec, caveats, and the quality to set.
  /// - Throws: `HeicBenchError` if the results cannot be read.
  public func text() throws -> String { try text(width: .max) }

  /// The same, with tables folded to this many columns of a terminal.
  package func text(width: Int) throws -> String {
    if let answer, answer.width == width { return answer.text }
    return SweepReport(try report()).text(width: width)
  }

  /// Writes all results to a stream in the given format.
  /// - Throws: `HeicBenchError` if the results cannot be read.
  public func write(_ format: ReportFormat, to output: inout some TextOutputStream) throws {
    try HeicBenchError.mapping { try format.runFormat.write(source, options: options, to: &output) }
  }

  /// The saving of each codec over the first one at the requested scores.
  /// - Throws: `HeicBenchError` if the results cannot be read.
  public func savings() throws -> [Saving] {
    let analysis = try report().analysis
    return analysis.verdicts.map { Saving($0, Wording(analysis)) }
  }

  /// The parts of the sweep of all images that take this many seconds each, based on this run's times.
  /// - Throws: `HeicBenchError` if the results cannot be read or do not show how long images take, with the reason.
  package func shards(of seconds: Double) throws -> ShardPlan {
    try HeicBenchError.mapping {
      let cost = try store.cost(of: self.run.id)
      let manifest = self.run.manifest
      guard !summary.wasCancelled,
        let plan = ShardPlan(cost, sample: manifest.sample, jobs: manifest.jobs, seconds: seconds)
      else {
        throw HeicBenchError(
          .resultsUnusable,
          "the sample in “\(folder)” does not show how long the images take: \(reason(cost)); --fresh measures it again"
        )
      }
      return plan
    }
  }

  private func reason(_ cost: RunCost) -> String {
    if summary.wasCancelled { return "it was stopped" }
    if cost.images.isEmpty { return "none of its images was measured" }
    if cost.processors.count != 1 { return "its times are from \(cost.processors.count) processors" }
    return "its encodes took \(cost.images.reduce(0) { $0 + $1.seconds }) seconds of CPU time"
  }

  package func requireUsableImages() throws {
    let unusable = failures.filter { $0.codec == nil }
    guard let first = unusable.first, unusable.count == images else { return }
    throw HeicBenchError(
      .noInput,
      (images == 1 ? "the image cannot" : "none of the \(images) images can")
        + " be used: “\(first.image)” \(first.message)")
  }

  var source: RowSource { RowSource(store, run: run) }

  private func report() throws -> RunReport {
    try written ?? HeicBenchError.mapping { try RunReport(reading: source, options: options) }
  }
}

extension GateRequest {
  /// Compares the results of a sweep.
  /// - Throws: `HeicBenchError` if the baseline cannot be read, or a threshold does not exist.
  public func run(on outcome: SweepOutcome) throws -> GateOutcome {
    try HeicBenchError.mapping {
      let report = try compare(openBaseline(), outcome.source, at: outcome.folder)
      return try finish([report]) { _, file in try outcome.source.writeBaseline(to: &file) }
    }
  }
}
