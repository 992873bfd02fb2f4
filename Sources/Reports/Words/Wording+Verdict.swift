package import Analysis
import Metrics
import Model

// The answer for one variant.
extension Wording {
  /// The answer in a sentence: `At SSIMULACRA2 70, HEIC needs 27 % fewer bytes than JPEG, 95 % interval 20 to 34 %, …`.
  /// It includes any remark on the whole run, so that nobody quotes one without the other.
  package func sentence(_ verdict: Verdict) -> String {
    let sentence =
      if let same = verdict.same {
        sentence(verdict, same)
      } else if case .bytes(let bytes) = analysis.options.target?.goal {
        sentence(verdict, within: bytes)
      } else {
        sentenceAtEqualQuality(verdict)
      }
    return analysis.progress?.phrase.map { "\(sentence.dropLast()) (\($0))." } ?? sentence
  }

  /// `HEIC@new makes the same files as HEIC in all 59 encodes (6 images, equal bytes and scores). It needs 1.01 times
  /// the CPU time to encode and 0.85 times the CPU time to decode.`
  private func sentence(_ verdict: Verdict, _ same: SharedPoints) -> String {
    let times = TimedOperation.allCases.compactMap { operation in
      same.cpuRatio(operation).map { "\(Numerals.ratio($0)) times the CPU time to \(operation)" }
    }
    return "\(verdict.variant.title(beside: verdict.reference)) makes the same files as "
      + "\(verdict.reference.title(beside: verdict.variant)) in "
      + "\(same.count == 1 ? "the only encode" : "all \(Numerals.counted(same.count, "encode"))") "
      + "(\(Numerals.counted(same.images, "image")), equal bytes and scores)"
      + (times.isEmpty ? "." : ". It needs \(times.joined(separator: " and ")).")
  }

  func details(_ verdict: Verdict) -> [String] {
    guard verdict.same == nil else { return [comparedSettings(verdict)].compactMap(\.self) }
    let details =
      if case .bytes = analysis.options.target?.goal {
        [gain(of: verdict).map(extremes)]
      } else {
        [overshoot(of: verdict.variant)] + detailsAtEqualQuality(verdict)
      }
    return (details + [comparedSettings(verdict)]).compactMap(\.self)
  }

  var shrunk: String { analysis.sourcesAreShrunk ? "; images downscaled first (--downscale)" : "" }

  private func comparedSettings(_ verdict: Verdict) -> String? {
    let (defaults, variant, reference) = (analysis.defaults, verdict.variant, verdict.reference)
    guard verdict.direction != .unknown, defaults[variant.codec] != nil || defaults[reference.codec] != nil
    else { return nil }
    return "Settings: \(variant.title(defaults: defaults)); \(reference.title(defaults: defaults))\(shrunk)."
  }
}

// At equal quality.
extension Wording {
  private func sentenceAtEqualQuality(_ verdict: Verdict) -> String {
    let (variant, reference) = (verdict.variant, verdict.reference)
    if let unmeasured = verdict.unmeasured {
      return "\(variant.title) and \(reference.title) cannot be compared: \(Self.reason(unmeasured))."
    }
    guard let headline = analysis.headline else {
      return
        "\(variant.title(beside: reference)) and \(reference.title(beside: variant)) cannot be compared at "
        + "equal quality: \(noScores)."
    }
    guard let target = verdict.target, let figure = verdict.bytes else { return noAnswer(verdict, headline) }
    let start =
      "At \(place(target, headline)), \(variant.title(beside: reference)) needs \(Self.than(figure.mean)) "
      + reference.title(comparedWith: variant, analysis.defaults)
    // For a single image, the note below says how far to trust the figure.
    if figure.interval == nil, figure.outOf == 1 { return "\(start) for this one image." }
    let ending = contradiction(verdict.agreement)
    return start
      + interval(of: figure, verdict, unit: " %", ending: ending, change: Self.side) {
        Self.percent($0, like: figure.mean)
      }
  }

