package import Analysis
import CodecKit
import Codecs
import Foundation
import Metrics
import Model
import Reports
import Store

/// A comparison of a run with a baseline: did it get worse?
public struct GateRequest: Sendable {
  /// What to compare with: any `measurements.csv`, or a results folder.
  public var baseline: String
  /// How much worse something may get, by the names that `heicbench check --help` lists; they go over those of the
  /// configuration.
  public var thresholds: [String: Double] = [:]
  /// A file of thresholds; nil takes `.heicbench.yml` where there is one.
  public var configuration: String?
  /// Whether improvements fail the gate too, so that the baseline gets refreshed; nil leaves it to the configuration.
  public var failsOnImprovement: Bool?
  /// Whether the baseline is replaced when things only got better.
  public var replacesBaseline = false
  /// A file for JUnit XML; nil writes none.
  public var junit: String?
  /// A file to which the report is added in Markdown; nil for none.
  public var summary: String?
  /// Where variants are compared.
  public var judgement = Judgement()

  /// Compares with a baseline.
  public init(baseline: String) { self.baseline = baseline }

  /// Compares what is in a results folder or a `measurements.csv`.
  /// - Throws: `HeicBenchError` where one of the two cannot be read, or a threshold does not exist.
  public func run(on results: String = "results") throws -> GateOutcome {
    try HeicBenchError.mapping { try compare(with: ResultsInput.rows(at: results), at: results) }
  }

  /// Looks whether the baseline can be read to its end, and whether all thresholds exist.
  /// - Parameter metrics: identifiers of the run's metrics.
  package func check(metrics: [String]) throws {
    let configuration = try settings()
    _ = try scores(of: try ResultsInput.rows(at: baseline))
    _ = try configuration.tolerances(flags: thresholds, metrics: metrics)
  }

  /// Compares, and tells CI systems where they look. Standard output is the caller's.
  ///
  /// - Parameter path: what the run is called on a command line.
  func compare(with current: RowSource, at path: String) throws -> GateOutcome {
    let configuration = try settings()
    let known = MetricSuite.standard + current.metrics.filter { !MetricSuite.standard.contains($0) }
    let before = try ResultsInput.rows(at: baseline, metrics: known)
    let metrics = Self.metrics(of: before, current, with: try scores(of: before))
    var builder = GateBuilder(
      tolerances: try configuration.tolerances(flags: thresholds, metrics: metrics.map(\.id)),
      metrics: metrics, options: try judgement.options(for: current), baselineManifest: before.manifest,
      manifest: current.manifest, required: configuration.required(flags: thresholds),
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
    if let progress = try before.progress(), !progress.isFinished {
      report.remarks.append(.unfinishedBaseline(progress))
    }
    var outcome = GateOutcome(report: report, failsOnImprovement: configuration.failOn == .improvement)
    try write(outcome)
    if replacesBaseline, report.isPureImprovement { outcome.notices.append(try refresh(from: current)) }
    return outcome
  }

  /// The metrics of which a baseline has scores.
  /// - Throws: `HeicBenchError` for a baseline without a measured point, against which everything would pass.
  private func scores(of baseline: RowSource) throws -> Set<String> {
    var metrics: Set<String> = []
    var points = 0
    try baseline.forEachRow { row in
      guard row.status == .measured else { return }
      points += 1
      metrics.formUnion(row.scores.keys)
    }
    guard points > 0 else {
      throw HeicBenchError(
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

  /// JUnit XML and the job's summary.
  private func write(_ outcome: GateOutcome) throws {
    try write(markdown: outcome.markdown, junit: JUnitReport.xml(outcome.report))
  }

  /// JUnit XML and the job's summary, where they are wanted.
  func write(markdown: String, junit xml: String) throws {
    if let summary { try append(markdown, to: summary) }
    if let junit { try AtomicFile.write(xml, to: junit, replacing: JUnitReport.beginning) }
  }

  /// Other steps write into the job's summary too, so it is added to and not replaced.
  private func append(_ text: String, to path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let handle = FileHandle(forWritingAtPath: path) else {
      throw HeicBenchError(.resultsUnusable, "the job’s summary “\(path)” cannot be written")
    }
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data((text + "\n").utf8))
  }

  /// Replaces the baseline; returns what is to be said of it.
  private func refresh(from current: RowSource) throws -> String {
    guard baseline.hasSuffix(".csv") else {
      return "--ratchet replaces files alone; “\(baseline)” stays as it is"
    }
    try AtomicFile.write(BaselineText.csv(current), to: baseline, replacing: BaselineText.beginning)
    return "things only got better: “\(baseline)” was replaced"
  }

  /// The configuration with what was set over it.
  func settings() throws -> GateConfiguration {
    var settings = try GateConfiguration.read(configuration)
    if let failsOnImprovement { settings.failOn = failsOnImprovement ? .improvement : .regression }
    return settings
  }
}

/// What became of a comparison with a baseline.
public struct GateOutcome: Sendable {
  package let report: GateReport
  private let failsOnImprovement: Bool
  /// What else there is to say, a sentence each.
  public internal(set) var notices: [String] = []

  init(report: GateReport, failsOnImprovement: Bool) {
    self.report = report
    self.failsOnImprovement = failsOnImprovement
  }

  /// Whether the gate has failed.
  public var hasFailed: Bool { report.fails(onImprovement: failsOnImprovement) }

  /// The outcome in a sentence.
  public var headline: String { GateWording(report).headline }

  /// The report as Markdown, which reads well in a terminal too.
  public var markdown: String { GateSummary(report, failsOnImprovement: failsOnImprovement).markdown }

  /// The report as JSON.
  public var json: String { GateJSON.text(report, failsOnImprovement: failsOnImprovement) }

  /// The report as JSON, with those of reads and tiles in members of their names.
  func json(with costs: [CostGateSummary]) -> String {
    GateJSON.text(report, failsOnImprovement: failsOnImprovement, costs: costs)
  }

  /// The findings as annotations of a GitHub job, a line each.
  public var annotations: String { GitHubAnnotations.text(report, failsOnImprovement: failsOnImprovement) }
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
