package import Analysis

/// What the gate found as workflow commands, which GitHub shows beside a pull request's checks.
///
/// The syntax is that of “Workflow commands for GitHub Actions”: data and properties are percent-encoded as
/// the runner decodes them, so that no name can end a command or start another one.
package enum GitHubAnnotations {
  /// GitHub shows ten annotations of each level for a step; the first one is the outcome.
  private static let limit = 9

  /// The commands, one a line: errors for regressions, a warning for what is inconclusive, a notice for
  /// improvements. Nothing for a gate that found nothing.
  package static func text(_ report: GateReport, failsOnImprovement: Bool = false) -> String {
    let improvementLevel = failsOnImprovement ? "error" : "notice"
    var lines: [String] = []
    if report.isRegression { lines.append(line("error", title: "heicbench", GateWording(report).headline)) }
    lines += report.regressions.prefix(limit).map { line("error", $0) }
    lines += report.inconclusive.prefix(limit).map { line("warning", $0) }
    lines += report.improvements.prefix(limit).map { line(improvementLevel, $0) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The commands for reads or tiles.
  package static func text(_ summary: CostGateSummary) -> String {
    let report = summary.report
    var lines: [String] = []
    if !report.regressions.isEmpty { lines.append(line("error", title: "heicbench", summary.headline)) }
    let levels = [
      ("error", report.regressions), ("warning", report.inconclusive),
      (summary.failsOnImprovement ? "error" : "notice", report.improvements),
    ]
    lines += levels.flatMap { level, findings in
      findings.prefix(limit).map {
        line(level, title: "heicbench \(report.subject.rawValue): \($0.quantity.rawValue)", summary.line($0))
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func line(_ level: String, _ finding: GateFinding) -> String {
    let place = finding.place
    return line(
      level, title: "heicbench: \(finding.quantity.title)",
      place.isEmpty ? finding.sentence : "\(place): \(finding.sentence)")
  }

  private static func line(_ level: String, title: String, _ message: String) -> String {
    "::\(level) title=\(encoded(title, property: true))::\(encoded(message, property: false))"
  }

  private static func encoded(_ text: String, property: Bool) -> String {
    HTMLText.replaced(in: text) { scalar in
      switch scalar {
      case "%": "%25"
      case "\r": "%0D"
      case "\n": "%0A"
      case ":" where property: "%3A"
      case "," where property: "%2C"
      default: nil
      }
    }
  }
}
