package import Analysis
import Model

/// What the gate found as JUnit XML, the form in which CI systems take test results: a suite for each variant
/// and one for the corpus, with a case for each quantity that was held against a threshold.
package enum JUnitReport {
  private struct Case {
    var name: String
    var failures: [GateFinding] = []
    var inconclusive: [GateFinding] = []
  }

  private struct Suite {
    var name: String
    var cases: [Case]
  }

  /// What every such file begins with.
  package static let beginning = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites"

  /// The whole document.
  package static func xml(_ report: GateReport) -> String {
    let suites = suites(of: report)
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

  private static func counts(_ cases: [Case]) -> String {
    let failures = cases.count { !$0.failures.isEmpty }
    let skipped = cases.count { $0.failures.isEmpty && !$0.inconclusive.isEmpty }
    return "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
  }

  private static func suites(of report: GateReport) -> [Suite] {
    let findings = report.regressions + report.inconclusive
    let variants = report.variants.map(\.variant)
    let others = findings.compactMap(\.variant).filter { !variants.contains($0) }
    var suites = [Suite(name: "corpus", cases: cases(of: nil, in: report))]
    for variant in variants + Set(others).sorted(by: { $0.name < $1.name }) {
      suites.append(Suite(name: variant.name, cases: cases(of: variant, in: report)))
    }
    return suites
  }

  private static func cases(of variant: CodecVariant?, in report: GateReport) -> [Case] {
    var names =
      variant == nil ? ["failure", "changed"] : ["total bytes", "bytes", "BD-rate", "failure", "vanished"]
    let regressions = report.regressions.filter { $0.variant == variant }
    let inconclusive = report.inconclusive.filter { $0.variant == variant }
    // Further quantities have a case where there is something to say of them.
    for finding in regressions + inconclusive where !names.contains(finding.quantity.title) {
      names.append(finding.quantity.title)
    }
    return names.map { name in
      Case(
        name: name, failures: regressions.filter { $0.quantity.title == name },
        inconclusive: inconclusive.filter { $0.quantity.title == name })
    }
  }

  private static func element(_ test: Case, of suite: String) -> String {
    let start = "    <testcase classname=\"heicbench.\(escaped(suite))\" name=\"\(escaped(test.name))\""
    if let first = test.failures.first {
      return start + ">\n      <failure message=\"\(escaped(line(first)))\">"
        + test.failures.map { escaped(line($0)) }.joined(separator: "\n") + "</failure>\n    </testcase>\n"
    }
    if let first = test.inconclusive.first {
      return start
        + ">\n      <skipped message=\"\(escaped("inconclusive: " + line(first)))\"/>\n    </testcase>\n"
    }
    return start + "/>\n"
  }

  private static func line(_ finding: GateFinding) -> String {
    finding.place.isEmpty ? finding.sentence : "\(finding.place): \(finding.sentence)"
  }

  private static func escaped(_ text: String) -> String { SVGCanvas.escaped(text) }
}
