package import Analysis
import Metrics
import Model

/// The gate's findings as JUnit XML, which CI systems take as test results: the verdict, a suite for the corpus, and
/// one each for variants, reads, tiles and generations. Cases are thresholds by key, the same in every run so that a history can
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
  ///   - parts: the sweep and other ways of measuring, as far as they were compared.
  ///   - failsOnImprovement: true if improvements fail the gate, too.
  package static func xml(_ parts: [GateReport], failsOnImprovement: Bool = false) -> String {
    let verdict = TestCase(
      name: verdictName,
      failures: parts.filter { $0.fails(onImprovement: failsOnImprovement) }.map { part in
        part.isRegression ? GateWording(part).headline : GitHubAnnotations.improvementVerdict
      })
    let suites =
      [Suite(name: gateName, cases: [verdict])]
      + parts.flatMap { Self.suites(of: $0, failsOnImprovement) }
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

  private static func counts(_ cases: [TestCase]) -> String {
    let failures = cases.count { !$0.failures.isEmpty }
    let skipped = cases.count { $0.failures.isEmpty && $0.skipped != nil }
    return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
  }

  private static func suites(of report: GateReport, _ failsOnImprovement: Bool) -> [Suite] {
    func suite(_ name: String, _ keys: [String], of variant: CodecVariant? = nil) -> Suite {
      Suite(name: name, cases: cases(keys, of: variant, in: report, failsOnImprovement))
    }
    let scores = report.tolerances.sameVersions.metrics.union(report.tolerances.otherVersions.metrics)
    let times = TimedOperation.allCases.map { GateQuantity.time($0).key }
    guard report.subject == .points else {
      let absences = ["failures", "vanished", "changed", "compared", "thresholds"]
      return [suite(report.subject.rawValue, report.subject.quantities.map(\.key) + absences)]
    }
    let variants = report.variants.map(\.variant)
    let others = (report.regressions + report.inconclusive).compactMap(\.variant).filter {
      !variants.contains($0)
    }
    let keys =
      ["total-bytes", "point-bytes"] + scores.sorted() + ["saving", "bd-rate", "failures", "vanished"] + times
    return [
      suite("corpus", ["failures", "changed", "vanished", "compared", "finished", "thresholds"])
    ]
      + (variants + Set(others).sorted(by: { $0.name < $1.name })).map { suite($0.name, keys, of: $0) }
  }

  private static func cases(
    _ names: [String], of variant: CodecVariant?, in report: GateReport, _ failsOnImprovement: Bool
  ) -> [TestCase] {
    // Other ways than points have one suite for all variants.
    let isAll = report.subject != .points
    func own(_ findings: [GateFinding]) -> [GateFinding] {
      isAll ? findings : findings.filter { $0.variant == variant }
    }
    let improvements = failsOnImprovement ? own(report.improvements) : []
    let comparison = report.variants.first { $0.variant == variant }
    let held = isAll ? report.held : comparison?.held ?? []
    let points = isAll ? report.comparedPoints : comparison?.points ?? 0
    return names.map { name in
      let noise = own(report.inconclusive).first { $0.key == name }
      return TestCase(
        name: name,
        failures: own(report.regressions).filter { $0.key == name }.map { line($0, $0.sentence) }
          + improvements.filter { $0.key == name }.map { line($0, $0.improvement) },
        skipped: noise.map { "inconclusive: \(line($0, $0.sentence))" }
          ?? (isAll || variant != nil ? obstacle(to: name, held, points) : nil))
    }
  }

  /// The reason that nothing was held against a threshold; nil if something was.
  private static func obstacle(to name: String, _ held: Set<String>, _ points: Int) -> String? {
    if held.contains(name) || absences.contains(name) { return nil }
    if points == 0 { return "no point was there to compare" }
    return switch name {
    case GateQuantity.saving(0).key: "no bytes at equal score on both sides"
    case GateQuantity.bdRate.key: "no curve on both sides"
    case GateQuantity.memory.key: "no memory on both sides"
    default:
      TimedOperation.allCases.contains { name == GateQuantity.time($0).key }
        ? "times cannot be compared" : "no such score on both sides"
    }
  }

  private static let absences: Set = ["failures", "vanished", "changed", "compared", "thresholds"]

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
