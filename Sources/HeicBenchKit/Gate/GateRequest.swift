import Analysis
import CodecKit
import Codecs
import Foundation
import Metrics
import Model
import Reports
import Store

/// Compares a run with a baseline and reports whether it got worse.
public struct GateRequest: Sendable {
  /// The baseline: any `measurements.csv`, or a results folder.
  public var baseline: String
  /// Tolerated changes, by the names that `heicbench check --help` lists; they override the configuration.
  public var thresholds: [String: Double] = [:]
  /// A file of thresholds; nil uses `.heicbench.yml` if there is one.
  public var configuration: String?
  /// True if improvements fail the gate too, so that the baseline is kept up to date; nil leaves it to the
  /// configuration.
  public var failsOnImprovement: Bool?
  /// True to replace the baseline if results only improved.
  public var replacesBaseline = false
  /// A file for JUnit XML; nil writes none.
  public var junit: String?
  /// A file to append the Markdown report to, such as a GitHub job's summary; nil for none.
  package var summary: String?
  /// The metric and scores at which variants are compared.
  public var judgement = Judgement()

  /// Creates a comparison with a baseline.
  public init(baseline: String) { self.baseline = baseline }

  /// Compares a results folder or a file with the baseline: whichever of the sweep, reads, tiles and generations the
  /// baseline has. A baseline for reads, tiles or generations is a file from “heicbench check --write”, any
  /// `decodes.csv`, `tiles.csv` or `generations.csv`, or a results folder.
  /// - Throws: `HeicBenchError` if either cannot be read, or a threshold does not exist.
  public func run(on results: String = "results") throws -> GateOutcome {
    try HeicBenchError.mapping {
      let (before, current) = (try openBaseline(), try ResultsInput(results))
      let subjects = try before.costSubjects
      let isAlone = try !subjects.isEmpty && !before.hasSweepBesides
      if !isAlone { try current.requireStatus() }
      var parts = try subjects.map { try compare($0, before, current, at: results, isAlone: isAlone) }
      let held = parts.reduce(into: Set<String>()) { $0.formUnion($1.held) }
      if isAlone {
        if parts.contains(where: { $0.comparedPoints > 0 }) {
          for key in thresholds.keys.sorted() where !held.contains(key) { parts[0].add(unguarded: key) }
        }
      } else {
        parts.insert(try compare(before, current.rows(), at: results, heldElsewhere: held), at: 0)
      }
      return try finish(parts) { try current.writeBaseline(of: $0, to: &$1) }
    }
  }

  /// Throws unless the baseline is readable to its end and all thresholds exist; `metrics` are the run's identifiers.
  package func check(metrics: [String]) throws {
    let configuration = try settings()
    _ = try scores(of: try openBaseline().rows())
    _ = try configuration.tolerances(flags: thresholds, metrics: metrics)
  }

  /// Throws if the baseline is not of the run's light, or if a threshold is for a metric that the run does not have.
  func check(metrics: [String], isHDR: Bool) throws {
    _ = try settings().tolerances(flags: thresholds, metrics: metrics)
    try requireOneLight(openBaseline(), isHDR: isHDR, "the run")
  }

