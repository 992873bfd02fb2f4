package import Analysis
import Foundation
package import Model
package import Store

/// Requirements of a setting.
package struct Wishes: Sendable, Hashable {
  /// Least score of the headline metric.
  package var score: Double
  /// Share of images that must have the score, 0 to 1.
  package var share: Double
  /// Least saving against the reference at equal score, percent; nil for none.
  package var savingPercent: Double?
  /// Largest CPU time of each limited operation, milliseconds per megapixel.
  package var cpu: OperationTable<Double>
  /// Names of the requested codecs or variants; empty for all.
  package var codecs: [String]

  package init(
    score: Double, share: Double = 0.9, savingPercent: Double? = nil,
    cpu: OperationTable<Double> = [:], codecs: [String] = []
  ) {
    (self.score, self.share, self.savingPercent) = (score, share, savingPercent)
    (self.cpu, self.codecs) = (cpu, codecs)
  }

  func ask(about variant: CodecVariant) -> Bool {
    codecs.isEmpty || codecs.contains(variant.codec) || codecs.contains(variant.name)
  }
}

/// A variant at one of its measured qualities, with its figures over all images.
package struct Recommendation: Sendable, Hashable {
  /// Unfulfilled requirement.
  package enum Shortfall: Sendable, Hashable {
    /// Too few images have the score.
    case score
    /// The saving at equal score is too small or unknown.
    case saving
    /// An operation takes too long.
    case cpu(TimedOperation)

    static let all = [.score, .saving] + TimedOperation.allCases.map(Self.cpu)
  }

  package var variant: CodecVariant
  package var quality: Quality
  /// Images measured at this quality: all usable ones, or perhaps fewer in an unfinished run.
  package var images: Int
  /// Images with the score.
  package var holding: Int
  /// Image with the lowest score, and that score.
  package var worst: NamedFigure
  package var bytes: Int
  /// Geometric mean over the images.
  package var bitsPerPixel: Double
  /// Change in bytes against the reference at the wished score; nil for the reference, and without near points.
  package var change: CorpusFigure?
  /// CPU milliseconds over megapixels of each operation timed for every image.
  package var cpu = OperationTable<Double>()
  /// Empty if all wishes are fulfilled.
  package var shortfalls: [Shortfall] = []
  /// Next lower measured quality, if only the number of images with the score falls short there.
  package var tooLow: Bound?
  /// Quality between `tooLow` and this one that suffices by the images' curves, in hundredths; nil if they give none.
  /// It was not measured over all images.
  package var interpolated: Double?
  /// Cost of `interpolated`, from the measurements on both sides; nil without it.
  package var estimate: Estimate?
  /// True if `interpolated` would fulfil all wishes and this quality does not.
  package var wouldDo = false
  /// True if points around the score are too far apart to tell the sufficient quality between `tooLow` and this one.
  package var isCoarse = false
  /// True if no lower quality was measured over all images.
  package var isLowestMeasured = false

  /// Cost of a quality between two measured ones: bits interpolated geometrically, times linearly.
  package struct Estimate: Sendable, Hashable {
    package var bitsPerPixel: Double
    /// CPU milliseconds over megapixels of each operation with times on both sides.
    package var cpu: OperationTable<Double>

    /// Interpolates between two qualities, at `share` of the way, 0 to 1.
    init(_ below: Recommendation, _ above: Recommendation, share: Double) {
      bitsPerPixel = exp(
        log(below.bitsPerPixel) + share * (log(above.bitsPerPixel) - log(below.bitsPerPixel)))
      cpu = OperationTable { operation in
        guard let low = below.cpu[operation], let high = above.cpu[operation] else { return nil }
        return low + share * (high - low)
      }
    }
  }

  /// Fewest sufficient bits as far as known, for sorting.
  package var leastBitsPerPixel: Double { estimate?.bitsPerPixel ?? bitsPerPixel }

  /// A measured quality with its number of images with the score.
  package struct Bound: Sendable, Hashable {
    package var quality: Quality
    package var holding: Int
  }
}

/// Settings that fulfil wishes, and those that come near.
package struct Recommendations: Sendable, Hashable {
  /// Each variant's setting with the fewest bytes, if any; fewest bytes first.
  package var fulfilling: [Recommendation] = []
  /// The nearest setting of each other variant, with its shortfalls.
  package var others: [Recommendation] = []
  /// Usable images of the run, or those with points in an unfinished one.
  package var images = 0
  /// The variant that savings are measured against.
  package var reference: CodecVariant?

  /// Those of `others` that would fulfil all wishes at an unmeasured quality, fewest bytes first.
  package var likely: [Recommendation] {
    others.filter(\.wouldDo).sorted { $0.leastBitsPerPixel < $1.leastBitsPerPixel }
  }
}

/// Search for settings in the rows of a run. Rows of one image must be contiguous.
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

  /// Considers `variants`; savings are against the first. Returns nil if the headline metric was not measured.
  /// - Parameter isFinished: True if all points of the run are there; else qualities measured for half of the images
  ///   count.
  package init?(
    _ wishes: Wishes, variants: [CodecVariant], metrics: [MetricTraits], options: AnalysisOptions,
    isFinished: Bool = true
  ) {
    guard let headline = metrics.firstIndex(where: { $0.id == options.headlineMetric }) else { return nil }
    (self.wishes, self.metrics, self.options, self.headline) = (wishes, metrics, options, headline)
    (reference, order, self.isFinished) = (variants.first, variants, isFinished)
  }

  package mutating func add(_ row: ResultRow) {
    if let last = current.last, last.image != row.image || last.imageHash != row.imageHash { finishImage() }
    current.append(row)
  }

  package consuming func finish() -> Recommendations {
    finishImage()
    var result = Recommendations(images: images, reference: reference)
    let all = sums.compactMap { recommendation($0.key, $0.value) }
    for variant in order where wishes.ask(about: variant) {
      let own = settings(of: variant, all)
      if let best = own.filter(\.shortfalls.isEmpty).min(by: { $0.bitsPerPixel < $1.bitsPerPixel }) {
        result.fulfilling.append(withBounds(best, own))
      } else if variant == reference, (wishes.savingPercent ?? 0) > 0 {
        // The reference cannot save anything against itself; that is not a finding.
        continue
      } else if let nearest = likely(own) ?? own.min(by: Self.isNearer) {
        result.others.append(nearest)
      }
    }
    result.fulfilling.sort { $0.leastBitsPerPixel < $1.leastBitsPerPixel }
    return result
  }

  /// Returns the candidate qualities: those of all images, or of at least half in an unfinished run.
  private func settings(of variant: CodecVariant, _ all: [Recommendation]) -> [Recommendation] {
    let own = all.filter { $0.variant == variant }
    let most = isFinished ? images : own.map(\.images).max() ?? 0
    return own.filter { $0.images == most || (!isFinished && $0.images * 2 >= images) }
  }

  /// Returns the lowest measured quality above an unmeasured one that suffices by the images' curves, if any.
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

  /// Adds the findings about lower qualities.
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

  /// Orders by fewer shortfalls, then by more images with the score, then by fewer bytes.
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
    // A single missing time leaves no sum.
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
