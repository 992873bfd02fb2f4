package import Analysis
import Model
package import Store

package enum GateColumns {
  package static let findings: [Column<GateFinding>] =
    place + [worsening, allowed, unit]
    + [Column("sentence", title: "Finding", alignment: .leading) { .text($0.sentence) }]

  /// Findings for readers, with the sentence only if a figure before it is missing.
  static let briefFindings = place + [worsening, allowed, unit, rest]

  /// Improvements, with the gain as a positive number.
  static let improvements =
    place + [
      Column("improvement", title: "Better by") {
        Cell(change: -$0.worsening, decimals: $0.quantity.traits.changeDecimals)
      }, unit, rest,
    ]

  /// Differences between two runs, without a judgement.
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
    Column("quantity", title: "What", alignment: .leading) { .text($0.quantity.title) },
    Column("image", title: "Image", alignment: .leading) { Cell(code: $0.image) },
    Column("variant", title: "Codec", alignment: .leading) { Cell(code: $0.variant?.name) },
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

  private static let unit = Column<GateFinding>("unit", title: "Unit", alignment: .leading) { .text($0.unit) }

  private static let rest = Column<GateFinding>("sentence", title: "Finding", alignment: .leading) {
    finding in
    finding.before == nil || finding.after == nil ? .text(finding.sentence) : .empty
  }

  /// Differences between the circumstances of two runs.
  package static let changes: [Column<RunChange>] = [
    Column("what", title: "What", alignment: .leading) { .text($0.what) },
    Column("before", title: "Before", alignment: .leading) { .text($0.values.before) },
    Column("after", title: "After", alignment: .leading) { .text($0.values.after) },
  ]

  /// One row per variant, at equal settings and at equal score. `targets` are those with a figure.
  package static func variants(targets: [Double]) -> [Column<VariantComparison>] {
    sizes + scores
      + targets.map { target in
        let name = Numerals.short(target)
        return Column("bytes_change_at_\(name)_percent", title: "Bytes at \(name)", unit: "%") { variant in
          Cell(change: variant.targets.first { $0.target == target }?.percent.mean, decimals: 2)
        }
      } + times
  }

  /// The targets at which some variant has a figure.
  package static func targets(of variants: [VariantComparison]) -> [Double] {
    Set(variants.flatMap { $0.targets.map(\.target) }).sorted()
  }

  private static let sizes: [Column<VariantComparison>] = [
    Column("variant", title: "Codec", alignment: .leading) { .code($0.variant.name) },
    Column("baseline_variant", title: "Was", alignment: .leading) { comparison in
      comparison.baselineVariant == comparison.variant ? .empty : .code(comparison.baselineVariant.name)
    },
    Column("points", title: "Points") { .integer($0.points) },
    Column("bytes_before", title: "Bytes before") { .integer($0.bytesBefore) },
    Column("bytes_after", title: "Bytes after") { .integer($0.bytesAfter) },
    Column("bytes_change_percent", title: "Change", unit: "%") {
      Cell(change: $0.points > 0 ? $0.bytesChangePercent : nil, decimals: 2)
    },
  ]

  private static let scores: [Column<VariantComparison>] = [
    Column("score_before", title: "Score before") { Cell(number: $0.scoreBefore, decimals: 2) },
    Column("score_after", title: "Score after") { Cell(number: $0.scoreAfter, decimals: 2) },
    Column("bd_rate_percent", title: "BD-rate", unit: "%") { Cell(change: $0.bdRate?.mean, decimals: 2) },
  ]

  private static let times: [Column<VariantComparison>] = TimedOperation.allCases.map { operation in
    Column("\(operation)_time_change_percent", title: "\(operation.title) time", unit: "%") {
      Cell(change: $0.times[operation]?.percent, decimals: 1)
    }
  }
}

extension GateQuantity {
  /// The compared quantity as a phrase.
  package var title: String {
    if case .saving(let target) = self { "\(traits.title) \(Numerals.short(target))" } else { traits.title }
  }
}
