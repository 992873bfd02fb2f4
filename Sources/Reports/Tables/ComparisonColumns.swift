import Analysis
import Model
import Store

enum ComparisonColumns {
  /// The compared variants, without imported files that have no figure at any score: sentences elsewhere cover those.
  static func rows(of analysis: Analysis) -> [CodecVariant] {
    analysis.variants.dropFirst().filter { variant in
      !analysis.importedVariants.contains(variant)
        || analysis.matchedQualities.contains { $0.variant == variant && $0.bytes != nil }
    }
  }

  static func caption(_ analysis: Analysis) -> String {
    "Change in bytes against \(analysis.reference?.title ?? "") at equal \(analysis.headline?.title ?? "score"), "
      + "with 95 % intervals"
  }

  static func all(_ analysis: Analysis) -> [Column<CodecVariant>] {
    @Sendable func verdict(_ variant: CodecVariant) -> Verdict? {
      analysis.verdicts.first { $0.variant == variant }
    }
    @Sendable func matched(_ variant: CodecVariant, _ target: Double) -> MatchedQuality? {
      analysis.matchedQualities.first { $0.variant == variant && $0.target == target }
    }
    let scores = analysis.options.targets.map { target in
      let place = Numerals.short(target)
      return Column<CodecVariant>("bytes_at_\(place)", title: "Bytes at \(place)", unit: "%") {
        cell(matched($0, target)?.bytes)
      }
    }
    let band = analysis.options.band
    let range = "\(Numerals.short(band.lowerBound)) to \(Numerals.short(band.upperBound))"
    let targets = Set(rows(of: analysis).compactMap { verdict($0)?.target })
    // Only if all times apply to the same score.
    let place = targets.count == 1 ? targets.first.map { " at \(Numerals.short($0))" } ?? "" : ""
    return [.text("variant", "Codec") { $0.title }] + scores + [
      Column("bd_rate_percent", title: "BD-rate \(range)", unit: "%") { cell(verdict($0)?.bdRate?.percent) },
      Column("encode_cpu_ratio", title: "Encode CPU\(place)") { variant in
        let time = verdict(variant)?.target.flatMap { matched(variant, $0) }
        return Cell(times: time?.cpu[.encode]?.ratio)
      },
    ]
  }

  /// The variants in the table of pairs, if there are more than two.
  static func paired(_ analysis: Analysis) -> [CodecVariant] {
    let own = analysis.variants.filter { variant in
      analysis.comparisons.contains { $0.variant == variant || $0.against == variant }
    }
    return own.count > 2 ? own : []
  }

  /// The row's variant against each column's, at one score.
  static func pairs(_ analysis: Analysis, at score: Double) -> [Column<CodecVariant>] {
    [.code("variant", "Codec") { $0.name }]
      + paired(analysis).map { other in
        Column(other.name, title: "against \(other.name)", unit: "%") { variant in
          cell(variant == other ? nil : analysis.comparison(of: variant, against: other, at: score))
        }
      }
  }

  /// `−12.8 (−17 to −8)`; `same bytes` if nothing differs.
  private static func cell(_ pair: PairedComparison?) -> Cell {
    guard let pair else { return .empty }
    if pair.isSame { return .text("same bytes") }
    let change = Numerals.signed(pair.changePercent, decimals: 1)
    guard let interval = pair.interval else { return .text(change) }
    let ends = interval.ends(decimals: 1).replacing(" ", with: "\u{a0}")
    return .text("\(change) (\(ends))\(pair.isToldApart ? "" : " ≈")")
  }

  /// `−30.1 (−35 to −25)`, with the number of images if some are missing.
  private static func cell(_ figure: CorpusFigure?) -> Cell {
    guard let figure else { return .empty }
    let remarks = [
      figure.interval?.ends(decimals: 0),
      figure.images < figure.outOf ? "\(figure.images) of \(figure.outOf)" : nil,
    ].compactMap(\.self)
    let change = Numerals.signed(figure.mean, decimals: 1)
    // A narrow table may break the line only between the figure and its remarks.
    let belonging = remarks.map { $0.replacing(" ", with: "\u{a0}") }.joined(separator: "; ")
    return .text(remarks.isEmpty ? change : "\(change) (\(belonging))")
  }
}
