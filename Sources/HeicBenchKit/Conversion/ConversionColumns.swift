import Analysis
import Model
import Reports
import Store

enum ConversionColumns {
  /// One row per codec and score.
  static let projections: [Column<ConversionProjection>] = [
    Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
    Column("score", title: "SSIMULACRA2", alignment: .leading) {
      .text($0.score.map(Numerals.short) ?? "without loss")
    },
    Column("quality", title: "Quality", alignment: .leading) { Cell(text: quality($0)) },
    Column("megabytes_all", title: "All converted", unit: "MB") {
      megabytes($0.bytes)
    },
    Column("change_all", title: "change", unit: "%") { Cell(change: $0.bytes?.changePercent, decimals: 1) },
    Column("interval_all", title: "95 %", alignment: .leading) { interval($0.bytes) },
    Column("megabytes_smaller", title: "Where smaller", unit: "MB") {
      megabytes($0.bytesWhereSmaller)
    },
    Column("change_smaller", title: "change", unit: "%") {
      Cell(change: $0.bytesWhereSmaller?.changePercent, decimals: 1)
    },
    Column("interval_smaller", title: "95 %", alignment: .leading) { interval($0.bytesWhereSmaller) },
    Column("smaller", title: "Smaller") { .text("\($0.smaller) of \($0.files.count)") },
    Column("encode_cpu_s", title: "Encode CPU", unit: "s") {
      Cell(number: $0.seconds?.total, decimals: 1)
    },
  ]

  /// `0.83 (0.75 to 0.91)`: the median and the extremes; nil without qualities.
  static func quality(_ projection: ConversionProjection) -> String? {
    let qualities = projection.qualities
    guard let median = projection.medianQuality, let lowest = qualities.first, let highest = qualities.last
    else { return nil }
    let middle = Numerals.fixed(median, decimals: 2)
    guard lowest < highest else { return middle }
    return "\(middle) (\(Numerals.fixed(lowest, decimals: 2)) to \(Numerals.fixed(highest, decimals: 2)))"
  }

  /// Three decimals below 10 MB, otherwise one.
  private static func megabytes(_ estimate: RatioEstimate?) -> Cell {
    Cell(number: estimate.map { $0.total / 1e6 }, decimals: estimate.map { $0.known < 10e6 ? 3 : 1 } ?? 1)
  }

  /// One row per kind of content, with its fate in each codec.
  static func contents(_ variants: [CodecVariant]) -> [Column<FolderContents.Line>] {
    let known: [Column<FolderContents.Line>] = [
      Column("kind", title: "What", alignment: .leading) { .text($0.kind.title) },
      Column("files", title: "Files") { .integer($0.files) },
      Column("bytes", title: "Bytes") { Cell(integer: $0.bytes > 0 ? $0.bytes : nil) },
    ]
    return known
      + variants.map { variant in
        Column(
          variant.name, title: "\(variant.name) (\(ConversionFate.tool(for: variant)))", alignment: .leading
        ) { .text(ConversionFate.of($0.kind, in: variant).text) }
      }
  }

  private static func interval(_ estimate: RatioEstimate?) -> Cell {
    guard let ends = estimate?.changeInterval, ends.lower < ends.upper else { return .empty }
    return .text("\(Numerals.signed(ends.lower, decimals: 1)) to \(Numerals.signed(ends.upper, decimals: 1))")
  }
}
