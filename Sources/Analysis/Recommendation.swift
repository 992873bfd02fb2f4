internal import Curves
internal import Foundation
package import Model
package import Store

/// What a setting is to give.
package struct Wishes: Sendable, Hashable {
  /// The least score of the headline metric.
  package var score: Double
  /// The share of images that are to have that score, 0 to 1.
  package var share: Double
  /// The least saving against the reference at equal score, percent; nil for none.
  package var savingPercent: Double?
  /// The most CPU time of each operation that may not take any, milliseconds per megapixel.
  package var cpu: OperationTable<Double>
  /// The codecs or variants that are asked about, by name; empty for all.
  package var codecs: [String]

  /// States wishes.
  package init(
    score: Double, share: Double = 0.9, savingPercent: Double? = nil,
    cpu: OperationTable<Double> = [:], codecs: [String] = []
  ) {
    (self.score, self.share, self.savingPercent) = (score, share, savingPercent)
    (self.cpu, self.codecs) = (cpu, codecs)
  }

  /// Whether a variant is asked about.
  func ask(about variant: CodecVariant) -> Bool {
    codecs.isEmpty || codecs.contains(variant.codec) || codecs.contains(variant.name)
  }
}

/// A variant at one of its measured qualities, with what it gives over all images.
package struct Recommendation: Sendable, Hashable {
  /// What a setting does not give.
  package enum Shortfall: Sendable, Hashable {
    /// Too few images have the score.
    case score
    /// It saves too little at equal score, or nobody knows what.
    case saving
    /// An operation takes too long.
    case cpu(TimedOperation)

    static let all = [.score, .saving] + TimedOperation.allCases.map(Self.cpu)
  }

  /// The variant.
  package var variant: CodecVariant
  /// The quality.
  package var quality: Quality
  /// The images that were measured there: all usable ones of the run, of one that is not finished perhaps fewer.
  package var images: Int
  /// The images that have the score.
  package var holding: Int
  /// The image with the lowest score, and that score.
  package var worst: NamedFigure
  /// Bytes of all images.
  package var bytes: Int
  /// Geometric mean of the bits per pixel.
  package var bitsPerPixel: Double
  /// The change in bytes against the reference where both have the wished score, whatever the quality; nil for the
  /// reference, and where no image has points near enough.
  package var change: CorpusFigure?
  /// CPU milliseconds over megapixels of each operation that was timed at every image.
  package var cpu = OperationTable<Double>()
  /// What it does not give; empty for one that fulfils all wishes.
  package var shortfalls: [Shortfall] = []
  /// The next lower measured quality, where too few images have the score and nothing else is missing.
  package var tooLow: Bound?
  /// The quality between `tooLow` and this one that would do by the images' curves, in hundredths; nil where they tell of
  /// none. It was not measured over all images.
  package var interpolated: Double?
  /// What `interpolated` costs by what was measured on both sides of it; nil without it.
  package var estimate: Estimate?
  /// Whether `interpolated` would give all of it where this quality does not.
  package var wouldDo = false
  /// Whether points around the score are too far apart to tell which quality between `tooLow` and this one is enough.
  package var isCoarse = false
  /// Whether no lower quality was measured over all images.
  package var isLowestMeasured = false

  /// What a quality between two measured ones costs: bits geometrically, times linearly between them.
  package struct Estimate: Sendable, Hashable {
    /// Geometric mean of the bits per pixel.
    package var bitsPerPixel: Double
    /// CPU milliseconds over megapixels of each operation whose times are known on both sides.
    package var cpu: OperationTable<Double>

    /// A quality's place between two others of which it is a share of the way, 0 to 1.
    init(_ below: Recommendation, _ above: Recommendation, share: Double) {
      bitsPerPixel = exp(
        log(below.bitsPerPixel) + share * (log(above.bitsPerPixel) - log(below.bitsPerPixel)))
      cpu = OperationTable { operation in
        guard let low = below.cpu[operation], let high = above.cpu[operation] else { return nil }
        return low + share * (high - low)
      }
    }
  }

  /// What counts for the order: the fewest bits that do, as far as is known.
  package var leastBitsPerPixel: Double { estimate?.bitsPerPixel ?? bitsPerPixel }

  /// A measured quality with the number of images that have the score there.
  package struct Bound: Sendable, Hashable {
    /// The quality.
    package var quality: Quality
    /// The images that have the score.
    package var holding: Int
  }
}

/// Which settings fulfil wishes.
package struct Recommendations: Sendable, Hashable {
  /// Of each variant that has any the one with the fewest bytes, those with the fewest bytes first.
  package var fulfilling: [Recommendation] = []
  /// Of each other variant the setting that comes nearest, with what it lacks.
  package var others: [Recommendation] = []
  /// Usable images of the run, of one that is not finished those that have points.
  package var images = 0
  /// What savings are against.
  package var reference: CodecVariant?

  /// Those of the others that would give all of it at a quality which was not measured, those with the fewest bytes first.
  package var likely: [Recommendation] {
    others.filter(\.wouldDo).sorted { $0.leastBitsPerPixel < $1.leastBitsPerPixel }
  }
}

