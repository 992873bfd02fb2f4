package import Analysis
import Metrics
import Model

/// The gate's findings as JUnit XML, which CI systems read as test results: the verdict, a suite for the corpus, and
/// one for each variant, for reads, tiles and generations. Cases are thresholds by key, the same in every run, so that
/// a history can follow them: failed, passed, or skipped if nothing was compared.
package enum JUnitReport {
  private struct TestCase {
    var name: String
    var failures: [String] = []
    var skipped: String?
    var error: String?
  }

  private typealias Suite = (name: String, cases: [TestCase])

  package static let beginning = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites"

  /// The whole document, for the sweep and the other kinds of results that were compared.
  package static func xml(_ parts: [GateReport]) -> String {
    let failures = parts.filter(\.fails).map { part in
      part.isRegression ? GateWording(part).headline : GitHubAnnotations.improvementVerdict
    }
    return document([verdict(TestCase(name: "verdict", failures: failures))] + parts.flatMap(suites))
  }

  /// The document of a gate that compared nothing; its verdict is an error, neither passed nor failed.
  package static func unlooked(_ reason: String) -> String {
    document([verdict(TestCase(name: "verdict", error: "the gate could not compare: \(reason)"))])
  }

  private static func verdict(_ test: TestCase) -> Suite { ("gate", [test]) }

  private static func document(_ suites: [Suite]) -> String {
    let elements = suites.map { suite in
      "  <testsuite name=\"\(escaped(suite.name))\" \(counts(suite.cases))>\n"
        + suite.cases.map { element($0, of: suite.name) }.joined() + "  </testsuite>\n"
    }
    return beginning + " name=\"heicbench\" \(counts(suites.flatMap(\.cases)))>\n" + elements.joined()
      + "</testsuites>\n"
  }

  private static func counts(_ cases: [TestCase]) -> String {
    let failures = cases.count { !$0.failures.isEmpty }
    let skipped = cases.count { $0.failures.isEmpty && $0.skipped != nil }
    return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(cases.count { $0.error != nil })\" "
      + "skipped=\"\(skipped)\""
  }

  /// The names without metrics that are measured only on request and that nothing was compared with.
  private static func listed(_ names: [String], _ held: Set<String>) -> [String] {
    let usual = MetricTraits.usual
    let onRequest = Set(MetricTraits.standard.filter { !usual.contains($0) }.map(\.id))
    return names.filter { held.contains($0) || !onRequest.contains($0) }
  }

  private static func suites(of report: GateReport) -> [Suite] {
    guard report.subject == .points else {
      let names = listed(report.subject.quantities.map(\.key), report.held) + absences
      let cases = cases(names, in: report, held: report.held, report.comparedPoints) { _ in true }
      return [(report.subject.rawValue, cases)]
    }
    let corpus = ["failures", "changed", "vanished", "compared", "finished", "thresholds"]
    let scores = report.tolerances.sameVersions.metrics.union(report.tolerances.otherVersions.metrics)
    let held = report.variants.reduce(into: Set<String>()) { $0.formUnion($1.held) }
    let names =
      ["total-bytes", "point-bytes"] + listed(scores.sorted(), held) + [
        "saving", "bd-rate", "failures", "vanished",
      ]
      + TimedOperation.allCases.map { GateQuantity.time($0).key }
    let variants = report.variants.map(\.variant)
    let others = Set((report.regressions + report.inconclusive).compactMap(\.variant)).subtracting(variants)
    let suites = (variants + others.sorted { $0.name < $1.name }).map { variant -> Suite in
      let comparison = report.variants.first { $0.variant == variant }
      let cases = cases(names, in: report, held: comparison?.held ?? [], comparison?.points ?? 0) {
        $0.variant == variant
      }
      return (variant.name, cases)
    }
    return [("corpus", cases(corpus, in: report) { $0.variant == nil })] + suites
  }

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
          ?? held.flatMap { obstacle(to: name, $0, points, of: report.subject) })
    }
  }

  private static func obstacle(
    to name: String, _ held: Set<String>, _ points: Int, of subject: GateSubject
  ) -> String? {
    if held.contains(name) || absences.contains(name) { return nil }
    if points == 0 { return "there was no \(subject.noun) to compare" }
    return switch name {
    case GateQuantity.saving(0).key: "no bytes at equal score on both sides"
    case GateQuantity.bdRate.key: "no curve on both sides"
    case GateQuantity.memory.key: "no memory on both sides"
    default:
      TimedOperation.allCases.contains { name == GateQuantity.time($0).key }
        ? "times cannot be compared" : "no such score on both sides"
    }
  }

  private static let absences = ["failures", "vanished", "changed", "compared", "thresholds"]

  private static func element(_ test: TestCase, of suite: String) -> String {
    let start = "    <testcase classname=\"heicbench.\(escaped(suite))\" name=\"\(escaped(test.name))\""
    let result: String
    if let first = test.failures.first {
      result =
        "<failure message=\"\(escaped(first))\">\(test.failures.map(escaped).joined(separator: "\n"))</failure>"
    } else if let skipped = test.skipped {
      result = "<skipped message=\"\(escaped(skipped))\"/>"
    } else if let error = test.error {
      result = "<error message=\"\(escaped(error))\"/>"
    } else {
      return start + "/>\n"
    }
    return start + ">\n      \(result)\n    </testcase>\n"
  }

  private static func line(_ finding: GateFinding, _ sentence: String) -> String {
    finding.place.isEmpty ? sentence : "\(finding.place): \(sentence)"
  }

  private static func escaped(_ text: String) -> String { SVGCanvas.escaped(text) }
}
