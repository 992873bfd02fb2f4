import Analysis
import Model

package struct Answer: Sendable, Hashable {
  package let sentence: String
  package let details: [String]
}

// The answer of a run as a whole.
extension Wording {
  /// One answer for each pair of codecs, or one for several codecs that are compared with the same reference at one
  /// score.
  package var answers: [Answer] {
    let common = comparedTogether
    guard common.count > 1 else {
      return analysis.verdicts.map { Answer(sentence: sentence($0), details: details($0)) }
    }
    let others = analysis.verdicts.filter { verdict in !common.contains { $0.variant == verdict.variant } }
    return [Answer(sentence: sentence(common), details: details(common))]
      + others.map { Answer(sentence: sentence($0), details: []) }
  }

  /// The pairs that one sentence can name, fewest bytes first; several pairs must share a score.
  var comparedTogether: [Verdict] {
    if case .bytes = analysis.options.target?.goal { return [] }
    let different = analysis.verdicts.filter { $0.bytes != nil && $0.same == nil }
    guard analysis.headline != nil, let target = different.first?.target else { return [] }
    let byMean = different.filter { $0.target == target }.sorted { a, b in
      (a.bytes?.mean ?? .infinity) < (b.bytes?.mean ?? .infinity)
    }
    return inOrderOfPairs(byMean, at: target)
  }

  /// Moves each variant before those that clearly need more bytes, image by image: their means against a third variant
  /// may cover different images.
  private func inOrderOfPairs(_ verdicts: [Verdict], at score: Double) -> [Verdict] {
    var ordered: [Verdict] = []
    for verdict in verdicts {
      let place = ordered.lastIndex { earlier in
        let pair = analysis.comparison(of: verdict.variant, against: earlier.variant, at: score)
        return pair.map { !$0.isToldApart || $0.changePercent > 0 } ?? true
      }
      ordered.insert(verdict, at: place.map { $0 + 1 } ?? 0)
    }
    return ordered
  }

  /// The maximum number of figures in one sentence, enough for all codecs; with more variants, a table has the rest.
  private static let mostNamed = 5

  /// `At SSIMULACRA2 70, AVIF needs 38 % fewer bytes than JPEG (95 % interval 32 to 44 %), HEIC 30 % fewer (25 to 35
  /// %); 24 images.` With many variants: `……, the other 4 between 13 and 27 % fewer; 24 images.`
  private func sentence(_ compared: [Verdict]) -> String {
    let verdicts = Array(compared.prefix(Self.mostNamed))
    let figures = verdicts.compactMap(\.bytes)
    guard let first = verdicts.first, let target = first.target, let headline = analysis.headline else {
      return ""
    }
    let counts = Set(figures.map(drawn))
    let parts = zip(verdicts, figures).enumerated().map { index, pair in
      let (verdict, figure) = pair
      var remarks = [interval(verdict, figure, isFirst: index == 0)].compactMap(\.self)
      if counts.count > 1 { remarks.append(drawn(figure)) }
      let name = verdict.variant.title(beside: verdict.reference)
      let change =
        index == 0
        ? "needs \(Self.than(figure.mean)) \(verdict.reference.title(comparedWith: verdict.variant, analysis.defaults))"
        : Self.side(figure.mean)
      return remarks.isEmpty ? "\(name) \(change)" : "\(name) \(change) (\(remarks.joined(separator: ", ")))"
    }
    let few = figures.contains { $0.interval == nil }
    let images =
      counts.count == 1
      ? "; \(counts.first ?? "")\(few ? ", too few for an interval" : "")"
      : few ? "; too few images for some intervals" : ""
    let unfinished = analysis.progress?.phrase.map { " (\($0))" } ?? ""
    let others = rest(Array(compared.dropFirst(Self.mostNamed)))
    return "At \(place(target, headline)), \(parts.joined(separator: ", "))\(others)\(images)\(unfinished)."
  }

  /// `, the other 4 between 13 and 27 % fewer`.
  private func rest(_ verdicts: [Verdict]) -> String {
    let means = verdicts.compactMap { $0.bytes?.mean }
    guard let low = means.min(), let high = means.max() else { return "" }
    let (small, large) = low < 0 && high < 0 ? (high, low) : (low, high)
    let begin = (low < 0) == (high < 0) ? Self.percent(small) : Self.side(small)
    return ", the other \(verdicts.count) from \(begin) to \(Self.side(large))"
  }

