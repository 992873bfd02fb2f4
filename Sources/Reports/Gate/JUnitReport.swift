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

  package static let beginning = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites"

  /// The whole document, of the sweep and other ways of measuring, as far as they were compared.
  package static func xml(_ parts: [GateReport]) -> String {
    let verdict = TestCase(
      name: verdictName,
      failures: parts.filter(\.fails).map { part in
        part.isRegression ? GateWording(part).headline : GitHubAnnotations.improvementVerdict
      })
    let suites =
      [Suite(name: gateName, cases: [verdict])]
      + parts.flatMap(Self.suites)
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

  private static func suites(of report: GateReport) -> [Suite] {
    let absences = ["failures", "vanished", "changed", "compared", "thresholds"]
    guard report.subject == .points else {
      let names = report.subject.quantities.map(\.key) + absences
      let cases = cases(names, in: report, held: report.held, report.comparedPoints) { _ in true }
      return [Suite(name: report.subject.rawValue, cases: cases)]
    }
    let corpus = ["failures", "changed", "vanished", "compared", "finished", "thresholds"]
    let scores = report.tolerances.sameVersions.metrics.union(report.tolerances.otherVersions.metrics)
    let names =
      ["total-bytes", "point-bytes"] + scores.sorted() + ["saving", "bd-rate", "failures", "vanished"]
      + TimedOperation.allCases.map { GateQuantity.time($0).key }
    let variants = report.variants.map(\.variant)
    let others = Set((report.regressions + report.inconclusive).compactMap(\.variant)).subtracting(variants)
    let suites = (variants + others.sorted { $0.name < $1.name }).map { variant in
      let comparison = report.variants.first { $0.variant == variant }
      let cases = cases(names, in: report, held: comparison?.held ?? [], comparison?.points ?? 0) {
        $0.variant == variant
      }
      return Suite(name: variant.name, cases: cases)
    }
    return [Suite(name: "corpus", cases: cases(corpus, in: report) { $0.variant == nil })] + suites
  }

  /// Returns the cases of a suite; without `held` none is skipped for want of figures.
  private static func cases(
    _ names: [String], in report: GateReport, held: Set<String>? = nil, _ points: Int = 0,
    of isOwn: (GateFinding) -> Bool
  ) -> [TestCase] {
    let (worse, unclear) = (report.regressions.filter(isOwn), report.inconclusive.filter(isOwn))
    let better = report.failsOnImprovement ? report.improvements.filter(isOwn) : []
    return names.map { name in
      TestCase(
        name: name,
        failures: worse.filter { $0.key == name }.map { line($0, $0.sentence) }
          + better.filter { $0.key == name }.map { line($0, $0.improvement) },
        skipped: unclear.first { $0.key == name }.map { "inconclusive: \(line($0, $0.sentence))" }
          ?? held.flatMap { obstacle(to: name, $0, points) })
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
