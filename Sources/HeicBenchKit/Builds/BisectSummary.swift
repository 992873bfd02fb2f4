import Analysis
import Model
import Reports
import Store

/// The answer of a search among builds, in words.
package struct BisectSummary: Sendable {
  private let bisection: Bisection
  private let builds: [String]
  private let subject: String

  /// `builds` are names, oldest first; `subject` names the measured files, such as `6 images`.
  package init(_ bisection: Bisection, builds: [String], subject: String) {
    (self.bisection, self.builds, self.subject) = (bisection, builds, subject)
  }

  package var text: String {
    let threshold = amount(bisection.threshold, isSigned: false)
    let heading =
      "\(title) of \(subject), \(builds.count) builds from \(builds.first ?? "") to \(builds.last ?? ""); "
      + "a change of more than \(threshold) counts"
    let rows = bisection.steps
    let columns: [Column<Bisection.Step>] = [
      Column("before", title: "from", alignment: .leading) { [builds] in Cell(text: builds[$0.before]) },
      Column("after", title: "to", alignment: .leading) { [builds] in Cell(text: builds[$0.after]) },
      Column("change", title: "change") { Cell(text: self.amount($0.contrast.change)) },
      Column("interval", title: "99 % interval", alignment: .leading) {
        Cell(text: self.bisection.quantity.isExact ? "exact" : self.interval($0.contrast))
      },
      Column("rounds", title: "rounds") { Cell(integer: $0.contrast.rounds) },
      Column("verdict", title: "", alignment: .leading) { Cell(text: $0.verdict.rawValue) },
    ]
    return "\(heading)\n\n\(TextTableWriter(columns).table(rows))\n"
      + sentences.map { $0 + "\n" }.joined() + "\n"
  }

  /// The builds between which it moved, and those for which this is undecided.
  package var sentences: [String] {
    let moved = bisection.moves.map { step(in: $0, "It moved between", "") }
    let gradual = bisection.gradual.map {
      step(in: $0, "It moved from", ", in steps that are each too small to be told from none")
    }
    let open = bisection.steps.indices.filter { bisection.steps[$0].verdict == .undecided }.map {
      step(
        in: $0, "It is not decided whether it moved between",
        ": ask for more --rounds and --comparison-time, or a larger --threshold")
    }
    if !moved.isEmpty || !gradual.isEmpty || !open.isEmpty { return moved + gradual + open }
    return ["It did not move. What one build brings and a later one takes back is not seen."]
  }

  private func step(in index: Int, _ beginning: String, _ ending: String) -> String {
    let step = bisection.steps[index]
    let spread = bisection.quantity.isExact ? "" : " (99 % interval \(interval(step.contrast)))"
    return
      "\(beginning) \(builds[step.before]) and \(builds[step.after]): \(amount(step.contrast.change))\(spread)\(ending)."
  }

  private var title: String {
    switch bisection.quantity {
    case .bytes: "Bytes"
    case .score: "SSIMULACRA2"
    case .encode: "Encode CPU time"
    case .decode: "Decode CPU time"
    }
  }

  /// A change, followed by its interval in parentheses unless the quantity is exact.
  package static func change(_ contrast: BuildContrast, of quantity: BuildQuantity) -> String {
    let change = amount(contrast.change, of: quantity)
    guard !quantity.isExact else { return change }
    return "\(change) (\(amount(contrast.lower, of: quantity)) to \(amount(contrast.upper, of: quantity)))"
  }

  private func interval(_ contrast: BuildContrast) -> String {
    "\(amount(contrast.lower)) to \(amount(contrast.upper))"
  }

  private func amount(_ value: Double, isSigned: Bool = true) -> String {
    Self.amount(value, isSigned: isSigned, of: bisection.quantity)
  }

  private static func amount(_ value: Double, isSigned: Bool = true, of quantity: BuildQuantity) -> String {
    let digits = isSigned ? Numerals.signed(value, decimals: 2) : Numerals.short(value)
    return "\(digits) \(quantity == .score ? "points" : "%")"
  }
}
