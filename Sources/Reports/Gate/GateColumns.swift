package import Analysis
import Model
import Store

enum GateColumns {
  static let findings: [Column<GateFinding>] =
    place + [worsening, allowed, unit]
    + [.text("sentence", "Finding") { $0.sentence }]

  static let briefFindings = place + [worsening, allowed, unit, rest]

  static let improvements =
    place + [
      Column("improvement", title: "Better by") {
        Cell(change: -$0.worsening, decimals: $0.quantity.traits.changeDecimals)
      }, unit, rest,
    ]

  static let differences =
    place + [
      Column("difference", title: "Change") { finding in
        let change = finding.before.flatMap { before in finding.after.map { $0 - before } }
        let isScore = if case .score = finding.quantity { true } else { false }
        return Cell(
          change: isScore ? change : finding.worsening, decimals: finding.quantity.traits.changeDecimals)
      }, unit, rest,
    ]

  private static let place: [Column<GateFinding>] = [
    .text("quantity", "What") { $0.quantity.title },
    .code("image", "Image") { $0.image },
    .code("variant", "Codec") { $0.variant?.name },
    Column("quality", title: "Quality") { finding in
      finding.quality.map { .numeral($0.description) } ?? Cell(code: finding.name)
    },
    Column("before", title: "Before") { Cell(number: $0.before, decimals: $0.quantity.traits.decimals) },
    Column("after", title: "After") { Cell(number: $0.after, decimals: $0.quantity.traits.decimals) },
  ]

  private static let worsening = Column<GateFinding>("worsening", title: "Worse by") {
    Cell(change: $0.worsening, decimals: $0.quantity.traits.changeDecimals)
  }

  private static let allowed = Column<GateFinding>("threshold", title: "Allowed") { finding in
    finding.threshold.map { .numeral(Numerals.short($0)) } ?? .empty
  }

  private static let unit = Column<GateFinding>.text("unit", "Unit") { $0.unit }

  private static let rest = Column<GateFinding>("sentence", title: "Finding", alignment: .leading) {
    finding in
    finding.before == nil || finding.after == nil ? .text(finding.sentence) : .empty
  }

  static let changes: [Column<RunChange>] = [
    .text("what", "What") { $0.what },
    .text("before", "Before") { $0.before },
    .text("after", "After") { $0.after },
  ]

  /// One row per variant, at equal settings and at equal score. `targets` lists the scores with a figure.
  static func variants(targets: [Double]) -> [Column<VariantComparison>] {
    sizes + scores
      + targets.map { target in
        let name = Numerals.short(target)
        return .change("bytes_change_at_\(name)_percent", "Bytes at \(name)", decimals: 2) { variant in
          variant.targets.first { $0.target == target }?.percent.mean
        }
      } + times
  }

  static func targets(of variants: [VariantComparison]) -> [Double] {
    Set(variants.flatMap { $0.targets.map(\.target) }).sorted()
  }

  private static let sizes: [Column<VariantComparison>] = [
    .code("variant", "Codec") { $0.variant.name },
    Column("baseline_variant", title: "Was", alignment: .leading) { comparison in
      comparison.baselineVariant == comparison.variant ? .empty : .code(comparison.baselineVariant.name)
    },
    .count("points", "Encodes") { $0.points },
    .count("bytes_before", "Bytes before") { $0.bytesBefore },
    .count("bytes_after", "Bytes after") { $0.bytesAfter },
    .change("bytes_change_percent", "Change", decimals: 2) { $0.points > 0 ? $0.bytesChangePercent : nil },
  ]

  private static let scores: [Column<VariantComparison>] = [
    .number("score_before", "Score before", decimals: 2) { $0.scoreBefore },
    .number("score_after", "Score after", decimals: 2) { $0.scoreAfter },
    .change("bd_rate_percent", "BD-rate", decimals: 2) { $0.bdRate?.mean },
  ]

  private static let times: [Column<VariantComparison>] = TimedOperation.allCases.map { operation in
    .change("\(operation)_time_change_percent", "\(operation.title) time", decimals: 1) {
      $0.times[operation]?.percent
    }
  }
}

extension GateQuantity {
  package var title: String {
    if case .saving(let target) = self { "\(traits.title) \(Numerals.short(target))" } else { traits.title }
  }
}