/// Finds settings in the rows of a run. Rows of one image have to stand together.
package struct RecommendationBuilder: Sendable {
  private struct Setting: Hashable {
    var variant: CodecVariant
    var quality: Quality
  }

  private struct Sums: Sendable {
    var images = 0
    var holding = 0
    var worst: NamedFigure?
    var bytes = 0
    var logBitsPerPixel = 0.0
    var pixels = 0.0
    var cpu = OperationTable<Double>()
  }

  private let wishes: Wishes
  private let metrics: [MetricTraits]
  private let options: AnalysisOptions
  private let headline: Int
  private let reference: CodecVariant?
  private let isFinished: Bool
  private var order: [CodecVariant]
  private var sums: [Setting: Sums] = [:]
  private var images = 0
  private var current: [ResultRow] = []
  private var needed = NeededQualities()
  private var changes: [CodecVariant: FigureColumn] = [:]

  /// Looks among variants, of which the first is what savings are against. Nil where the metric was not measured.
  /// - Parameter isFinished: whether all points of the run are there; else qualities count that half of the images have.
  package init?(
    _ wishes: Wishes, variants: [CodecVariant], metrics: [MetricTraits], options: AnalysisOptions,
    isFinished: Bool = true
  ) {
    guard let headline = metrics.firstIndex(where: { $0.id == options.headlineMetric }) else { return nil }
    (self.wishes, self.metrics, self.options, self.headline) = (wishes, metrics, options, headline)
    (reference, order, self.isFinished) = (variants.first, variants, isFinished)
  }

  /// Takes the next row.
  package mutating func add(_ row: ResultRow) {
    if let last = current.last, last.image != row.image || last.imageHash != row.imageHash { finishImage() }
    current.append(row)
  }

  /// What was found among all rows.
  package consuming func finish() -> Recommendations {
    finishImage()
    var result = Recommendations(images: images, reference: reference)
    let all = sums.compactMap { recommendation($0.key, $0.value) }
    for variant in order where wishes.ask(about: variant) {
      let own = settings(of: variant, all)
      if let best = own.filter(\.shortfalls.isEmpty).min(by: { $0.bitsPerPixel < $1.bitsPerPixel }) {
        result.fulfilling.append(withBounds(best, own))
      } else if variant == reference, (wishes.savingPercent ?? 0) > 0 {
        // What savings are against saves nothing against itself, which is no finding.
        continue
      } else if let nearest = likely(own) ?? own.min(by: Self.isNearer) {
        result.others.append(nearest)
      }
    }
    result.fulfilling.sort { $0.leastBitsPerPixel < $1.leastBitsPerPixel }
    return result
  }

  /// The qualities of a variant that may be an answer. One that only some images have is another sample; where the run
  /// is not finished, those that most have are the best there is.
  private func settings(of variant: CodecVariant, _ all: [Recommendation]) -> [Recommendation] {
    let own = all.filter { $0.variant == variant }
    let most = isFinished ? images : own.map(\.images).max() ?? 0
    return own.filter { $0.images == most || (!isFinished && $0.images * 2 >= images) }
  }

  /// The lowest measured quality above one that was not measured and that would give all of it by the images' curves; nil
  /// where there is none.
  private func likely(_ own: [Recommendation]) -> Recommendation? {
    guard let variant = own.first?.variant, let enough = needed.quality(of: variant, share: wishes.share),
      var above = own.filter({ $0.quality.value > enough }).min(by: { $0.quality < $1.quality }),
      let below = own.filter({ $0.quality.value < enough }).max(by: { $0.quality < $1.quality }),
      !own.contains(where: { $0.quality.value == enough }), !above.shortfalls.contains(.score)
    else { return nil }
    let estimate = Self.estimate(at: enough, below, above)
    var there = above
    there.cpu = estimate.cpu
    guard Recommendation.Shortfall.all.allSatisfy({ $0 == .score || gives($0, there) }) else { return nil }
    (above.interpolated, above.estimate, above.wouldDo) = (enough, estimate, true)
    return above
  }

  private static func estimate(
    at quality: Double, _ below: Recommendation, _ above: Recommendation
  ) -> Recommendation.Estimate {
    let (low, high) = (below.quality.value, above.quality.value)
    return Recommendation.Estimate(below, above, share: high > low ? (quality - low) / (high - low) : 1)
  }

  /// With what is known of the qualities below it.
  private func withBounds(_ best: Recommendation, _ own: [Recommendation]) -> Recommendation {
    var best = best
    let lower = own.filter { $0.quality < best.quality }
    best.isLowestMeasured = lower.isEmpty
    guard let below = lower.max(by: { $0.quality < $1.quality }), below.shortfalls == [.score] else {
      return best
    }
    best.tooLow = .init(quality: below.quality, holding: below.holding)
    best.isCoarse = needed.isCoarse(best.variant, share: wishes.share)
    if let enough = needed.quality(of: best.variant, share: wishes.share), enough > below.quality.value,
      enough < best.quality.value
    {
      best.interpolated = enough
      best.estimate = Self.estimate(at: enough, below, best)
    }
    return best
  }

  /// Fewer shortfalls first; where the score is one of them more images, else fewer bytes.
  private static func isNearer(_ a: Recommendation, _ b: Recommendation) -> Bool {
    if a.shortfalls.count != b.shortfalls.count { return a.shortfalls.count < b.shortfalls.count }
    if a.holding != b.holding { return a.holding > b.holding }
    return a.bitsPerPixel < b.bitsPerPixel
  }

  private mutating func finishImage() {
    defer { current = [] }
    let measured = current.filter { $0.status == .measured && $0.importedFile == nil }
    guard let name = measured.first?.image else { return }
    images += 1
    var samples: [CodecVariant: [PointSample]] = [:]
    for row in measured {
      guard let variant = row.variant, let sample = PointSample(row, metrics: metrics) else { continue }
      samples[variant, default: []].append(sample)
    }
    var curves: [CodecVariant: RateQualityCurve] = [:]
    let position = metrics[headline].curvePosition(of: wishes.score)
    for (variant, samples) in samples {
      curves[variant] = try? VariantCurves(samples, metrics: metrics).curves[headline].get()
      needed.add(variant, samples, curves[variant], wishes.score, headline, metrics)
    }
    if let reference, let position {
      compare(curves, with: reference, at: position, of: NamedImage(name: name))
    }
    for row in measured { sum(row) }
  }

  private mutating func compare(
    _ curves: [CodecVariant: RateQualityCurve], with reference: CodecVariant, at position: Double,
    of image: NamedImage
  ) {
    guard let other = curves[reference]?.bytes(at: position), other > 0 else { return }
    for (variant, curve) in curves where variant != reference {
      guard let bytes = curve.bytes(at: position), bytes > 0 else { continue }
      changes[variant, default: FigureColumn(.logRatio)].add(log(bytes / other), image: image)
    }
  }

  private mutating func sum(_ row: ResultRow) {
    guard let variant = row.variant, let quality = row.quality, let bytes = row.encodedBytes, bytes > 0,
      let pixels = row.pixels, pixels > 0, let score = row.scores[metrics[headline].id], !score.isNaN
    else { return }
    if !order.contains(variant) { order.append(variant) }
    let traits = metrics[headline]
    var sum =
      sums.removeValue(forKey: Setting(variant: variant, quality: quality))
      ?? Sums(cpu: OperationTable { _ in 0 })
    sum.images += 1
    if traits.higherIsBetter ? score >= wishes.score : score <= wishes.score { sum.holding += 1 }
    let isWorse = sum.worst.map { traits.higherIsBetter ? score < $0.value : score > $0.value } ?? true
    if isWorse { sum.worst = NamedFigure(image: row.image, value: score) }
    sum.bytes = saturatingSum(sum.bytes, bytes)
    sum.logBitsPerPixel += log(Double(bytes) * 8 / Double(pixels))
    sum.pixels += Double(pixels)
    // A time that is missing once leaves no sum.
    sum.cpu = OperationTable { [times = sum.cpu] operation in
      times[operation].flatMap { time in row[operation, .cpu].map { time + $0.median } }
    }
    sums[Setting(variant: variant, quality: quality)] = sum
  }

  private func recommendation(_ setting: Setting, _ sum: Sums) -> Recommendation? {
    guard let worst = sum.worst, sum.images > 0 else { return nil }
    var found = Recommendation(
      variant: setting.variant, quality: setting.quality, images: sum.images, holding: sum.holding,
      worst: worst, bytes: sum.bytes, bitsPerPixel: exp(sum.logBitsPerPixel / Double(sum.images)))
    found.change = changes[setting.variant]?.figure(outOf: images, options: options)
    found.cpu = sum.cpu.compactMapValues { $0 / sum.pixels * 1e6 }
    found.shortfalls = Recommendation.Shortfall.all.filter { !gives($0, found) }
    return found
  }

  private func gives(_ wish: Recommendation.Shortfall, _ found: Recommendation) -> Bool {
    switch wish {
    case .score: return Double(found.holding) >= wishes.share * Double(found.images) - 1e-9
    case .saving:
      guard let wanted = wishes.savingPercent else { return true }
      if found.variant == reference { return wanted <= 0 }
      guard let change = found.change, change.standsOnHalf else { return false }
      return -change.mean >= wanted
    case .cpu(let operation):
      return wishes.cpu[operation].map { limit in (found.cpu[operation] ?? .infinity) <= limit } ?? true
    }
  }
}
