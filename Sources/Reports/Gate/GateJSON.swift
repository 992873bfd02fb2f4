package import Analysis
import Model
import Store

/// The gate's findings as JSON: the tables of the summary under the names of their columns.
package enum GateJSON {
  /// The whole document.
  /// - Parameter costs: the results for reads and tiles, if the baseline has any.
  package static func text(
    _ report: GateReport, failsOnImprovement: Bool = false, costs: [CostGateSummary] = []
  ) -> String {
    let wording = GateWording(report)
    let document = JSONValue.object(
      [
        ("format", .text("heicbench-gate")),
        ("format_version", .integer(1)),
        (
          "failed",
          .cell(.flag(report.fails(onImprovement: failsOnImprovement) || costs.contains(where: \.hasFailed)))
        ),
        ("headline", .text(wording.headline)),
        ("compared_points", .integer(report.comparedPoints)),
        ("compared_images", .integer(report.comparedImages)),
        ("changed", .integer(report.changedImages.count)),
        ("changed_images", .strings(report.changedImages.first)),
        ("vanished", .integer(report.lostPoints)),
        ("missing_scores", .integer(report.missingScores)),
        ("unfinished", .text(report.unfinished?.phrase ?? report.missingShards?.phrase)),
        ("gone_images", .strings(report.goneImages.first)),
        ("unusable_images", .strings(report.unusableImages.first)),
        ("resume", .text(report.resume)),
        ("cause", .text(wording.cause)),
        ("accept", .text(report.accept)),
        ("uses_wider_tolerance", .cell(.flag(report.usesWiderTolerance))),
        ("changes", .rows(GateColumns.changes, report.changes)),
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
      ] + costs.map { ($0.report.subject.rawValue, $0.value) })
    return text(document)
  }

  package static func text(_ comparison: RunComparison) -> String {
    let differences = comparison.differences.enumerated().map { index, report in
      JSONValue.object([
        ("run", .text(comparison.runs.indices.contains(index + 1) ? comparison.runs[index + 1].label : "")),
        ("compared_points", .integer(report.comparedPoints)),
        ("changes", .rows(GateColumns.changes, report.changes)),
        ("variants", variants(report.variants)),
        ("worst_points", .rows(GateColumns.findings, report.worstPoints)),
        ("worst_images", .rows(GateColumns.findings, report.worstImages)),
        ("remarks", .strings(GateWording(report).remarks)),
      ])
    }
    return text(
      .object([
        ("format", .text("heicbench-comparison")), ("format_version", .integer(1)),
        ("runs", .strings(comparison.runs.map(\.label))), ("differences", .array(differences)),
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