  private func interval(_ verdict: Verdict, _ figure: CorpusFigure, isFirst: Bool) -> String? {
    guard let interval = figure.interval else { return nil }
    if verdict.direction == .undecided {
      return "undecided: \(Self.side(interval.lower)) to \(Self.side(interval.upper))"
    }
    let ends = [interval.lower, interval.upper].sorted { abs($0) < abs($1) }
      .map { Self.percent($0, like: figure.mean) }
    return "\(isFirst ? "95 % interval " : "")\(ends.joined(separator: " to ")) %"
  }

  private func details(_ verdicts: [Verdict]) -> [String] {
    let rated = verdicts.compactMap { verdict in
      verdict.bdRate?.percent.flatMap { figure in
        figure.standsOnHalf ? figure.interval.map { (verdict: verdict, figure: figure, interval: $0) } : nil
      }
    }
    let rates = rated.enumerated().map { index, rate in
      let images = rate.figure.images < rate.figure.outOf ? ", \(Self.images(rate.figure))" : ""
      return "\(rate.verdict.variant.title(beside: rate.verdict.reference)) "
        + "\(Self.rate(rate.figure.mean, rate.interval, isNamed: index == 0))\(images)"
    }
    var details = [amongThemselves(verdicts), besideBestReference(verdicts)].compactMap(\.self)
    if case .band(let low, let high)? = verdicts.first?.bdRate?.range, let headline = analysis.headline,
      !rates.isEmpty, verdicts.count <= Self.mostNamed
    {
      details.append(
        "BD-rate over \(headline.phrase(low)) to \(Numerals.brief(high)): \(rates.joined(separator: "; "))."
      )
    }
    let own = analysis.variants.filter { !analysis.importedVariants.contains($0) }
    let titles = own.map { $0.title(defaults: analysis.defaults) }
    if zip(titles, own).contains(where: { $0 != $1.title }) {
      details.append("Settings: \(titles.joined(separator: "; "))\(shrunk).")
    }
    return details
  }
}

// The order of the variants.
extension Wording {
  /// `AVIF needs 13 % fewer bytes than HEIC (95 % interval 8.2 to 17 %); HEIC and WebP cannot be told apart.` Compares
  /// each variant with the next, image by image: intervals against a third variant cannot settle that.
  private func amongThemselves(_ verdicts: [Verdict]) -> String? {
    let shown = verdicts.prefix(Self.mostNamed)
    let parts = zip(shown, shown.dropFirst()).compactMap { first, second -> String? in
      guard let target = first.target,
        let pair = analysis.comparison(of: first.variant, against: second.variant, at: target)
      else { return nil }
      return phrase(pair)
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ") + "."
  }

  private func phrase(_ pair: PairedComparison) -> String? {
    let (name, other) = (pair.variant.title(beside: pair.against), pair.against.title(beside: pair.variant))
    if pair.isSame { return "\(name) and \(other) make files of the same size" }
    // A change without an interval does not support an order; comparisons.csv has it.
    guard let interval = pair.interval else { return nil }
    guard pair.isToldApart else {
      return
        "\(name) and \(other) cannot be told apart (\(Self.side(interval.lower)) to \(Self.side(interval.upper)))"
    }
    let ends = [interval.lower, interval.upper].sorted { abs($0) < abs($1) }
      .map { Self.percent($0, like: pair.changePercent) }
    return
      "\(name) needs \(Self.than(pair.changePercent)) \(other) (95 % interval \(ends.joined(separator: " to ")) %)"
  }
}

// The best variant of the codec that the others are compared with.
extension Wording {
  /// `Compared with the smallest JPEG here: HEIC needs 14 % fewer bytes than JPEG@jpegli (progressive=true) (95 %
  /// interval 9 to 19 %).` Nil unless a variant of the reference's codec needs fewer bytes than the reference, over the
  /// same images as the others.
  private func besideBestReference(_ verdicts: [Verdict]) -> String? {
    func isComplete(_ verdict: Verdict) -> Bool { verdict.bytes.map { $0.images == $0.outOf } == true }
    let isOwn = { (verdict: Verdict) in verdict.variant.codec == verdict.reference.codec }
    guard let best = verdicts.first(where: isOwn), best.direction == .saves, isComplete(best),
      let target = best.target
    else { return nil }
    // Its neighbours are already compared with it in `amongThemselves`.
    let place = verdicts.firstIndex { $0.variant == best.variant } ?? 0
    let others = verdicts.indices.filter {
      (abs($0 - place) > 1 || max($0, place) >= Self.mostNamed) && !isOwn(verdicts[$0])
        && isComplete(verdicts[$0])
    }.prefix(Self.mostNamed).compactMap {
      analysis.comparison(of: verdicts[$0].variant, against: best.variant, at: target).flatMap(phrase)
    }
    return others.isEmpty
      ? nil
      : "Compared with the smallest \(CodecName.title(of: best.variant.codec)) here: "
        + others.joined(separator: "; ") + "."
  }
}

// The agreement of the metrics.
extension Wording {
  /// The joint verdict of the metrics in a sentence: `4 of 5 metrics agree; MS-SSIM sees half of the gain (BD-rate
  /// −15.2 % against −30.1 %).` Nil if only one metric has a verdict.
  func sentence(_ agreement: MetricAgreement) -> String? {
    guard !agreement.views.isEmpty else { return nil }
    let (count, gain) = (agreement.metrics, agreement.direction == .saves ? "gain" : "cost")
    let others = agreement.views.filter { $0.opinion != .agrees }
    let phrases = others.map { "\(title($0.metric)) \(phrase($0, agreement, gain: gain)) (\(rates($0)))" }
      .joined(separator: ", ")
    let result = agreement.direction == .saves ? "fewer bytes" : "more bytes"
    let start =
      if agreement.direction == .undecided {
        "\(undecided(agreement, count - others.count)) tell which is smaller"
      } else if others.isEmpty {
        unanimity(agreement)
      } else if agreement.sameWinner == count {
        "\(count == 2 ? "Both" : "All \(count)") metrics see \(result), but "
          + (agreement.agreeing == 1 ? "they disagree" : "\(agreement.agreeing) of \(count) agree")
          + " on how many"
      } else if agreement.agreeing == 1 {
        count == 2
          ? "The two metrics do not agree" : "No other metric agrees with \(title(agreement.headline))"
      } else {
        "\(agreement.agreeing) of \(count) metrics agree"
      }
    return phrases.isEmpty ? "\(start)." : "\(start); \(phrases)."
  }