  /// The interval and the number of images of a figure: `, 95 % interval 20 to 34 %, 24 images.`
  private func interval(
    of figure: CorpusFigure, _ verdict: Verdict, unit: String = "", ending: String = "",
    change: (Double) -> String, size: (Double) -> String
  ) -> String {
    let images = drawn(figure)
    guard let interval = figure.interval else { return ", \(images): too few for an interval." }
    if verdict.direction == .undecided {
      return
        ", but the 95 % interval includes zero (\(change(interval.lower)) to \(change(interval.upper)); "
        + "\(images))."
    }
    let ends = [interval.lower, interval.upper].map(abs).sorted().map(size)
    return ", 95 % interval \(ends[0]) to \(ends[1])\(unit), \(images)\(ending)."
  }

  /// A score in a sentence, called the target if it was searched for.
  func place(_ score: Double, _ metric: MetricTraits) -> String {
    if case .score(let searched, let wanted) = analysis.options.target?.goal, searched.id == metric.id,
      wanted == score
    {
      return "the target \(metric.phrase(score))"
    }
    return metric.phrase(score)
  }

  private static func reason(_ unmeasured: Verdict.Unmeasured) -> String {
    let reasons = [(unmeasured.failed, "failed"), (unmeasured.unsupported, "are unsupported")]
      .filter { $0.0 > 0 }.map { "\($0) \($1)" }
    let detail = reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))"
    return "nothing was measured for \(unmeasured.variant.title)\(detail)"
  }

  /// The sentence if too few images have a figure at any target: the side to widen, or the obstacle, at the nearest
  /// target.
  private func noAnswer(_ verdict: Verdict, _ headline: MetricTraits) -> String {
    let matched = analysis.options.byDistance(
      analysis.matchedQualities.filter { $0.variant == verdict.variant })
    let names = "\(verdict.variant.title) and \(verdict.reference.title)"
    let best = matched.max { ($0.bytes?.images ?? 0) < ($1.bytes?.images ?? 0) }
    let advice = matched.first.flatMap { Self.advice($0, of: headline) }.map { "; \($0)" } ?? ""
    if let best, let figure = best.bytes {
      return "No verdict: fewer than half of the images reach a requested score with both \(names) (at "
        + "\(headline.phrase(best.target)), \(figure.images) of \(figure.outOf))\(advice)."
    }
    if let first = matched.first, !advice.isEmpty,
      first.problems.max(by: { $0.images < $1.images })?.problem == .outOfRange
    {
      return "\(names) cannot be compared at equal \(headline.title): they do not both reach "
        + "\(Numerals.brief(first.target))\(advice)."
    }
    let worst = matched.flatMap(\.problems).max { $0.images < $1.images }
    return "\(names) cannot be compared at equal \(headline.title)\(worst.map { ": \($0.phrase)" } ?? "")."
  }

  private func detailsAtEqualQuality(_ verdict: Verdict) -> [String?] {
    guard verdict.unmeasured == nil, let headline = analysis.headline else { return [] }
    var details = [verdict.agreement.flatMap(sentence)]
    if let rate = verdict.bdRate, let figure = rate.percent, figure.standsOnHalf,
      let interval = figure.interval,
      case .band(let low, let high) = rate.range
    {
      let images = figure.images < figure.outOf ? "; \(Self.images(figure))" : ""
      details.insert(
        "Averaged over \(headline.phrase(low)) to \(Numerals.brief(high)): BD-rate \(Self.rate(figure.mean, interval))\(images).",
        at: 0)
    }
    let choice = analysis.matchedQualities.first {
      $0.variant == verdict.variant && $0.target == verdict.target
    }
    if let figure = choice?.bytes, figure.images > 1, figure.best.image != figure.worst.image {
      details.append("Best image: \(named(figure.best)); worst: \(named(figure.worst)).")
    }
    if let time = choice?.cpu[.encode] {
      let decode = choice?.cpu[.decode].map { " and \(Numerals.ratio($0.ratio)) times to decode" } ?? ""
      details.append(
        "At equal quality, \(verdict.variant.title(beside: verdict.reference)) needs "
          + "\(Numerals.ratio(time.ratio)) times the CPU time of "
          + "\(verdict.reference.title(beside: verdict.variant)) to encode\(decode).")
    }
    details.append(timesByProcessor(verdict))
    return details
  }

  /// `CPU time to encode at equal quality, compared with JPEG: 150 times (95 % interval 140 to 160) on AMD EPYC, …`
  /// Nil unless the times come from different processors.
  private func timesByProcessor(_ verdict: Verdict) -> String? {
    let ratios = analysis.matchedByProcessor.compactMap { matched -> String? in
      guard matched.variant == verdict.variant, matched.target == verdict.target,
        let processor = matched.processor, let time = matched.cpu[.encode], let mean = time.meanRatio
      else { return nil }
      let interval = time.ratioInterval.map {
        " (95 % interval \(Numerals.ratio($0.lower)) to \(Numerals.ratio($0.upper)))"
      }
      return "\(Numerals.ratio(mean)) times\(interval ?? "") on \(processor)"
    }
    return ratios.isEmpty
      ? nil
      : "CPU time to encode at equal quality, compared with "
        + "\(verdict.reference.title(beside: verdict.variant)): \(ratios.joined(separator: ", "))."
  }

  /// `kodim03.png (40 % fewer)`, with a remark if the image is too small for the metric.
  private func named(_ figure: NamedFigure) -> String {
    let side = figure.isSmall ? analysis.headline?.dependableSide : nil
    return "\(figure.image) (\(Self.side(figure.value))\(side.map { ", under \($0) pixels" } ?? ""))"
  }

  /// The total bytes of the files found by a search for a score: they overshoot it, each codec according to the
  /// coarseness of its scale, so they do not compare at equal quality.
  private func overshoot(of variant: CodecVariant) -> String? {
    guard let found = analysis.target, let metric = found.target.metric,
      case .score(_, let wanted) = found.target.goal, found.images > 0, let first = found.totals.first,
      let own = found.totals.first(where: { $0.variant == variant }), let percent = own.percentOfFirst,
      let mine = own.meanScores[metric.id], let other = first.meanScores[metric.id]
    else { return nil }
    func over(_ score: Double) -> String { Numerals.plain(abs(score - wanted), metric.decimals) }
    return "The files found need \(Self.change(percent - 100)) in total "
      + "(\(Numerals.counted(found.images, "image")) where every codec reaches the target), but they overshoot "
      + "it by different amounts: on average \(variant.title) by \(over(mine)), \(first.variant.title) by \(over(other))."
  }
}

