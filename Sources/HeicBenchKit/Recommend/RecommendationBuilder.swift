import Analysis
import Foundation
import Model
import Store

/// A variant at one of its measured qualities, with its figures over all images.
struct Recommendation: Sendable {
  enum Shortfall: Sendable, Hashable {
    case score
    /// The saving at equal score is too small or unknown.
    case saving
    case cpu(TimedOperation)
  }

  var variant: CodecVariant
  var quality: Quality
  /// The number of images measured at this quality: all that the codec can encode, or fewer in an unfinished run.
  var images: Int
  var holding: Int
  /// Image with the lowest score, and that score.
  var worst: NamedFigure
  /// Geometric mean over the images.
  var bitsPerPixel: Double
  /// Change in bytes against the reference at the required score; nil for the reference, and if no points are near.
  var change: CorpusFigure?
  /// What settings are ordered by: the change or, if a setting has none, the bits per pixel of all of them.
  var relativeBytes = 0.0
  /// CPU milliseconds over megapixels of each operation timed for every image.
  var cpu = OperationTable<Double>()
  /// Empty if all requirements are met.
  var shortfalls: [Shortfall] = []
  /// The next lower measured quality if it falls short only in the number of images with the score, and that number.
  var tooLow: (quality: Quality, holding: Int)?
  /// Quality between `tooLow` and this one that is enough according to the images' curves, in hundredths; not measured
  /// over all images.
  var interpolated: Quality?
  /// The quality to set.
  var set: Quality { interpolated ?? quality }
}

/// Settings that meet the requirements, and those that come close.
struct Recommendations: Sendable {
  /// Each variant's setting with the fewest bytes, if it has one that qualifies; fewest bytes at the required score
  /// first.
  var fulfilling: [Recommendation] = []
  /// The nearest setting of each other variant, with its shortfalls.
  var others: [Recommendation] = []
  /// The number of images with a score, in an unfinished run of those with points.
  var images = 0
  /// The number of images without a score, such as those too small for the metric. They are left out.
  var unscored = 0
  var reference: CodecVariant?
}

/// Searches the rows of a run for settings. Rows of the same image must be contiguous.
struct RecommendationBuilder {
  private struct Sums {
    /// Images with a result; beside those measured, those that the codec cannot encode.
    var tried = 0
    var measured = 0
    var holding = 0
    var worst: NamedFigure?
    var logBitsPerPixel = 0.0
    var pixels = 0.0
    var cpu = OperationTable<Double> { _ in 0 }
  }

  let wishes: Wishes
  let score: Double
  let headline: MetricTraits
  private let metrics: [MetricTraits]
  private let options: AnalysisOptions
  private let isFinished: Bool
  private var order: [CodecVariant]
  private var sums: [CodecVariant: [Quality: Sums]] = [:]
  private var images = 0
  private var unscored = 0
  private var owners = ContentOwners()
  private var current: [ResultRow] = []
  private var isCopy = false
  private var needed = NeededQualities()
  private var matched: [CodecVariant: MatchedAccumulator] = [:]
  /// Checks the directions of the metrics' scores.
  private(set) var directions: DirectionCheck

  private var reference: CodecVariant? { order.first }

  /// Considers `variants`, then those that appear only in rows; savings are relative to the first. Returns nil if the
  /// headline metric was not measured.
  /// - Parameter isFinished: True if the run has all its points; otherwise qualities measured for half of the images
  ///   count.
  init?(
    _ wishes: Wishes, variants: [CodecVariant], metrics: [MetricTraits], options: AnalysisOptions,
    isFinished: Bool = true
  ) {
    guard let headline = metrics.first(where: { $0.id == options.headlineMetric }) else { return nil }
    (self.wishes, self.headline, self.metrics, self.options) = (wishes, headline, metrics, options)
    (score, order, self.isFinished) = (wishes.score ?? options.verdictTarget, variants, isFinished)
    directions = DirectionCheck(metrics: metrics)
  }

  mutating func add(_ row: ResultRow) throws(AnalysisError) {
    if current.last?.image != row.image || current.last?.imageHash != row.imageHash {
      finishImage()
      isCopy = try owners.beginsCopy(row)
    }
    // Before the image is finished, which is compared with the reference.
    if let variant = row.variant, row.importedFile == nil, !order.contains(variant) { order.append(variant) }
    directions.add(row)
    current.append(row)
  }

  consuming func finish() -> Recommendations {
    finishImage()
    var result = Recommendations(images: images, unscored: unscored, reference: reference)
    let isWanted = { [wishes] (variant: CodecVariant) in
      wishes.codecs.isEmpty || !Set(wishes.codecs).isDisjoint(with: [variant.codec, variant.name])
    }
    for variant in order where isWanted(variant) {
      let own = settings(of: variant)
      if let best = own.filter(\.shortfalls.isEmpty).min(by: { $0.bitsPerPixel < $1.bitsPerPixel }) {
        result.fulfilling.append(withBounds(best, own))
      } else if variant == reference, (wishes.savingPercent ?? 0) > 0 {
        // The reference cannot save anything compared with itself; that is not a finding.
        continue
      } else if let nearest = own.min(by: {
        ($0.shortfalls.count, -$0.holding, $0.bitsPerPixel) < (
          $1.shortfalls.count, -$1.holding, $1.bitsPerPixel
        )
      }) {
        result.others.append(nearest)
      }
    }
    let rank = { [purpose = wishes.purpose] (found: Recommendation) in purpose.map(found.rank) ?? 0 }
    // The files' own bytes belong to the measured qualities, which may score far above the target with one codec.
    let isMatched = result.fulfilling.allSatisfy {
      $0.variant == reference || $0.change?.standsOnHalf == true
    }
    for (index, found) in result.fulfilling.enumerated() {
      result.fulfilling[index].relativeBytes = isMatched ? found.change?.mean ?? 0 : found.bitsPerPixel
    }
    result.fulfilling.sort { (rank($0), $0.relativeBytes) < (rank($1), $1.relativeBytes) }
    return result
  }