  /// `Neither metric can`, `3 of 5 metrics, including SSIMULACRA2, cannot`.
  private func undecided(_ agreement: MetricAgreement, _ count: Int) -> String {
    let (all, headline) = (agreement.metrics, title(agreement.headline))
    return switch count {
    case all: all == 2 ? "Neither metric can" : "None of the \(all) metrics can"
    case 1: "\(headline) cannot"
    default: "\(count) of \(all) metrics, including \(headline), cannot"
    }
  }

  /// `All 5 metrics agree (SSIMULACRA2, PSNR-Y, …)`, or the metrics with a verdict, then the others.
  private func unanimity(_ agreement: MetricAgreement) -> String {
    let heard = [agreement.headline] + agreement.views.map(\.metric)
    let names = heard.map(title).joined(separator: ", ")
    let others = analysis.metrics.map(\.id).filter { !heard.contains($0) }
    guard !others.isEmpty else {
      return "\(heard.count == 2 ? "Both" : "All \(heard.count)") metrics agree (\(names))"
    }
    return
      "\(names) agree; too few images have a BD-rate for \(others.map(title).joined(separator: ", "))"
  }

  func contradiction(_ agreement: MetricAgreement?) -> String {
    let others = agreement?.views.filter { $0.opinion == .contradicts }.map { title($0.metric) } ?? []
    return others.isEmpty
      ? "" : "; but \(others.joined(separator: " and ")) \(others.count == 1 ? "says" : "say") the opposite"
  }

  private func title(_ metric: String) -> String {
    analysis.metrics.first { $0.id == metric }?.title ?? metric
  }

  private func phrase(_ view: MetricAgreement.View, _ agreement: MetricAgreement, gain: String) -> String {
    switch view.opinion {
    case .agrees: "agrees"
    case .less, .more: "sees \(Self.share(view.share)) the \(gain)"
    case .undecided: "cannot tell"
    case .contradicts, .decides: "sees \(view.rate.mean < 0 ? "fewer" : "more") bytes"
    }
  }

  private func rates(_ view: MetricAgreement.View) -> String {
    let (own, headline) = (view.rate, view.headlineRate)
    return "BD-rate \(Self.rate(own.mean, own.interval)) against "
      + Self.rate(headline.mean, headline.interval, isNamed: false)
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