  /// Compares a sweep.
  /// - Parameters:
  ///   - path: The run's name on a command line.
  ///   - heldElsewhere: Thresholds applied to other kinds of measurements.
  func compare(
    _ baseline: ResultsInput, _ current: RowSource, at path: String, heldElsewhere: Set<String> = []
  ) throws -> GateReport {
    let configuration = try settings()
    let elsewhere = heldElsewhere.intersection(GateThresholds.keys)
    try requireOneLight(baseline, isHDR: current.isHDR, "the run “\(path)”")
    let own = current.metrics.filter { !(MetricTraits.standard + MetricTraits.hdr).contains($0) }
    let known = MetricTraits.standard + MetricTraits.hdr + own
    let before = try baseline.rows(metrics: known)
    // A metric that the baseline has and the run has not measured counts as missing, not as passed.
    let measured = Set(current.metrics.map(\.id))
    let scored = before.metrics(with: try scores(of: before))
    let metrics = current.metrics + scored.filter { !measured.contains($0.id) }
    let builder = GateBuilder(
      tolerances: try configuration.tolerances(flags: thresholds, metrics: metrics.map(\.id)),
      metrics: metrics, options: try judgement.options(for: current), baselineManifest: before.manifest,
      manifest: current.manifest, required: configuration.required(flags: thresholds).subtracting(elsewhere),
      progress: try current.progress())
    var directions = DirectionCheck(metrics: metrics)
    var report = try Self.report(builder, before, current) { directions.add($0) }
    try directions.refuseReversed()
    if report.hasOtherSettings {
      // Compares again, pairing the codec's old settings with its new ones.
      var pairs = builder
      pairs.pairsCodecs = true
      report.replacements = try Self.report(pairs, before, current).variants
        .filter { $0.variant != $0.baselineVariant }
    }
    if report.unfinished != nil {
      report.resume = current.manifest?.command.map(ShellWord.quoted).joined(separator: " ")
    } else if report.missingShards == nil {
      report.accept = acceptance(of: path)
    }
    if let progress = try before.progress(), !progress.isFinished {
      report.circumstances.unfinishedBaseline = progress
    }
    if report.comparedPoints > 0 {
      report.circumstances.idleThresholds = configuration.tolerated(flags: thresholds)
        .subtracting(elsewhere).subtracting(report.held).sorted()
    }
    return report
  }

  /// Refuses to compare HDR with SDR, whose scores and codecs have nothing in common.
  private func requireOneLight(_ baseline: ResultsInput, isHDR: Bool, _ run: String) throws {
    guard try baseline.isHDR != isHDR else { return }
    let (one, other) = isHDR ? ("SDR", "HDR") : ("HDR", "SDR")
    throw HeicBenchError(
      .resultsUnusable,
      "the baseline “\(self.baseline)” is \(one) and \(run) is \(other), so their scores cannot be "
        + "compared; use a separate baseline for each")
  }

  private static func report(
    _ builder: GateBuilder, _ before: RowSource, _ current: RowSource,
    seeing: (ResultRow) -> Void = { _ in }
  ) throws -> GateReport {
    var builder = builder
    try before.forEachRow { builder.addBaseline($0.canonical) }
    try current.forEachRow { row in
      try builder.add(row.canonical)
      seeing(row)
    }
    return builder.finish()
  }

  func openBaseline() throws -> ResultsInput {
    guard FileManager.default.fileExists(atPath: baseline) else {
      throw HeicBenchError(
        .resultsUnusable,
        "the baseline “\(baseline)” does not exist; the first time, measure without a baseline, then create it with "
          + "“heicbench check --write \(fileToWrite)”")
    }
    return try ResultsInput(baseline)
  }

  /// Compares measurements other than points; `path` names the results on a command line.
  /// - Parameter isAlone: False if a sweep is compared too, which then refuses unknown thresholds.
  private func compare(
    _ subject: GateSubject, _ baseline: ResultsInput, _ current: ResultsInput, at path: String, isAlone: Bool
  ) throws -> GateReport {
    let settings = try settings()
    // Other keys may be for metrics of a sweep, but these results have SDR scores only.
    let others = Array(settings.thresholds.keys) + Array(settings.otherVersions.keys)
    let tolerances = try settings.tolerances(
      flags: thresholds, metrics: isAlone ? others : others + Array(thresholds.keys), over: GateTolerances())
    let before = try baseline.rows(of: subject)
    guard before.contains(where: { $0.status == .measured }) else {
      let noun = subject == .tiles ? "picture in tiles" : subject.noun
      throw nothingMeasured("measured \(noun)", " --\(subject.rawValue)")
    }
    var report = try GateBuilder.compare(subject, before, try current.rows(of: subject), tolerances)
    report.accept = acceptance(of: path, as: " --\(subject.rawValue)")
    return report
  }

  private func nothingMeasured(_ what: String, _ option: String = "") -> HeicBenchError {
    HeicBenchError(
      .resultsUnusable,
      "the baseline “\(baseline)” has no \(what), so nothing can be compared with it; write one with “heicbench "
        + "check\(option) --write \(fileToWrite)”")
  }