  /// Returns a variant at the qualities of all images, or of at least half in an unfinished run; ascending, so that
  /// every process chooses the lowest of several with the same bytes.
  private func settings(of variant: CodecVariant) -> [Recommendation] {
    let own = sums[variant] ?? [:]
    let most = isFinished ? images : own.values.map(\.tried).max() ?? 0
    return own.filter { $0.value.tried == most || (!isFinished && $0.value.tried * 2 >= images) }
      .sorted { $0.key < $1.key }.compactMap { recommendation(variant, $0.key, $0.value) }
  }

  private func withBounds(_ best: Recommendation, _ own: [Recommendation]) -> Recommendation {
    let lower = own.filter { $0.quality < best.quality }.max { $0.quality < $1.quality }
    if let lower, lower.shortfalls != [.score] { return best }
    var best = best
    best.tooLow = lower.map { ($0.quality, $0.holding) }
    // Some images may be measured below the lowest quality that all have.
    let estimate = needed.quality(of: best.variant, share: wishes.share)
      .flatMap { Quality(thousandths: Int(($0 * 1000).rounded())) }
    if let estimate, estimate < best.quality, lower.map({ $0.quality < estimate }) ?? true {
      best.interpolated = estimate
    }
    return best
  }

  private mutating func finishImage() {
    defer { current = [] }
    guard !isCopy else { return }
    let measured = current.filter { $0.status == .measured && $0.importedFile == nil }
    guard let name = measured.first?.image,
      let index = metrics.firstIndex(where: { $0.id == headline.id })
    else { return }
    guard measured.contains(where: { $0.scores[headline.id]?.isNaN == false }) else {
      unscored += 1
      return
    }
    images += 1
    var samples: [CodecVariant: [PointSample]] = [:]
    for row in measured {
      guard let variant = row.variant, let sample = PointSample(row, metrics: metrics) else { continue }
      samples[variant, default: []].append(sample)
    }
    let curves = samples.mapValues { VariantCurves($0, metrics: metrics) }
    for (variant, own) in curves {
      needed.add(variant, own.samples, try? own.curves[index].get(), score, index, metrics)
      guard let reference, variant != reference, let other = curves[reference],
        let position = headline.curvePosition(of: score)
      else { continue }
      let fresh = MatchedAccumulator(variant, reference, metric: headline.id, target: score)
      _ = matched[variant, default: fresh].add(
        image: NamedImage(name: name), pixels: nil, at: position, (own, other),
        metric: index)
    }
    for row in current where row.importedFile == nil { sum(row) }
  }

  private mutating func sum(_ row: ResultRow) {
    guard let variant = row.variant, let quality = row.quality else { return }
    sums[variant, default: [:]][quality, default: Sums()].tried += 1
    guard row.status == .measured, let bytes = row.encodedBytes, bytes > 0, let pixels = row.pixels,
      pixels > 0,
      let score = row.scores[headline.id], !score.isNaN, var sum = sums[variant]?[quality]
    else { return }
    sum.measured += 1
    if headline.higherIsBetter ? score >= self.score : score <= self.score { sum.holding += 1 }
    let isWorse = sum.worst.map { headline.higherIsBetter ? score < $0.value : score > $0.value } ?? true
    if isWorse { sum.worst = NamedFigure(image: row.image, value: score) }
    sum.logBitsPerPixel += log(Double(bytes) * 8 / Double(pixels))
    sum.pixels += Double(pixels)
    // If a single time is missing, there is no sum.
    sum.cpu = OperationTable { [times = sum.cpu] operation in
      times[operation].flatMap { time in row[operation, .cpu].map { time + $0.median } }
    }
    sums[variant, default: [:]][quality] = sum
  }

  private func recommendation(_ variant: CodecVariant, _ quality: Quality, _ sum: Sums) -> Recommendation? {
    guard let worst = sum.worst else { return nil }
    var found = Recommendation(
      variant: variant, quality: quality, images: sum.measured, holding: sum.holding, worst: worst,
      bitsPerPixel: exp(sum.logBitsPerPixel / Double(sum.measured)),
      change: matched[variant]?.summary(outOf: images, options: options).bytes,
      cpu: sum.cpu.compactMapValues { $0 / sum.pixels * 1e6 })
    found.shortfalls = shortfalls(found)
    return found
  }

  private func shortfalls(_ found: Recommendation) -> [Recommendation.Shortfall] {
    var lacks: [Recommendation.Shortfall] = []
    if Double(found.holding) < wishes.share * Double(found.images) - 1e-9 { lacks.append(.score) }
    if let wanted = wishes.savingPercent {
      let change = found.variant == reference ? 0 : found.change.flatMap { $0.standsOnHalf ? $0.mean : nil }
      if !(change.map { -$0 >= wanted } ?? false) { lacks.append(.saving) }
    }
    return lacks
      + TimedOperation.allCases.filter { operation in
        wishes.cpu[operation].map { (found.cpu[operation] ?? .infinity) > $0 } ?? false
      }.map(Recommendation.Shortfall.cpu)
  }
}
