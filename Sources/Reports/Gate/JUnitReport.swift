package import Analysis
import Model

/// The gate's findings as JUnit XML, which CI systems take as test results: the verdict, a suite for the corpus, and
/// one each for variants, reads and tiles. Cases are thresholds by key, the same in every run so that a history can
/// follow them: failed, passed, or skipped if nothing was held against them.
package enum JUnitReport {
  private struct TestCase {
    var name: String
    var failures: [String] = []
    /// The reason for skipping the case; nil if it was not.
    var skipped: String?
  }

  private struct Suite {
    var name: String
    var cases: [TestCase]
  }

  /// The start of every such file.
  package static let beginning = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites"

  /// The whole document.
  /// - Parameters:
  ///   - report: that of a sweep; nil without one.
  ///   - failsOnImprovement: true if improvements fail the sweep's gate, too.
  ///   - costs: those of reads and tiles.
  package static func xml(
    _ report: GateReport?, failsOnImprovement: Bool = false, costs: [CostGateSummary] = []
  ) -> String {
    let verdict = TestCase(name: verdictName, failures: verdicts(report, failsOnImprovement, costs))
    let suites =
      [Suite(name: gateName, cases: [verdict])]
      + (report.map { Self.suites(of: $0, failsOnImprovement) } ?? []) + costs.map { Self.suite(of: $0) }
    var text = beginning
    let all = suites.flatMap(\.cases)
    text += " name=\"heicbench\" \(counts(all))>\n"
    for suite in suites {
      text += "  <testsuite name=\"\(escaped(suite.name))\" \(counts(suite.cases))>\n"
      text += suite.cases.map { element($0, of: suite.name) }.joined()
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  /// The document of a gate that compared nothing: its verdict is an error, neither passed nor failed.
  package static func unlooked(_ reason: String) -> String {
    let counts = "tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\""
    let message = escaped("the gate has not looked: \(reason)")
    return beginning + " name=\"heicbench\" \(counts)>\n  <testsuite name=\"\(gateName)\" \(counts)>\n"
      + start(of: TestCase(name: verdictName), in: gateName)
      + ">\n      <error message=\"\(message)\"/>\n    </testcase>\n  </testsuite>\n</testsuites>\n"
  }

  private static let gateName = "gate"
  private static let verdictName = "verdict"

  /// The reasons for exit code 1, one line for each failed part of the gate.
  private static func verdicts(
    _ report: GateReport?, _ failsOnImprovement: Bool, _ costs: [CostGateSummary]
  ) -> [String] {
    var verdicts: [String] = []
    if let report, report.fails(onImprovement: failsOnImprovement) {
      verdicts.append(
        report.isRegression ? GateWording(report).headline : GitHubAnnotations.improvementVerdict)
    }
    return verdicts + costs.filter(\.hasFailed).map(\.headline)
  }

  private static func counts(_ cases: [TestCase]) -> String {
    let failures = cases.count { !$0.failures.isEmpty }
    let skipped = cases.count { $0.failures.isEmpty && $0.skipped != nil }
    return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
  }

  private static func suites(of report: GateReport, _ failsOnImprovement: Bool) -> [Suite] {
    let findings = report.regressions + report.inconclusive
    let variants = report.variants.map(\.variant)
    let others = findings.compactMap(\.variant).filter { !variants.contains($0) }
    let names = ["failures", "changed", "vanished", "compared", "finished", "thresholds"]
    var suites = [Suite(name: "corpus", cases: cases(names, of: nil, in: report, failsOnImprovement))]
    let scores = Set(report.tolerances.sameVersions.scores.keys).union(
      report.tolerances.otherVersions.scores.keys)
    let keys =
      ["total-bytes", "point-bytes"] + scores.sorted()
      + ["saving", "bd-rate", "failures", "vanished"] + TimedOperation.allCases.map { "\($0)-time" }
    for variant in variants + Set(others).sorted(by: { $0.name < $1.name }) {
      suites.append(
        Suite(name: variant.name, cases: cases(keys, of: variant, in: report, failsOnImprovement)))
    }
    return suites
  }

  private static func cases(
    _ names: [String], of variant: CodecVariant?, in report: GateReport, _ failsOnImprovement: Bool
  ) -> [TestCase] {
    let regressions = report.regressions.filter { $0.variant == variant }
    let inconclusive = report.inconclusive.filter { $0.variant == variant }
    let improvements = failsOnImprovement ? report.improvements.filter { $0.variant == variant } : []
    let comparison = report.variants.first { $0.variant == variant }
    return names.map { name in
      let noise = inconclusive.first { $0.caseName == name }.map { "inconclusive: \(line($0, $0.sentence))" }
      return TestCase(
        name: name,
        failures: regressions.filter { $0.caseName == name }.map { line($0, $0.sentence) }
          + improvements.filter { $0.caseName == name }.map { line($0, $0.improvement) },
        skipped: noise ?? (variant == nil ? nil : obstacle(to: name, comparison)))
    }
  }

  /// The reason that nothing of a variant was held against a threshold; nil if something was.
  private static func obstacle(to name: String, _ comparison: VariantComparison?) -> String? {
    if ["failures", "vanished"].contains(name) { return nil }
    guard let comparison, comparison.points > 0 else { return "no point was there to compare" }
    return switch name {
    case "total-bytes", "point-bytes": nil
    case "saving": comparison.targets.isEmpty ? "no bytes at equal score on both sides" : nil
    case "bd-rate": comparison.bdRate == nil ? "no curve on both sides" : nil
    case let time where TimedOperation.allCases.contains { time == "\($0)-time" }:
      TimedOperation.allCases.contains { time == "\($0)-time" && comparison.times[$0] != nil }
        ? nil : "times cannot be compared"
    default: comparison.comparedScores.contains(name) ? nil : "no such score on both sides"
    }
  }

  private static func suite(of summary: CostGateSummary) -> Suite {
    let report = summary.report
    var quantities: [CostFinding.Quantity] = [.bytes, .score, .memory]
    if report.subject == .reads { quantities.append(.time) }
    quantities += [.failure, .vanished, .changed, .uncompared, .unguarded]
    let improvements = summary.failsOnImprovement ? report.improvements : []
    return Suite(
      name: report.subject.rawValue,
      cases: quantities.map { quantity in
        let noise = report.inconclusive.first { $0.quantity == quantity }
        return TestCase(
          name: quantity.caseName,
          failures: report.regressions.filter { $0.quantity == quantity }.map(summary.line)
            + improvements.filter { $0.quantity == quantity }.map {
              "better than the baseline: \(summary.line($0))"
            },
          skipped: noise.map { "inconclusive: \(summary.line($0))" } ?? obstacle(to: quantity, report))
      })
  }

  private static func obstacle(to quantity: CostFinding.Quantity, _ report: CostGateReport) -> String? {
    switch quantity {
    case .bytes, .score, .memory: report.compared == 0 ? "nothing was there to compare" : nil
    case .time: report.timedGroups == 0 ? "times cannot be compared" : nil
    default: nil
    }
  }

  private static func element(_ test: TestCase, of suite: String) -> String {
    let start = start(of: test, in: suite)
    if let first = test.failures.first {
      return start + ">\n      <failure message=\"\(escaped(first))\">"
        + test.failures.map(escaped).joined(separator: "\n") + "</failure>\n    </testcase>\n"
    }
    if let skipped = test.skipped {
      return start + ">\n      <skipped message=\"\(escaped(skipped))\"/>\n    </testcase>\n"
    }
    return start + "/>\n"
  }

  private static func start(of test: TestCase, in suite: String) -> String {
    "    <testcase classname=\"heicbench.\(escaped(suite))\" name=\"\(escaped(test.name))\""
  }

  private static func line(_ finding: GateFinding, _ sentence: String) -> String {
    finding.place.isEmpty ? sentence : "\(finding.place): \(sentence)"
  }

  private static func escaped(_ text: String) -> String { SVGCanvas.escaped(text) }
}

extension GateFinding {
  /// The case of a finding: the key of its threshold, if it has one.
  fileprivate var caseName: String {
    switch quantity {
    case .pointBytes: "point-bytes"
    case .score(let metric): metric
    case .totalBytes: "total-bytes"
    case .saving: "saving"
    case .bdRate: "bd-rate"
    case .failure: "failures"
    case .vanished: "vanished"
    case .changed: "changed"
    case .missing(let key):
      if case .unguarded = detail { variant == nil ? "thresholds" : key } else { "vanished" }
    case .uncompared: "compared"
    case .unfinished: "finished"
    case .time(let operation): "\(operation)-time"
    }
  }
}

extension CostFinding.Quantity {
  fileprivate var caseName: String {
    switch self {
    case .bytes: "point-bytes"
    case .score: "ssimulacra2"
    case .memory: "decode-memory"
    case .time: "decode-time"
    case .failure: "failures"
    case .vanished: "vanished"
    case .changed: "changed"
    case .uncompared: "compared"
    case .unguarded: "thresholds"
    }
  }
}