  /// The baseline's file for a command line.
  private var fileToWrite: String {
    ShellWord.quoted(baseline.hasSuffix(".csv") ? baseline : "baseline.csv")
  }

  /// Records in the JUnit file, if there is one, that nothing was compared, so that it does not keep an earlier run's
  /// result.
  /// - Parameter reason: The end of a sentence.
  /// - Throws: An error if the file cannot be written, or is not from heicbench.
  package func noteUnlooked(_ reason: String) throws {
    guard let junit else { return }
    try HeicBenchError.mapping {
      try AtomicFile.write(JUnitReport.unlooked(reason), to: junit, replacing: JUnitReport.beginning)
    }
  }

  /// Writes the reports for CI systems and, if requested, replaces the baseline of each part that only improved.
  /// Standard output is left to the caller.
  func finish(
    _ parts: [GateReport], writing: (GateSubject, inout AtomicFile) throws -> Void
  ) throws -> GateOutcome {
    var parts = parts
    let failsOnImprovement = try settings().failOn == .improvement
    for index in parts.indices { parts[index].failsOnImprovement = failsOnImprovement }
    var outcome = GateOutcome(parts)
    if let summary { try append(outcome.markdown, to: summary) }
    if let junit { try AtomicFile.write(outcome.junit, to: junit, replacing: JUnitReport.beginning) }
    for part in parts where replacesBaseline && part.isPureImprovement {
      guard baseline.hasSuffix(".csv") else {
        outcome.notices.append("--ratchet replaces only files; “\(baseline)” is unchanged")
        continue
      }
      var file = try AtomicFile(path: baseline, replacing: baselineBeginning)
      try writing(part.subject, &file)
      try file.commit()
      outcome.notices.append("results only improved: “\(baseline)” was replaced")
    }
    return outcome
  }

  /// The metrics with scores in a baseline.
  /// - Throws: `HeicBenchError` for a baseline without a measured point, against which every run would pass.
  private func scores(of baseline: RowSource) throws -> Set<String> {
    var metrics: Set<String> = []
    var points = 0
    try baseline.forEachRow { row in
      guard row.status == .measured else { return }
      points += 1
      metrics.formUnion(row.scores.keys)
    }
    guard points > 0 else { throw nothingMeasured("measured encode") }
    return metrics
  }

  private func acceptance(of path: String, as subject: String = "") -> String? {
    guard baseline.hasSuffix(".csv") else { return nil }
    return
      "heicbench check --current \(ShellWord.quoted(path))\(subject) --write \(ShellWord.quoted(baseline))"
  }

  /// Appends to the job's summary, since other steps write to it too.
  private func append(_ text: String, to path: String) throws {
    if !FileManager.default.fileExists(atPath: path) {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
    }
    guard let handle = FileHandle(forWritingAtPath: path) else {
      throw HeicBenchError(.resultsUnusable, "the job summary “\(path)” cannot be written")
    }
    defer { try? handle.close() }
    try handle.seekToEnd()
    try handle.write(contentsOf: Data((text + "\n").utf8))
  }

  func settings() throws -> GateConfiguration {
    var settings = try GateConfiguration.read(configuration)
    if let failsOnImprovement { settings.failOn = failsOnImprovement ? .improvement : .regression }
    return settings
  }
}

extension ResultRow {
  /// The row with its variant spelled as in the registry, so that a file that spells out defaults matches the same
  /// variant; unknown variants stay as they are.
  fileprivate var canonical: ResultRow {
    guard let variant, !variant.settings.isEmpty,
      let known = try? CodecRegistry.standard.variant(variant.name)
    else { return self }
    var row = self
    row.variant = known
    return row
  }
}

extension GateRequest {
  /// Compares results on a separate thread.
  /// - Throws: As the blocking ``run(on:)-(String)`` does.
  public func run(on results: String) async throws -> GateOutcome {
    try await onThread { try run(on: results) }
  }
}