// Within a size.
extension Wording {
  private func gain(of verdict: Verdict) -> TargetFindings.Gain? {
    analysis.target?.gains.first { $0.variant == verdict.variant }
  }

  private func sentence(_ verdict: Verdict, within bytes: Int) -> String {
    let (variant, reference) = (verdict.variant.title, verdict.reference.title)
    let place = "Within the target of \(Self.size(bytes))"
    guard let headline = analysis.headline else {
      return
        "\(place), heicbench cannot tell which looks better: \(noScores)."
    }
    guard let gain = gain(of: verdict) else {
      return "\(place), no image has a file from both \(variant) and \(reference)."
    }
    return
      "\(place), \(variant) reaches a mean \(headline.title) of \(score(gain.score)) and "
      + "\(reference) \(score(gain.referenceScore)): \(variant) is \(better(gain.points.mean))"
      + interval(of: gain.points, verdict, change: better, size: score)
  }

  private func extremes(_ gain: TargetFindings.Gain) -> String {
    let (best, worst) = (gain.points.worst, gain.points.best)
    return
      "Best image: \(best.image) (\(better(best.value))); worst: \(worst.image) (\(better(worst.value)))."
  }

  private func score(_ value: Double) -> String { Numerals.plain(value, analysis.headline?.decimals ?? 2) }

  /// `1.25 points better`.
  private func better(_ value: Double) -> String {
    let unit = analysis.headline.flatMap { $0.unit.isEmpty ? nil : $0.unit } ?? "points"
    return "\(score(abs(value))) \(unit) \(value < 0 ? "worse" : "better")"
  }
}
