package import Analysis
import Foundation
import Model

/// The gate's findings as workflow commands, which GitHub shows beside a pull request's checks.
///
/// The syntax follows “Workflow commands for GitHub Actions”: data and properties are percent-encoded as the runner
/// expects, so no name can end a command or start another.
package enum GitHubAnnotations {
  /// GitHub shows ten annotations of each level per step; the first is the outcome.
  private static let limit = 9

  /// The commands, one per line: errors for regressions, warnings for inconclusive findings, and notices for
  /// improvements (errors if improvements fail the gate). Empty without findings.
  package static func text(_ report: GateReport) -> String {
    let improvementLevel = report.failsOnImprovement ? "error" : "notice"
    var lines: [String] = []
    if report.isRegression {
      lines.append(line("error", title: "heicbench", GateWording(report).headline))
    } else if report.fails {
      lines.append(line("error", title: "heicbench", improvementVerdict))
    }
    lines += leading(report.regressions).map { line("error", $0, $0.sentence, report) }
    lines += leading(report.inconclusive).map { line("warning", $0, $0.sentence, report) }
    lines += leading(report.improvements).map { line(improvementLevel, $0, $0.improvement, report) }
    return lines.map { $0 + "\n" }.joined()
  }

  /// The reason that a gate fails although nothing got worse.
  static let improvementVerdict =
    "Better than the baseline, and this gate fails on improvements: refresh the baseline."

  /// The first findings in order, with at least one of each quantity.
  private static func leading(_ findings: [GateFinding]) -> [GateFinding] {
    var seen: Set<GateQuantity> = []
    let firsts = findings.indices.filter { seen.insert(findings[$0].quantity).inserted }
    let others = findings.indices.filter { !firsts.contains($0) }
    return (firsts + others).prefix(limit).sorted().map { findings[$0] }
  }

  private static func line(
    _ level: String, _ finding: GateFinding, _ sentence: String, _ report: GateReport
  ) -> String {
    let subject = report.subject == .points ? "" : " \(report.subject.rawValue)"
    return line(
      level, title: "heicbench\(subject): \(finding.quantity.title)",
      file: finding.image.flatMap { file($0, report.manifest?.roots ?? []) },
      finding.place.isEmpty ? sentence : "\(finding.place): \(sentence)")
  }

  private static func line(_ level: String, title: String, file: String? = nil, _ message: String) -> String {
    let place = file.map { "file=\(encoded($0, property: true))," } ?? ""
    return "::\(level) \(place)title=\(encoded(title, property: true))::\(encoded(message, property: false))"
  }

  /// The image's path below the current folder, which is the repository in a job; nil if the image is elsewhere.
  private static func file(_ image: String, _ roots: [String]) -> String? {
    var path = ReproduceCommand.path(of: image, roots: roots)
    let here = FileManager.default.currentDirectoryPath + "/"
    if path.hasPrefix(here) { path.removeFirst(here.count) }
    let isThere = !roots.isEmpty && FileManager.default.fileExists(atPath: path)
    return isThere && !path.hasPrefix("/") && !path.hasPrefix("../") ? path : nil
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
