internal import Curves
internal import Model
import Store

extension Verdict {
  /// Finds the answer among a pair's figures: at the target that was asked for, or the nearest one that holds
  /// for at least half of the images. What stands on fewer is no answer for the corpus.
  ///
  /// `unmeasured` says that one of the two variants has no point at all.
  init(
    _ variant: CodecVariant, against reference: CodecVariant, matched: [MatchedQuality],
    bdRates: [BDRateSummary], headline: MetricTraits?, options: AnalysisOptions, unmeasured: String? = nil
  ) {
    let byDistance = matched.sorted {
      abs($0.target - options.verdictTarget) < abs($1.target - options.verdictTarget)
    }
    let choice = byDistance.first { $0.bytes?.standsOnHalf == true }
    let rate = bdRates.first { $0.metric == options.headlineMetric && $0.range != .overlap }
    self.init(
      variant: variant, reference: reference, direction: Self.direction(choice?.bytes),
      target: choice?.target, bytes: choice?.bytes, bdRate: rate, sentence: "", details: [])
    if let unmeasured {
      sentence = "\(variant.title) and \(reference.title) cannot be compared: \(unmeasured)."
      return
    }
    guard let headline else {
      sentence =
        "\(variant.title(beside: reference)) and \(reference.title(beside: variant)) cannot be compared at equal quality: the rows have no "
        + "\(options.headlineMetric) scores."
      return
    }
    sentence =
      choice.flatMap { choice in
        choice.bytes.map {
          Self.sentence(variant, reference, options.place(choice.target, headline), $0, direction)
        }
      } ?? Self.silence(variant, reference, headline, byDistance)
    details = Self.details(variant, reference, headline, choice: choice, rate: rate)
  }

  /// Says something in parentheses at the end of the sentence, where nobody can quote one without the other.
  mutating func add(remark: String) {
    if sentence.hasSuffix(".") { sentence.removeLast() }
    sentence += " (\(remark))."
  }

  private static func direction(_ figure: CorpusFigure?) -> Direction {
    guard let figure else { return .unknown }
    let (lower, upper) = (figure.interval?.lower ?? figure.mean, figure.interval?.upper ?? figure.mean)
    if upper < 0 { return .saves }
    return lower > 0 ? .costs : .undecided
  }

  private static func sentence(
    _ variant: CodecVariant, _ reference: CodecVariant, _ place: String, _ figure: CorpusFigure,
    _ direction: Direction
  ) -> String {
    let start = "At \(place), \(variant.title(beside: reference)) takes "
    let comparison =
      fixed(figure.mean, 1) == "0.0"
      ? "as many bytes as \(reference.title(beside: variant))"
      : "\(change(figure.mean)) than \(reference.title(beside: variant))"
    let images = figure.imagesPhrase
    guard let interval = figure.interval else {
      return "\(start)\(comparison), \(images): too few for an interval."
    }
    let ends = [interval.lower, interval.upper].sorted { abs($0) < abs($1) }
    if direction == .undecided {
      return "\(start)\(comparison), but the 95 % interval runs from \(side(interval.lower)) to "
        + "\(side(interval.upper)), \(images)."
    }
    return "\(start)\(comparison), 95 % interval \(percent(ends[0], like: figure.mean)) to "
      + "\(percent(ends[1], like: figure.mean)) %, \(images)."
  }

  /// `5.0 % fewer`, `3.1 % more`.
  private static func side(_ value: Double) -> String {
    "\(percent(value)) % \(value < 0 ? "fewer" : "more")"
  }

  /// The sentence where no target holds for enough images: which side to widen, or which problem stands in the
  /// way. `matched` begins with the target that was asked for.
  private static func silence(
    _ variant: CodecVariant, _ reference: CodecVariant, _ headline: MetricTraits, _ matched: [MatchedQuality]
  ) -> String {
    let names = "\(variant.title) and \(reference.title)"
    let best = matched.max { ($0.bytes?.images ?? 0) < ($1.bytes?.images ?? 0) }
    let advice = matched.first?.reach.advice(variant, reference).map { "; \($0)" } ?? ""
    if let best, let figure = best.bytes {
      return "\(names) meet at no score that was asked for in at least half of the images (at "
        + "\(headline.phrase(best.target)) in \(figure.images) of \(figure.outOf)), so there is no verdict\(advice)."
    }
    if let first = matched.first, !advice.isEmpty,
      first.problems.max(by: { $0.images < $1.images })?.problem == .outOfRange
    {
      return "\(names) cannot be compared at equal \(headline.title): they have no common range at "
        + "\(brief(first.target))\(advice)."
    }
    let worst = matched.flatMap(\.problems).max { $0.images < $1.images }
    let reason = worst.map { ": \(counted($0.images, "image")) with \($0.problem.explanation)" } ?? ""
    return "\(names) cannot be compared at equal \(headline.title)\(reason)."
  }

  private static func details(
    _ variant: CodecVariant, _ reference: CodecVariant, _ headline: MetricTraits, choice: MatchedQuality?,
    rate: BDRateSummary?
  ) -> [String] {
    var details: [String] = []
    if let figure = rate?.percent, figure.standsOnHalf, case .band(let low, let high) = rate?.range {
      let images = figure.images < figure.outOf ? ", \(figure.imagesPhrase)" : ""
      details.append(
        "Averaged over \(headline.phrase(low)) to \(brief(high)), it takes \(change(figure.mean)) "
          + "(BD-rate \(fixed(figure.mean, 1)) %\(images)).")
    }
    if let figure = choice?.bytes, figure.images > 1 {
      details.append(
        "Best image: \(figure.best.image) (\(side(figure.best.value))\(smallness(figure.best, headline))); worst: "
          + "\(figure.worst.image) (\(side(figure.worst.value))\(smallness(figure.worst, headline))).")
    }
    if let time = choice?.encodeCPU {
      details.append(
        "At that score it encodes in \(ratio(time.ratio)) times the CPU time of "
          + "\(reference.title(beside: variant))\(decodeRemark(choice?.decodeCPU)).")
    }
    return details
  }

  /// `, under 113 pixels` for an image that its metric was not made for.
  private static func smallness(_ figure: NamedFigure, _ headline: MetricTraits) -> String {
    guard figure.isSmall == true, let side = headline.dependableSide else { return "" }
    return ", under \(side) pixels"
  }

  private static func decodeRemark(_ time: MatchedTime?) -> String {
    time.map { " and decodes in \(ratio($0.ratio)) times" } ?? ""
  }
}

extension CorpusFigure {
  /// `24 images`, `20 of 24 images`.
  var imagesPhrase: String {
    images == outOf ? counted(images, "image") : "\(images) of \(counted(outOf, "image"))"
  }
}

extension AnalysisOptions {
  /// A score in a sentence, told as the target where it is what was searched for.
  func place(_ score: Double, _ metric: MetricTraits) -> String {
    if case .score(let searched, let wanted) = target?.goal, searched.id == metric.id, wanted == score {
      return "the target \(metric.phrase(score))"
    }
    return metric.phrase(score)
  }
}
