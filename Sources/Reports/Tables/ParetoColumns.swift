package import Analysis
package import Model
package import Store

/// Variants at a target score: bytes against times and memory.
package enum ParetoColumns {
  /// A variant's figures at a target score.
  package struct Row: Sendable, Hashable {
    package var target: Double
    package var entry: ParetoFront.Entry
    package var images: Int

    package static func rows(of fronts: [ParetoFront]) -> [Row] {
      fronts.flatMap { front in
        front.entries.map { Row(target: front.target, entry: $0, images: front.images) }
      }
    }
  }

  package static func all(headline: MetricTraits?) -> [Column<Row>] {
    [
      Column("target", title: headline?.title ?? "Score", unit: headline?.unit ?? "") {
        .numeral(Numerals.short($0.target))
      },
      Column("variant", title: "Codec", alignment: .leading) { .code($0.entry.variant.name) },
      Column("bits_per_pixel", title: "Bits per pixel") { Cell(number: $0.entry.bitsPerPixel, decimals: 3) },
    ]
      + TimedOperation.allCases.map { operation in
        Column("\(operation)_cpu_ms_per_megapixel", title: "\(operation.title) CPU", unit: "ms/MP") {
          Cell(number: $0.entry.millisecondsPerMegapixel[operation], decimals: 1)
        }
      } + [
        Column("peak_memory_mib", title: "Peak memory", unit: "MiB") {
          Cell(number: $0.entry.peakMiB, decimals: 0)
        },
        Column("on_front", title: "Worth considering", alignment: .leading) {
          .flag($0.entry.dominatedBy == nil)
        },
        Column("dominated_by", title: "Beaten by", alignment: .leading) {
          Cell(code: $0.entry.dominatedBy?.name)
        },
        Column("images", title: "Images") { .integer($0.images) },
      ]
  }
}
