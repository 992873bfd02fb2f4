import BenchModel
import Foundation
import Metrics
import Reports
import Results

/// One comparison with a baseline, from the files to the exit code.
struct GateSession {
  let baseline: String
  let options: GateOptions
  let judgement: JudgementOptions
  var environment = ProcessInfo.processInfo.environment

  /// The outcome, and how it is to be judged.
  struct Outcome {
    let report: GateReport
    let failsOnImprovement: Bool

    var hasFailed: Bool { report.fails(onImprovement: failsOnImprovement) }

    /// The report as Markdown, which reads well in a terminal too.
    var markdown: String { GateSummary(report, failsOnImprovement: failsOnImprovement).markdown }

    /// The report as JSON.
    var json: String { GateJSON.text(report, failsOnImprovement: failsOnImprovement) }
  }

  /// Looks whether the baseline can be read to its end, and whether all thresholds exist.
  /// - Parameter metrics: identifiers of the run's metrics.
  func check(metrics: [String]) throws {
    let configuration = try options.configuration()
    try ResultsInput.rows(at: baseline).forEachRow { _ in }
    _ = try configuration.tolerances(flags: options.flags, metrics: metrics)
  }

  /// Compares, and tells CI systems where they look. Standard output is the caller's.
  func compare(with current: RowSource) throws -> Outcome {
    let configuration = try options.configuration()
    let before = try ResultsInput.rows(at: baseline)
    let metrics = current.metrics.isEmpty ? MetricSuite.standard : current.metrics
    var builder = GateBuilder(
      tolerances: try configuration.tolerances(flags: options.flags, metrics: metrics.map(\.id)),
      metrics: metrics, options: try judgement.options(for: current), baselineManifest: before.manifest,
      manifest: current.manifest)
    try before.forEachRow { builder.addBaseline($0) }
    var directions = DirectionCheck(metrics: metrics)
    try current.forEachRow { row in
      try builder.add(row)
      directions.add(row)
    }
    try directions.refuseReversed()
    let outcome = Outcome(
      report: builder.finish(), failsOnImprovement: configuration.failOn == .improvement)
    try announce(outcome)
    if options.ratchet, outcome.report.isPureImprovement { try refresh(from: current) }
    return outcome
  }

  /// Annotations, the job's summary and JUnit XML.
  private func announce(_ outcome: Outcome) throws {
    if environment["GITHUB_ACTIONS"] == "true" {
      // On standard error they reach the runner as well, and leave standard output to the formats.
      StandardError.write(
        GitHubAnnotations.text(outcome.report, failsOnImprovement: outcome.failsOnImprovement))
    }
    if let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty {
      try append(outcome.markdown, to: path)
    }
    if let junit = options.junit { try AtomicFile.write(JUnitReport.xml(outcome.report), to: junit) }
  }

  /// Other steps write into the job's summary too, so it is added to and not replaced.
  private func append(_ text: String, to path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let handle = FileHandle(forWritingAtPath: path) else {
      throw CommandError(.resultsUnusable, "the job’s summary “\(path)” cannot be written")
    }
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data((text + "\n").utf8))
  }

  private func refresh(from current: RowSource) throws {
    guard baseline.hasSuffix(".csv") else {
      StandardError.notice("--ratchet replaces files alone; “\(baseline)” stays as it is")
      return
    }
    try AtomicFile.write(BaselineText.csv(current), to: baseline)
    StandardError.notice("things only got better: “\(baseline)” was replaced")
  }
}
