package import Analysis
import Model
package import Store

package enum TargetColumns {
  package struct Row: Sendable, Hashable {
    package var total: TargetFindings.Total
    /// The change in bytes, interpolated to the exact target; nil in a search for a size.
    package var matched: MatchedQuality?
    /// The gain in score; nil in a search for a score.
    package var gain: TargetFindings.Gain?

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

  package static func all(_ analysis: Analysis, allMetrics: Bool = true) -> [Column<Row>] {
    let first = analysis.reference?.name ?? "the first codec"
    let decisive = analysis.target?.target.metric ?? analysis.headline
    var columns: [Column<Row>] = [
      .code("variant", "Codec") { $0.total.variant.name },
      Column("reached", title: "Reached") { .text("\($0.total.reached) of \($0.total.searched)") },
      .number("mean_quality", "Mean quality", decimals: 2) { $0.total.meanQuality },
    ]
    for metric in analysis.metrics where allMetrics || metric.id == decisive?.id {
      columns.append(
        .number("mean_\(metric.column)", metric.title, unit: metric.unit, decimals: metric.decimals) {
          $0.total.meanScores[metric.id]
        })
    }
    columns += [
      .count("total_bytes", "Total bytes") { $0.total.bytes },
      .number("percent_of_reference", "Size against \(first)", unit: "%", decimals: 1) {
        $0.total.percentOfFirst
      },
    ]
    if analysis.target?.target.metric != nil {
      columns.append(
        .change("bytes_change_percent", "At the target exactly", decimals: 1) { $0.matched?.bytes?.mean })
    } else if let decisive {
      let unit = decisive.unit.isEmpty ? "points" : decisive.unit
      columns += [
        .change("gain", "Better than \(first) by", unit: unit, decimals: decisive.decimals) {
          $0.gain?.points.mean
        },
        .change("gain_lower", "95 % from", unit: unit, decimals: decisive.decimals) {
          $0.gain?.points.interval?.lower
        },
        .change("gain_upper", "to", unit: unit, decimals: decisive.decimals) {
          $0.gain?.points.interval?.upper
        },
      ]
    }
    return columns
  }
}

enum ParetoColumns {
  struct Row: Sendable, Hashable {
    var target: Double
    var entry: ParetoFront.Entry
    var images: Int

    static func rows(of fronts: [ParetoFront]) -> [Row] {
      fronts.flatMap { front in
        front.entries.map { Row(target: front.target, entry: $0, images: front.images) }
      }
    }
  }

  static func all(headline: MetricTraits?) -> [Column<Row>] {
    [
      .target(headline) { $0.target },
      .code("variant", "Codec") { $0.entry.variant.name },
      .number("bits_per_pixel", "Bits per pixel", decimals: 3) { $0.entry.bitsPerPixel },
    ]
      + TimedOperation.allCases.map { operation in
        .number("\(operation)_cpu_ms_per_megapixel", "\(operation.title) CPU", unit: "ms/MP", decimals: 1) {
          $0.entry.millisecondsPerMegapixel[operation]
        }
      } + [
        .number("peak_memory_mib", "Peak memory", unit: "MiB", decimals: 0) { $0.entry.peakMiB },
        .flag("on_front", "Worth considering") { $0.entry.dominatedBy == nil },
        .code("dominated_by", "Beaten by") { $0.entry.dominatedBy?.name },
        .count("images", "Images") { $0.images },
      ]
  }
}
