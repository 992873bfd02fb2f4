import Analysis
import Model
import Store

enum ComparisonColumns {
  struct Row {
    var variant: CodecVariant
    var matched: [MatchedQuality]
    var rate: CorpusFigure?
    var target: Double?
  }

  static func rows(of analysis: Analysis) -> [Row] {
    analysis.variants.dropFirst().compactMap { variant in
      let verdict = analysis.verdicts.first { $0.variant == variant }
      let matched = analysis.matchedQualities.filter { $0.variant == variant }
      // Imported files without a figure at any of the scores have sentences of their own.
      guard !analysis.importedVariants.contains(variant) || matched.contains(where: { $0.bytes != nil })
      else { return nil }
      return Row(
        variant: variant, matched: matched, rate: verdict?.bdRate?.percent, target: verdict?.target)
    }
  }

  static func caption(_ analysis: Analysis) -> String {
    "Change in bytes against \(analysis.reference?.name ?? "") at equal \(analysis.headline?.title ?? "score"), "
      + "with 95 % intervals"
  }

  static func all(_ analysis: Analysis) -> [Column<Row>] {
    let scores = analysis.options.targets.map { target in
      let place = Numerals.short(target)
      return Column<Row>("bytes_at_\(place)", title: "Bytes at \(place)", unit: "%") { row in
        cell(row.matched.first { $0.target == target }?.bytes)
      }
    }
    let band = analysis.options.band
    let range = "\(Numerals.short(band.lowerBound)) to \(Numerals.short(band.upperBound))"
    return [.code("variant", "Codec") { $0.variant.name }] + scores + [
      Column("bd_rate_percent", title: "BD-rate \(range)", unit: "%") { cell($0.rate) },
      Column("encode_cpu_ratio", title: "Encode CPU\(timePlace(analysis))") { row in
        let time = (row.matched.first { $0.target == row.target } ?? row.matched.first)?.cpu[.encode]
        return Cell(times: time?.ratio)
      },
    ]
  }

  /// ` at 70` if time is stated at one score for all, otherwise empty.
  private static func timePlace(_ analysis: Analysis) -> String {
    let targets = Set(rows(of: analysis).compactMap(\.target))
    guard let target = targets.first, targets.count == 1 else { return "" }
    return " at \(Numerals.short(target))"
  }

  /// `−30.1 (−35 to −25)`, with the number of images if some are missing.
  private static func cell(_ figure: CorpusFigure?) -> Cell {
    guard let figure else { return .empty }
    let remarks = [
      figure.interval?.ends(decimals: 0),
      figure.images < figure.outOf ? "\(figure.images) of \(figure.outOf)" : nil,
    ].compactMap(\.self)
    let change = Numerals.signed(figure.mean, decimals: 1)
    // A narrow table may break only between the figure and its remarks.
    let belonging = remarks.map { $0.replacing(" ", with: "\u{a0}") }.joined(separator: "; ")
    return .text(remarks.isEmpty ? change : "\(change) (\(belonging))")
  }
}
