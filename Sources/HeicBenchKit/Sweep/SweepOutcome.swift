import Analysis
import Foundation
import Model
import Reports
import Store
import Sweep
import Workers

/// What goes on while a sweep runs.
public enum SweepEvent: Sendable {
  /// So many files of the corpus are read.
  case reading(done: Int, total: Int)
  /// Files that are no images, or cannot be read, were left out: in a phrase, and by name as far as names are kept.
  case passedOver(phrase: String, names: [String])
  /// The run is going to do this. Comes once before anything is measured, and once more with the time that it will
  /// take, as soon as that can be told.
  case planned(SweepOutlook)
  /// So many points are measured, or searches for a target done.
  case measuring(SweepProgress)
  /// What the answer is so far, for each codec but the first that has one with an interval.
  case headline([Saving])
  /// So many points are timed once more.
  case timing(SweepProgress)
  /// The answer for people, as `SweepOutcome.text` gives it: comes before the pictures of the page are made, and not at
  /// all where reports of an earlier run still hold.
  case answer(String)
  /// So many pictures of the page are made.
  case drawing(done: Int, total: Int)
  /// Measuring, timing or drawing is over.
  case stepEnded
  /// Something that readers of the results ought to know, in a sentence.
  case notice(String)
  /// Something that was asked for and could not be done, in a sentence.
  case warning(String)
  /// What developers want to know, put into words when it is asked for.
  case detail(@Sendable () -> String)
}

/// What became of a sweep. The results themselves are in its folder.
public struct SweepOutcome: Sendable {
  /// The folder of the results.
  public let folder: String
  /// What could not be measured.
  public let failures: [FailedPoint]
  /// Whether the run was stopped early.
  public var wasInterrupted: Bool { summary.wasCancelled }
  /// Whether it was stopped because the time of its budget was up.
  public var ranOutOfTime: Bool { summary.ranOutOfTime }
  /// Points that this run has measured.
  public var measured: Int { summary.measured }
  /// Points that earlier runs had measured.
  public var skipped: Int { summary.skipped }
  /// Points that a codec cannot do, such as 16 bits in JPEG.
  public var unsupported: Int { summary.unsupported }
  /// Points that failed in this run.
  public var failed: Int { summary.failed }
  /// Scores of measured points that their programs did not give.
  package var failedScores: Int { summary.failedScores }
  /// Images that could not be used at all.
  public var unusableImages: Int { summary.imageProblems }
  /// Elapsed time of the measuring, seconds.
  public var seconds: Double { Double(summary.wallNanoseconds) / 1e9 }
  /// Points that this run has timed with nothing beside them, and how long that took, seconds.
  package let timed: (points: Int, seconds: Double)
  /// Files that were to be kept and are not, since they are not what was measured.
  package let notKept: [String]

  let summary: SweepSummary
  let store: ResultStore
  let run: StoredRun
  let options: AnalysisOptions
  /// The report, where this run has made one.
  let written: RunReport?
  /// The answer, where it is known without reading the results.
  let answer: String?
  /// Whether the answer came as an event.
  package var wasAnswered: Bool { written != nil }
  /// Whether the run was stopped when only the page's pictures were missing.
  package let lacksPictures: Bool
  /// How many images the run has.
  let images: Int

  /// The answer for people: what each codec saves, what to beware of, and a line for each codec and quality.
  /// - Throws: where the results cannot be read.
  public func text() throws -> String { try answer ?? AnswerText.text(try report()) }

  /// Writes all results.
  /// - Throws: where the results cannot be read.
  public func write(_ format: ReportFormat, to output: inout some TextOutputStream) throws {
    try HeicBenchError.mapping { try format.runFormat.write(source, options: options, to: &output) }
  }

  /// What each codec saves over the first one at the scores that were asked for.
  /// - Throws: where the results cannot be read.
  public func savings() throws -> [Saving] {
    let analysis = try report().analysis
    return analysis.verdicts.map { Saving($0, Wording(analysis)) }
  }

  /// Throws where no image at all could be used.
  package func requireUsableImages() throws {
    let unusable = failures.filter { $0.codec == nil }
    guard let first = unusable.first, unusable.count == images else { return }
    throw HeicBenchError(
      .noInput, "none of the \(images) images can be used: “\(first.image)” \(first.message)")
  }

  /// The rows of the run.
  var source: RowSource { RowSource(store, run: run) }

  private func report() throws -> RunReport {
    try written ?? HeicBenchError.mapping { try RunReport(reading: source, options: options) }
  }
}

/// What a codec takes less than another one at equal quality.
public struct Saving: Sendable, Hashable {
  /// The codec with its settings.
  public let codec: String
  /// What it is compared with.
  public let reference: String
  /// The score at which both are compared; nil where the run has no answer.
  public let score: Double?
  /// The mean change in bytes over the images, percent: negative where `codec` takes fewer; nil where the run has no
  /// answer.
  public let bytesPercent: Double?
  /// The 95 % interval of that mean; nil where there are too few images for one.
  public let interval: ClosedRange<Double>?
  /// How many images the mean is of; nil where the run has no answer.
  public let images: Int?
  /// How many images the run has; nil where the run has no answer.
  public let outOf: Int?
  /// The answer as a sentence.
  public let sentence: String
  /// The answer in a few words: `HEIC −30 % (−35 to −25) at SSIMULACRA2 70, 12 of 24 images`; nil without an interval.
  package let brief: String?

  init(_ verdict: Verdict, _ wording: Wording) {
    codec = verdict.variant.name
    reference = verdict.reference.name
    score = verdict.target
    bytesPercent = verdict.bytes?.mean
    interval = (verdict.bytes?.interval).map { $0.lower...$0.upper }
    images = verdict.bytes?.images
    outOf = verdict.bytes?.outOf
    sentence = wording.sentence(verdict)
    brief = wording.brief(verdict)
  }
}

/// An image or a point that could not be measured.
public struct FailedPoint: Sendable, Hashable {
  /// The image's name.
  public let image: String
  /// The codec with its settings; nil where the image as a whole could not be used.
  public let codec: String?
  /// The quality; nil where the image as a whole or an imported file could not be used.
  public let quality: Double?
  /// What happened.
  public let message: String
  /// What kind of failure it was, as `failures.csv` names it.
  public let kind: String

  init(_ failure: StoredFailure) {
    image = failure.image.name
    codec = failure.key?.variant.name ?? failure.imported?.series
    quality = failure.key?.quality.value
    message = failure.failure.message
    kind = failure.failure.kind.rawValue
  }
}

/// The forms in which all results are written to a stream.
public enum ReportFormat: String, Sendable, Hashable, CaseIterable {
  /// A row for each point, as in `measurements.csv`.
  case csv
  /// All there is, as `docs/schema.json` describes it.
  case json
  /// The summary.
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
  /// Compares what a sweep has measured.
  /// - Throws: `HeicBenchError` where the baseline cannot be read, or a threshold does not exist.
  public func run(on outcome: SweepOutcome) throws -> GateOutcome {
    try HeicBenchError.mapping {
      let report = try compare(openBaseline(), outcome.source, at: outcome.folder)
      return try finish(report, []) {
        if report.isPureImprovement {
          try replace(&$0) { try BaselineText.write(outcome.source, to: &$0) }
        }
      }
    }
  }
}
