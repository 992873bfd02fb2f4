import Analysis
import CodecKit
import Codecs
import Foundation
import Metrics
import Model
import Reports
import Store

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
    _ = try scores(of: try ResultsInput.rows(at: baseline))
    _ = try configuration.tolerances(flags: options.flags, metrics: metrics)
  }

  /// Compares, and tells CI systems where they look. Standard output is the caller's.
  ///
  /// - Parameter path: what the run is called on a command line.
  func compare(with current: RowSource, at path: String) throws -> Outcome {
    let configuration = try options.configuration()
    let known = MetricSuite.standard + current.metrics.filter { !MetricSuite.standard.contains($0) }
    let before = try ResultsInput.rows(at: baseline, metrics: known)
    let metrics = Self.metrics(of: before, current, with: try scores(of: before))
    var builder = GateBuilder(
      tolerances: try configuration.tolerances(flags: options.flags, metrics: metrics.map(\.id)),
      metrics: metrics, options: try judgement.options(for: current), baselineManifest: before.manifest,
      manifest: current.manifest, required: configuration.required(flags: options.flags),
      progress: try current.progress())
    try before.forEachRow { builder.addBaseline($0.canonical) }
    var directions = DirectionCheck(metrics: metrics)
    try current.forEachRow { row in
      try builder.add(row.canonical)
      directions.add(row)
    }
    try directions.refuseReversed()
    var report = builder.finish()
    report.accept = acceptance(of: path)
    if let unfinished = try before.progress()?.phrase {
      report.remarks.append("The baseline's own run is cut short: \(unfinished).")
    }
    let outcome = Outcome(report: report, failsOnImprovement: configuration.failOn == .improvement)
    try announce(outcome)
    if options.ratchet, outcome.report.isPureImprovement { try refresh(from: current) }
    return outcome
  }

  /// The metrics of which a baseline has scores.
  /// - Throws: `CommandError` for a baseline without a measured point, against which everything would pass.
  private func scores(of baseline: RowSource) throws -> Set<String> {
    var metrics: Set<String> = []
    var points = 0
    try baseline.forEachRow { row in
      guard row.status == .measured else { return }
      points += 1
      metrics.formUnion(row.scores.keys)
    }
    guard points > 0 else {
      throw CommandError(
        .resultsUnusable,
        "the baseline “\(self.baseline)” has no measured point, so nothing can be compared with it; write one "
          + "with “heicbench baseline”")
    }
    return metrics
  }

  /// The metrics of both sides: what the run has not measured is missing, not passed.
  private static func metrics(
    of before: RowSource, _ current: RowSource, with scores: Set<String>
  ) -> [MetricTraits] {
    let own = Set(current.metrics.map(\.id))
    return current.metrics + before.metrics(with: scores).filter { !own.contains($0.id) }
  }

  /// The command that makes the run the baseline; nil where the baseline is a results folder.
  private func acceptance(of path: String) -> String? {
    guard baseline.hasSuffix(".csv") else { return nil }
    return "heicbench baseline \(ShellWord.quoted(path)) --output \(ShellWord.quoted(baseline))"
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
    if let junit = options.junit {
      try AtomicFile.write(
        JUnitReport.xml(outcome.report), to: junit, replacing: JUnitReport.beginning)
    }
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
    try AtomicFile.write(
      BaselineText.csv(current), to: baseline, replacing: BaselineText.beginning)
    StandardError.notice("things only got better: “\(baseline)” was replaced")
  }
}

extension ResultRow {
  /// The row with its variant as the registry spells it, so that a file that spells defaults out is about the
  /// same variant; what the registry does not know stays as it is.
  fileprivate var canonical: ResultRow {
    guard let variant, !variant.settings.isEmpty,
      let known = try? CodecRegistry.standard.variant(variant.name)
    else { return self }
    var row = self
    row.variant = known
    return row
  }
}
