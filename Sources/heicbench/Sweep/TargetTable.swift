import BenchModel
import Reports
import Results
import Sweep

/// What a search for a target found: a row for each image and variant, and a line for each variant.
struct TargetTable {
  /// A variant over the images at which all variants reach the target.
  struct Total {
    let variant: CodecVariant
    let reached: Int
    let searched: Int
    let common: Int
    let bytes: Int
    let percentOfFirst: Double?
    let meanQuality: Double?
  }

  let target: QualityTarget
  let variants: [CodecVariant]
  let results: [TargetResult]

  /// All results, under the names that measurements.csv has for them.
  var csv: String {
    let score = target.metricTraits
    var columns: [Column<TargetResult>] = [
      Column(CSVColumnNames.image, title: "image") { Cell(text: $0.image.name) },
      Column(CSVColumnNames.codec, title: "codec") { Cell(text: $0.variant.codec) },
      Column(CSVColumnNames.settings, title: "settings") { Cell(text: $0.variant.canonicalSettings) },
      Column("target", title: "target") { [text = target.description] _ in Cell(text: text) },
      Column("reached", title: "reached") { Cell(flag: $0.isReached) },
      Column(CSVColumnNames.quality, title: "quality") { Cell(text: $0.quality?.description) },
      Column(CSVColumnNames.nativeQuality, title: "native quality") {
        Cell(integer: $0.measurement?.nativeQuality)
      },
      Column(CSVColumnNames.encodedBytes, title: "bytes") { Cell(integer: $0.measurement?.encodedBytes) },
    ]
    if let score {
      columns.append(
        Column(score.column, title: score.title, unit: score.unit) {
          Cell(number: $0.measurement?.scores[score.id], decimals: score.decimals)
        })
    }
    columns += [
      Column("probes", title: "probes") { Cell(integer: $0.probes) },
      Column(CSVColumnNames.error, title: "error") { Cell(text: $0.failure?.message) },
    ]
    return CSVWriter(columns).text(results)
  }

  /// The answer for a terminal.
  var text: String {
    let totals = totals
    let columns: [Column<Total>] = [
      Column("variant", title: "Codec", alignment: .leading) { Cell(text: $0.variant.name) },
      Column("reached", title: "Reached") { Cell(text: "\($0.reached) of \($0.searched)") },
      Column("bytes", title: "Total bytes") { Cell(integer: $0.bytes) },
      Column("change", title: "Size against \(variants.first?.name ?? "")", unit: "%") {
        Cell(number: $0.percentOfFirst, decimals: 1)
      },
      Column("quality", title: "Mean quality") { Cell(number: $0.meanQuality, decimals: 2) },
    ]
    let common = totals.first?.common ?? 0
    return "At \(target), over \(Numerals.counted(common, "image")) at which every codec reaches it:\n\n"
      + TextTableWriter(columns).table(totals)
  }

  private var totals: [Total] {
    let reached = results.filter(\.isReached)
    let counts = Dictionary(reached.map { ($0.image, 1) }, uniquingKeysWith: +)
    let common = Set(counts.filter { $0.value == variants.count }.keys)
    var first: Int?
    return variants.map { variant in
      let own = reached.filter { $0.variant == variant && common.contains($0.image) }
      let bytes = own.compactMap { $0.measurement?.encodedBytes }.reduce(0, +)
      first = first ?? bytes
      let qualities = own.compactMap { $0.quality?.value }
      return Total(
        variant: variant, reached: reached.count { $0.variant == variant },
        searched: results.count { $0.variant == variant }, common: common.count, bytes: bytes,
        percentOfFirst: first.flatMap { $0 > 0 ? Double(bytes) / Double($0) * 100 : nil },
        meanQuality: qualities.isEmpty ? nil : qualities.reduce(0, +) / Double(qualities.count))
    }
  }
}
