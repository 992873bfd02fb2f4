package import Analysis
import Model
package import Store

package enum TargetColumns {
  package static func title(of findings: TargetFindings) -> String {
    "Target \(findings.target), over \(Numerals.counted(findings.images, "image")) for which every codec "
      + "reaches it"
  }

  package static func all(_ analysis: Analysis, allMetrics: Bool = true)
    -> [Column<TargetFindings.Total>]
  {
    let first = analysis.reference?.name ?? "the first codec"
    let decisive = analysis.target?.target.metric ?? analysis.headline
    var columns: [Column<TargetFindings.Total>] = [
      .code("variant", "Codec") { $0.variant.name },
      Column("reached", title: "Reached") { .text("\($0.reached) of \($0.searched)") },
      .number("mean_quality", "Mean quality", decimals: 2) { $0.meanQuality },
    ]
    for metric in analysis.metrics where allMetrics || metric.id == decisive?.id {
      columns.append(
        .number("mean_\(metric.column)", metric.title, unit: metric.unit, decimals: metric.decimals) {
          $0.meanScores[metric.id]
        })
    }
    columns += [
      .count("total_bytes", "Total bytes") { $0.bytes },
      .number("percent_of_reference", "Size against \(first)", unit: "%", decimals: 1) {
        $0.percentOfFirst
      },
    ]
    if analysis.target?.target.metric != nil {
      columns.append(
        .change("bytes_change_percent", "At the target exactly", decimals: 1) { [analysis] total in
          analysis.matchedQualities.first { $0.variant == total.variant }?.bytes?.mean
        })
    } else if let decisive {
      let unit = decisive.unit.isEmpty ? "points" : decisive.unit
      @Sendable func gain(_ total: TargetFindings.Total) -> CorpusFigure? {
        analysis.target?.gains.first { $0.variant == total.variant }?.points
      }
      let (name, decimals) = ("Better than \(first) by", decisive.decimals)
      columns += [
        .change("gain", name, unit: unit, decimals: decimals) { gain($0)?.mean },
        .change("gain_lower", "95 % from", unit: unit, decimals: decimals) { gain($0)?.interval?.lower },
        .change("gain_upper", "to", unit: unit, decimals: decimals) { gain($0)?.interval?.upper },
      ]
    }
    return columns
  }
}

enum ParetoColumns {
  typealias Row = (front: ParetoFront, entry: ParetoFront.Entry)

  static func rows(of fronts: [ParetoFront]) -> [Row] {
    fronts.flatMap { front in front.entries.map { (front, $0) } }
  }

  static func all(headline: MetricTraits?) -> [Column<Row>] {
    [
      .target(headline) { $0.front.target },
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
        .count("images", "Images") { $0.front.images },
      ]
  }
}
