package import Analysis
import Model
package import Store

/// The result of a search for each variant, over the images at which every variant reaches the target.
package enum TargetColumns {
  /// A variant's row: the files found, and their meaning at equal score or equal size.
  package struct Row: Sendable, Hashable {
    package var total: TargetFindings.Total
    /// The change in bytes, interpolated to the exact target; nil in a search for a size.
    package var matched: MatchedQuality?
    /// The gain in score; nil in a search for a score.
    package var gain: TargetFindings.Gain?

    /// The rows of an analysis; none for a sweep.
    package static func rows(of analysis: Analysis) -> [Row] {
      guard let findings = analysis.target else { return [] }
      return findings.totals.map { total in
        Row(
          total: total, matched: analysis.matchedQualities.first { $0.variant == total.variant },
          gain: findings.gains.first { $0.variant == total.variant })
      }
    }
  }

  package static func title(of findings: TargetFindings) -> String {
    "Target \(findings.target), over \(Numerals.counted(findings.images, "image")) at which every codec "
      + "reaches it"
  }

  /// The columns with all metrics, or with only the decisive one.
  package static func all(_ analysis: Analysis, allMetrics: Bool = true) -> [Column<Row>] {
    let first = analysis.reference?.name ?? "the first codec"
    let decisive = analysis.target?.target.metric ?? analysis.headline
    var columns: [Column<Row>] = [
      Column("variant", title: "Codec", alignment: .leading) { .code($0.total.variant.name) },
      Column("reached", title: "Reached") { .text("\($0.total.reached) of \($0.total.searched)") },
      Column("mean_quality", title: "Mean quality") { Cell(number: $0.total.meanQuality, decimals: 2) },
    ]
    for metric in analysis.metrics where allMetrics || metric.id == decisive?.id {
      columns.append(
        Column("mean_\(metric.column)", title: metric.title, unit: metric.unit) {
          Cell(number: $0.total.meanScores[metric.id], decimals: metric.decimals)
        })
    }
    columns += [
      Column("total_bytes", title: "Total bytes") { Cell(integer: $0.total.bytes) },
      Column("percent_of_reference", title: "Size against \(first)", unit: "%") {
        Cell(number: $0.total.percentOfFirst, decimals: 1)
      },
    ]
    if analysis.target?.target.metric != nil {
      columns.append(
        Column("bytes_change_percent", title: "At the target exactly", unit: "%") {
          Cell(change: $0.matched?.bytes?.mean, decimals: 1)
        })
    } else if let decisive {
      let unit = decisive.unit.isEmpty ? "points" : decisive.unit
      columns += [
        Column("gain", title: "Better than \(first) by", unit: unit) {
          Cell(change: $0.gain?.points.mean, decimals: decisive.decimals)
        },
        Column("gain_lower", title: "95 % from", unit: unit) {
          Cell(change: $0.gain?.points.interval?.lower, decimals: decisive.decimals)
        },
        Column("gain_upper", title: "to", unit: unit) {
          Cell(change: $0.gain?.points.interval?.upper, decimals: decisive.decimals)
        },
      ]
    }
    return columns
  }
}
