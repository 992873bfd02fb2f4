internal import Model
import Store

extension Verdict {
  /// The answer of a search for a size: which of two variants looks better within it, and by how much.
  init(
    _ variant: CodecVariant, against reference: CodecVariant, within bytes: Int, gain: TargetFindings.Gain?,
    headline: MetricTraits?, options: AnalysisOptions
  ) {
    self.init(
      variant: variant, reference: reference, direction: .unknown, target: nil, bytes: nil, bdRate: nil,
      sentence: "")
    let place = "Within the target of \(sizePhrase(bytes))"
    guard let headline else {
      sentence =
        "\(place) nothing says which looks better: the rows have no \(options.headlineMetric) scores."
      return
    }
    guard let gain else {
      sentence = "\(place) no image has a file of both \(variant.title) and \(reference.title)."
      return
    }
    direction = Self.direction(gain.points)
    let unit = headline.unit.isEmpty ? "points" : headline.unit
    func score(_ value: Double) -> String { fixed(value, headline.decimals) }
    func side(_ value: Double) -> String {
      "\(score(abs(value))) \(unit) \(value < 0 ? "worse" : "better")"
    }
    let images = gain.points.imagesPhrase
    let start =
      "\(place), \(variant.title) reaches a mean \(headline.title) of \(score(gain.score)) and "
      + "\(reference.title) \(score(gain.referenceScore)): "
    let difference = "\(variant.title) is \(side(gain.points.mean))"
    guard let interval = gain.points.interval else {
      sentence = "\(start)\(difference), \(images): too few for an interval."
      return
    }
    sentence =
      direction == .undecided
      ? "\(start)\(difference), but the 95 % interval runs from \(side(interval.lower)) to "
        + "\(side(interval.upper)), \(images)."
      : "\(start)\(difference), 95 % interval "
        + [interval.lower, interval.upper].map(abs).sorted().map(score).joined(separator: " to ")
        + ", \(images)."
    details = [
      "Best image: \(gain.points.worst.image) (\(side(gain.points.worst.value))); worst: "
        + "\(gain.points.best.image) (\(side(gain.points.best.value)))."
    ]
  }

  /// More points are better, where of bytes fewer are.
  private static func direction(_ figure: CorpusFigure) -> Direction {
    let (lower, upper) = (figure.interval?.lower ?? figure.mean, figure.interval?.upper ?? figure.mean)
    if lower > 0 { return .saves }
    return upper < 0 ? .costs : .undecided
  }
}

extension TargetFindings {
  /// What the files that were found come to, where the search was for a score: they overshoot it, each codec by
  /// as much as its scale is coarse, so that their bytes are not a comparison at equal quality.
  func overshoot(of variant: CodecVariant) -> String? {
    guard let metric = target.metric, case .score(_, let wanted) = target.goal, images > 0,
      let first = totals.first, let own = totals.first(where: { $0.variant == variant }),
      let percent = own.percentOfFirst, let mine = own.meanScores[metric.id],
      let other = first.meanScores[metric.id]
    else { return nil }
    func over(_ score: Double) -> String { fixed(abs(score - wanted), metric.decimals) }
    return "The files that were found take \(change(percent - 100)) in total (\(counted(images, "image")) at "
      + "which every codec reaches the target), but overshoot it unequally: \(variant.title) by \(over(mine)) "
      + "and \(first.variant.title) by \(over(other)) on average."
  }
}

/// Bytes in a sentence: `30 kB`, `1,500 bytes`.
func sizePhrase(_ bytes: Int) -> String {
  for (unit, name) in [(1_000_000, "MB"), (1000, "kB")] where bytes >= unit && bytes % unit == 0 {
    return "\(bytes / unit) \(name)"
  }
  return counted(bytes, "byte")
}
