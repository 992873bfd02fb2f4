import Analysis
import Reports
import Store

/// Progress of a sweep.
public enum SweepEvent: Sendable {
  /// The number of corpus files read so far.
  case reading(done: Int, total: Int)
  /// Files skipped because they are not images or cannot be read: in one or two lines, and the names that
  /// are kept.
  case skipped(lines: [String], names: [String])
  /// The plan. Sent once before anything is measured, and again with the time left as soon as that is known.
  case planned(SweepOutlook)
  /// The number of points measured so far, or of searches for a target done.
  case measuring(SweepProgress)
  /// The answers so far with an interval, for each codec but the first.
  case headline([Saving])
  /// The number of encodes so far at a quality to set.
  case measuringSettings(SweepProgress)
  /// The number of points timed again so far.
  case timing(SweepProgress)
  /// The answer as text, as in `SweepOutcome.text`. Sent before the page's pictures are made, and not at all if the
  /// reports of an earlier run are still valid.
  case answer(String)
  /// The number of the page's pictures made so far.
  case drawing(done: Int, total: Int)
  /// Measuring, timing or drawing has ended.
  case stepEnded
  /// A remark for readers of the results, as a sentence.
  case notice(String)
  /// A sentence about something that was requested but could not be done.
  case warning(String)
  /// A message for developers, formatted on demand.
  case detail(@Sendable () -> String)
}

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

/// The bytes that a codec saves over another one at equal quality.
public struct Saving: Sendable, Hashable {
  /// The codec with its settings.
  public let codec: String
  /// The codec to compare it with.
  public let reference: String
  /// The score at which both are compared; nil if the run has no answer.
  public let score: Double?
  /// Mean change in bytes over the images, percent, negative if `codec` takes fewer; nil if the run has no answer.
  public let bytesPercent: Double?
  /// The 95 % interval of that mean; nil if there are too few images for one.
  public let interval: ClosedRange<Double>?
  /// Number of images in the mean; nil if the run has no answer.
  public let images: Int?
  /// Number of images in the run; nil if the run has no answer.
  public let outOf: Int?
  /// The answer as a sentence.
  public let sentence: String
  /// The codec's display name, next to the other's.
  package let title: String

  init(_ verdict: Verdict, _ wording: Wording) {
    codec = verdict.variant.name
    reference = verdict.reference.name
    score = verdict.target
    bytesPercent = verdict.bytes?.mean
    interval = (verdict.bytes?.interval).map { $0.lower...$0.upper }
    images = verdict.bytes?.images
    outOf = verdict.bytes?.outOf
    sentence = wording.sentence(verdict)
    title = verdict.variant.title(beside: verdict.reference)
  }
}

/// An image or a point that could not be measured.
public struct FailedPoint: Sendable, Hashable {
  /// The image's name.
  public let image: String
  /// The codec with its settings; nil if the image as a whole could not be used.
  public let codec: String?
  /// The quality; nil if the image as a whole or an imported file could not be used.
  public let quality: Double?
  /// A description of the failure.
  public let message: String
  /// The kind of failure, as `failures.csv` names it.
  public let kind: String

  /// `“a.png” with heic at 0.5: killed by SIGSEGV`.
  package var sentence: String {
    let with = codec.map { " with \($0)" } ?? ""
    return "“\(image)”\(with)\(quality.map { " at \($0)" } ?? ""): \(message)"
  }

  init(_ failure: StoredFailure) {
    image = failure.image.name
    codec = failure.key?.variant.name ?? failure.imported?.series
    quality = failure.key?.quality.value
    message = failure.failure.message
    kind = failure.failure.kind.rawValue
  }
}

/// The formats in which all results are written to a stream.
public enum ReportFormat: String, Sendable, Hashable, CaseIterable {
  /// One row per point, as in `measurements.csv`.
  case csv
  /// All results, as `docs/schema.json` describes them.
  case json
  /// The summary in Markdown.
  case markdown

  var runFormat: RunFormat {
    switch self {
    case .csv: .csv
    case .json: .json
    case .markdown: .markdown
    }
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
