import Analysis
import Foundation
import Reports
import Store

/// A comparison of reads with a baseline of reads: decode times, memory, scores, and what can be read at all.
public struct ReadGateRequest: Sendable {
  /// What to compare with: a file that `heicbench baseline --reads` wrote, any `decodes.csv`, or a results folder.
  public var baseline: String
  /// How much worse something may get, by the names that `heicbench check --help` lists.
  public var thresholds: [String: Double] = [:]
  /// A file of thresholds; nil takes `.heicbench.yml` where there is one.
  public var configuration: String?
  /// Whether improvements fail the gate too; nil leaves it to the configuration.
  public var failsOnImprovement: Bool?
  /// Whether the baseline is replaced when things only got better.
  public var replacesBaseline = false

  /// Compares with a baseline.
  public init(baseline: String) { self.baseline = baseline }

  /// Whether a path is a baseline of reads: a file with their columns, or a folder in which files were read.
  public static func isBaseline(_ path: String) -> Bool {
    if let store = try? ResultStore(reading: path) { return (try? store.reads().isEmpty) == false }
    let columns = TableCSV.columns(ofFile: path) ?? []
    return GatedRead.requiredColumns.allSatisfy(columns.contains)
  }

  /// Whether nothing but reads can be compared with a path: a file of reads, or a folder without a sweep.
  public static func isOfReadsAlone(_ path: String) -> Bool {
    guard isBaseline(path) else { return false }
    guard let store = try? ResultStore(reading: path) else { return true }
    return (try? store.latestRun()) == nil
  }

  /// Compares the reads of a results folder, or of a file.
  /// - Throws: `HeicBenchError` where one of the two cannot be read, or a threshold does not exist.
  public func run(on results: String = "results") throws -> ReadGateOutcome {
    try HeicBenchError.mapping {
      var settings = try GateConfiguration.read(configuration)
      if let failsOnImprovement { settings.failOn = failsOnImprovement ? .improvement : .regression }
      let tolerances = try settings.tolerances(
        flags: thresholds, metrics: Array(settings.thresholds.keys) + Array(settings.otherVersions.keys))
      let before = try Self.reads(at: baseline)
      guard before.contains(where: { $0.status == "measured" }) else {
        throw HeicBenchError(
          .resultsUnusable,
          "the baseline “\(baseline)” has no read that was measured, so nothing can be compared with it; write one "
            + "with “heicbench baseline --reads”")
      }
      let required = Self.isOfReadsAlone(baseline) ? Set(thresholds.keys) : []
      var report = ReadGate(tolerances, required: required).compare(before, try Self.reads(at: results))
      let isFile = baseline.hasSuffix(".csv")
      if isFile {
        report.accept =
          "heicbench baseline \(ShellWord.quoted(results)) --reads --output \(ShellWord.quoted(baseline))"
      }
      var outcome = ReadGateOutcome(report, failsOnImprovement: settings.failOn == .improvement)
      if replacesBaseline, report.isPureImprovement {
        if isFile {
          try ReadBaselineRequest(results: results).write(to: baseline)
          outcome.notices.append("reading only got better: “\(baseline)” was replaced")
        } else {
          outcome.notices.append("--ratchet replaces files alone; “\(baseline)” stays as it is")
        }
      }
      return outcome
    }
  }

  private static func reads(at path: String) throws -> [GatedRead] {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      return try ResultStore(reading: path).reads().map { GatedRead(ReadRow($0)) }
    }
    return try TableCSV.rows(ofFile: path, required: GatedRead.requiredColumns).map(GatedRead.init)
  }
}

/// What became of a comparison of reads with a baseline.
public struct ReadGateOutcome: Sendable {
  let report: ReadGateReport
  let failsOnImprovement: Bool
  /// What else there is to say, a sentence each.
  public internal(set) var notices: [String] = []

  init(_ report: ReadGateReport, failsOnImprovement: Bool) {
    (self.report, self.failsOnImprovement) = (report, failsOnImprovement)
  }

  /// Whether the gate has failed.
  public var hasFailed: Bool { report.fails(onImprovement: failsOnImprovement) }
  /// The outcome in a sentence.
  public var headline: String { summary.headline }
  /// The report as Markdown.
  public var markdown: String { summary.markdown }
  /// The report as JSON.
  public var json: String { summary.json }

  var summary: ReadGateSummary { ReadGateSummary(report, failsOnImprovement: failsOnImprovement) }
}

/// A baseline of the reads of a results folder.
public struct ReadBaselineRequest: Sendable {
  /// A results folder.
  public var results: String

  /// Makes a baseline from a results folder.
  public init(results: String = "results") { self.results = results }

  /// The baseline as CSV.
  /// - Throws: `HeicBenchError` where nothing was read.
  public func text() throws -> String {
    try HeicBenchError.mapping {
      guard let report = try DecodeReport(of: ResultStore(reading: results)) else {
        throw HeicBenchError(
          .resultsUnusable, "no files were read into “\(results)” yet; “heicbench decode” reads them")
      }
      return ReadBaselineColumns.csv(report.rows)
    }
  }

  /// Writes the baseline; a file that is no baseline stays as it is.
  /// - Throws: as `text` does, and `HeicBenchError` where the file cannot be written.
  public func write(to file: String) throws {
    let text = try text()
    try HeicBenchError.mapping { try AtomicFile.write(text, to: file, replacing: BaselineText.beginning) }
  }
}
