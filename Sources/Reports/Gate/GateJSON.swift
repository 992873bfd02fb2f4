package import Analysis
import Store

package enum GateJSON {
  /// The whole document: the first part's members, then reads, tiles and generations under their names.
  package static func text(_ parts: [GateReport]) -> String {
    var members: [(String, JSONValue)] = [
      ("format", .text("heicbench-gate")), ("format_version", .integer(1)),
      ("failed", .cell(.flag(parts.contains(where: \.fails)))),
    ]
    if let sweep = parts.first(where: { $0.subject == .points }) {
      members += self.members(sweep)
    } else {
      members.append(("answer", .text(parts.map { GateWording($0).headline }.joined(separator: " "))))
    }
    for part in parts where part.subject != .points {
      let failed = JSONValue.cell(.flag(part.fails))
      members.append((part.subject.rawValue, .object([("failed", failed)] + self.members(part))))
    }
    return text(.object(members))
  }

  private static func members(_ report: GateReport) -> [(String, JSONValue)] {
    let (wording, inventory) = (GateWording(report), report.inventory)
    return [
      ("answer", .text(wording.headline)),
      ("compared_points", .integer(report.comparedPoints)),
      ("compared_images", .integer(report.comparedImages)),
      ("changed", .integer(inventory.changedImages.count)),
      ("changed_images", .strings(inventory.changedImages.first)),
      ("vanished", .integer(inventory.lostPoints)),
      ("missing_scores", .integer(inventory.missingValues)),
      ("unfinished", .text(report.unfinished?.phrase ?? report.missingShards?.phrase)),
      ("gone_images", .strings(inventory.goneImages.first)),
      ("unusable_images", .strings(inventory.unusableImages.first)),
      ("resume", .text(report.resume)),
      ("cause", .text(wording.cause)),
      ("accept", .text(report.accept)),
      ("uses_wider_tolerance", .cell(.flag(report.usesWiderTolerance))),
      ("changes", .rows(GateColumns.changes, wording.changes)),
      ("worse_points", .integer(report.worsePoints)),
      ("better_points", .integer(report.betterPoints)),
      ("regressions", .rows(GateColumns.findings, report.regressions)),
      ("inconclusive", .rows(GateColumns.findings, report.inconclusive)),
      ("improvements", .rows(GateColumns.findings, report.improvements)),
      ("worst_points", .rows(GateColumns.findings, report.worstPoints)),
      ("worst_images", .rows(GateColumns.findings, report.worstImages)),
      ("variants", variants(report.variants)),
      ("replacements", variants(report.replacements)),
      ("remarks", .strings(wording.remarks)),
      ("reproduce", .text(wording.reproduce)),
    ]
  }

  package static func text(_ comparison: ComparisonSummary) -> String {
    let differences = zip(comparison.runs.dropFirst(), comparison.differences).map { run, report in
      JSONValue.object([
        ("run", .text(run)),
        ("compared_points", .integer(report.comparedPoints)),
        ("changes", .rows(GateColumns.changes, GateWording(report).changes)),
        ("variants", variants(report.variants)),
        ("worst_points", .rows(GateColumns.findings, report.worstPoints)),
        ("worst_images", .rows(GateColumns.findings, report.worstImages)),
        ("remarks", .strings(GateWording(report).remarks)),
      ])
    }
    return text(
      .object([
        ("format", .text("heicbench-comparison")), ("format_version", .integer(1)),
        ("answer", .text(comparison.answer)), ("runs", .strings(comparison.runs)),
        ("differences", .array(differences)),
      ]))
  }

  private static func variants(_ variants: [VariantComparison]) -> JSONValue {
    .rows(GateColumns.variants(targets: GateColumns.targets(of: variants)), variants)
  }

  private static func text(_ document: JSONValue) -> String {
    var buffer = TextBuffer()
    document.write(into: &buffer)
    return buffer.text + "\n"
  }
}
