package import Analysis
import Model

// The agreement of the metrics.
extension Wording {
  /// The joint verdict of the metrics in a sentence: `4 of 5 metrics agree; MS-SSIM sees half of the gain (BD-rate
  /// −15.2 % against −30.1 %).` Nil if only one was heard.
  package func sentence(_ agreement: MetricAgreement) -> String? {
    guard !agreement.views.isEmpty else { return nil }
    let (count, gain) = (agreement.metrics, agreement.direction == .saves ? "gain" : "cost")
    let others = agreement.views.filter { $0.opinion != .agrees }
    let phrases = others.map { "\(title($0.metric)) \(phrase($0, agreement, gain: gain)) (\(rates($0)))" }
    let result = agreement.direction == .saves ? "fewer bytes" : "more bytes"
    let start =
      if agreement.direction == .undecided {
        others.isEmpty
          ? "None of \(count) metrics tells which takes fewer bytes"
          : "\(count - others.count) of \(count) metrics, \(title(agreement.headline)) among them, do not tell which "
            + "takes fewer bytes"
      } else if others.isEmpty {
        "All \(count) metrics agree"
      } else if agreement.sameWinner == count {
        "All \(count) metrics see \(result), but \(agreement.agreeing) of \(count) agree on how many"
      } else {
        "\(agreement.agreeing) of \(count) metrics agree"
      }
    return ([start] + (phrases.isEmpty ? [] : [phrases.joined(separator: ", ")])).joined(separator: "; ")
      + "."
  }

  /// The metrics that see another winner, for the answer itself; nil if there are none.
  func contradiction(_ agreement: MetricAgreement?) -> String? {
    guard let agreement else { return nil }
    let others = agreement.views.filter { $0.opinion == .contradicts }.map { title($0.metric) }
    guard !others.isEmpty else { return nil }
    let verb = others.count == 1 ? "says" : "say"
    return "but \(others.joined(separator: " and ")) \(verb) the opposite"
  }

  private func title(_ metric: String) -> String {
    analysis.metrics.first { $0.id == metric }?.title ?? metric
  }

  private func phrase(_ view: MetricAgreement.View, _ agreement: MetricAgreement, gain: String) -> String {
    switch view.opinion {
    case .agrees: "agrees"
    case .less, .more: "sees \(Self.share(view.share)) the \(gain)"
    case .undecided: "does not tell"
    case .contradicts: "sees \(view.rate.mean < 0 ? "fewer" : "more") bytes"
    case .decides: "sees \(view.rate.mean < 0 ? "fewer" : "more") bytes"
    }
  }

  private func rates(_ view: MetricAgreement.View) -> String {
    "BD-rate \(Numerals.plain(view.rate.mean, 1)) % against \(Numerals.plain(view.headlineRate.mean, 1)) %"
  }

  /// `half of`, `1.6 times`.
  private static func share(_ share: Double) -> String {
    switch share {
    case 0.45...0.55: "half of"
    case 0.3...0.36: "a third of"
    case ..<1: "\(Numerals.fixed(share * 100, decimals: 0)) % of"
    default: "\(Numerals.ratio(share)) times"
    }
  }
}
