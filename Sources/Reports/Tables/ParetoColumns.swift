import Analysis
import Model
import Store

/// Variants at a target score: bytes against times and memory.
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
      Column("target", title: headline?.title ?? "Score", unit: headline?.unit ?? "") {
        .numeral(Numerals.short($0.target))
      },
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
