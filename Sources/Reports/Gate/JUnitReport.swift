package import Analysis
import Model

/// What the gate found as JUnit XML, the form in which CI systems take test results: a suite for each variant
/// and one for the corpus, for reads and for tiles, with a case for each quantity that was held against a threshold.
package enum JUnitReport {
  private struct Case {
    var name: String
    /// A line for each finding.
    var failures: [String] = []
    var inconclusive: [String] = []
  }

  private struct Suite {
    var name: String
    var cases: [Case]
  }

  /// What every such file begins with.
  package static let beginning = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites"

  /// The whole document.
  /// - Parameters:
  ///   - report: of a sweep; nil where there is none.
  ///   - costs: of reads and of tiles.
  package static func xml(_ report: GateReport?, costs: [CostGateSummary] = []) -> String {
    let suites = (report.map { Self.suites(of: $0) } ?? []) + costs.map { Self.suite(of: $0) }
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
        name: name, failures: regressions.filter { $0.quantity.title == name }.map(line),
        inconclusive: inconclusive.filter { $0.quantity.title == name }.map(line))
    }
  }

  private static func suite(of summary: CostGateSummary) -> Suite {
    let report = summary.report
    var quantities: [CostFinding.Quantity] = [.bytes, .score, .memory]
    if report.subject == .reads { quantities.append(.time) }
    quantities += [.failure, .vanished, .changed]
    // Further quantities have a case where there is something to say of them.
    for finding in report.regressions where !quantities.contains(finding.quantity) {
      quantities.append(finding.quantity)
    }
    return Suite(
      name: report.subject.rawValue,
      cases: quantities.map { quantity in
        Case(
          name: quantity.rawValue,
          failures: report.regressions.filter { $0.quantity == quantity }.map(summary.line),
          inconclusive: report.inconclusive.filter { $0.quantity == quantity }.map(summary.line))
      })
  }

  private static func element(_ test: Case, of suite: String) -> String {
    let start = "    <testcase classname=\"heicbench.\(escaped(suite))\" name=\"\(escaped(test.name))\""
    if let first = test.failures.first {
      return start + ">\n      <failure message=\"\(escaped(first))\">"
        + test.failures.map(escaped).joined(separator: "\n") + "</failure>\n    </testcase>\n"
    }
    if let first = test.inconclusive.first {
      return start
        + ">\n      <skipped message=\"\(escaped("inconclusive: " + first))\"/>\n    </testcase>\n"
    }
    return start + "/>\n"
  }

  private static func line(_ finding: GateFinding) -> String {
    finding.place.isEmpty ? finding.sentence : "\(finding.place): \(finding.sentence)"
  }

  private static func escaped(_ text: String) -> String { SVGCanvas.escaped(text) }
}
