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
  /// The most CPU time of the encode, milliseconds per megapixel; nil for any.
  package var encodeCPU: Double?
  /// The most CPU time of the decode, milliseconds per megapixel; nil for any.
  package var decodeCPU: Double?
  /// The codecs or variants that are asked about, by name; empty for all.
  package var codecs: [String]

  /// States wishes.
  package init(
    score: Double, share: Double = 0.9, savingPercent: Double? = nil, encodeCPU: Double? = nil,
    decodeCPU: Double? = nil, codecs: [String] = []
  ) {
    (self.score, self.share, self.savingPercent) = (score, share, savingPercent)
    (self.encodeCPU, self.decodeCPU, self.codecs) = (encodeCPU, decodeCPU, codecs)
  }

  /// Whether a variant is asked about.
  func ask(about variant: CodecVariant) -> Bool {
    codecs.isEmpty || codecs.contains(variant.codec) || codecs.contains(variant.name)
  }
}

/// A variant at one of its measured qualities, with what it gives over all images.
package struct Recommendation: Sendable, Hashable {
  /// What a setting does not give.
  package enum Shortfall: String, Sendable, Hashable, CaseIterable {
    /// Too few images have the score.
    case score
    /// It saves too little at equal score, or nobody knows what.
    case saving
    /// The encode takes too long.
    case encodeCPU = "encode_cpu"
    /// The decode takes too long.
    case decodeCPU = "decode_cpu"
  }

  /// The variant.
  package var variant: CodecVariant
  /// The quality.
  package var quality: Quality
  /// The images that were measured there: all usable ones of the run.
  package var images: Int
  /// The images that have the score.
  package var holding: Int
  /// The image with the lowest score, and that score.
  package var worst: NamedFigure
  /// Bytes of all images.
  package var bytes: Int
  /// Geometric mean of the bits per pixel.
  package var bitsPerPixel: Double
  /// The change in bytes against the reference at each image's own score; nil for the reference, and where no image has
  /// points of it near enough.
  package var change: CorpusFigure?
  /// CPU milliseconds of the encodes over megapixels; nil where times are missing.
  package var encodeCPU: Double?
  /// CPU milliseconds of the decodes over megapixels.
  package var decodeCPU: Double?
  /// What it does not give; empty for one that fulfils all wishes.
  package var shortfalls: [Shortfall] = []
}

/// Which settings fulfil wishes.
package struct Recommendations: Sendable, Hashable {
  /// Of each variant that has any the one with the fewest bytes, those with the fewest bytes first.
  package var fulfilling: [Recommendation] = []
  /// Of each other variant the setting that comes nearest, with what it lacks.
  package var others: [Recommendation] = []
  /// Usable images of the run.
  package var images = 0
  /// What savings are against.
  package var reference: CodecVariant?
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
    var encode = 0.0
    var decode = 0.0
    var hasTimes = (encode: true, decode: true)
    var change = FigureColumn(.logRatio)
  }

  private let wishes: Wishes
  private let metrics: [MetricTraits]
  private let options: AnalysisOptions
  private let headline: Int
  private let reference: CodecVariant?
  private var order: [CodecVariant]
  private var sums: [Setting: Sums] = [:]
  private var names: [String] = []
  private var current: [ResultRow] = []

  /// Looks among variants, of which the first is what savings are against. Nil where the metric was not measured.
  package init?(
    _ wishes: Wishes, variants: [CodecVariant], metrics: [MetricTraits], options: AnalysisOptions
  ) {
    guard let headline = metrics.firstIndex(where: { $0.id == options.headlineMetric }) else { return nil }
    (self.wishes, self.metrics, self.options, self.headline) = (wishes, metrics, options, headline)
    (reference, order) = (variants.first, variants)
  }

  /// Takes the next row.
  package mutating func add(_ row: ResultRow) {
    if let last = current.last, last.image != row.image || last.imageHash != row.imageHash { finishImage() }
    current.append(row)
  }

  /// What was found among all rows.
  package consuming func finish() -> Recommendations {
    finishImage()
    var result = Recommendations(images: names.count, reference: reference)
    let all = sums.compactMap { recommendation($0.key, $0.value) }
    for variant in order where wishes.ask(about: variant) {
      // A quality that only some images have is another sample.
      let own = all.filter { $0.variant == variant && $0.images == names.count }
      if let best = own.filter(\.shortfalls.isEmpty).min(by: { $0.bitsPerPixel < $1.bitsPerPixel }) {
        result.fulfilling.append(best)
      } else if let nearest = own.min(by: Self.isNearer) {
        result.others.append(nearest)
      }
    }
    result.fulfilling.sort { $0.bitsPerPixel < $1.bitsPerPixel }
    return result
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
    names.append(name)
    let samples = measured.filter { $0.variant == reference }.compactMap { PointSample($0, metrics: metrics) }
    let curve = try? VariantCurves(samples, metrics: metrics).curves[headline].get()
    for row in measured { add(row, against: curve) }
  }

  private mutating func add(_ row: ResultRow, against curve: RateQualityCurve?) {
    guard let variant = row.variant, let quality = row.quality, let bytes = row.encodedBytes, bytes > 0,
      let pixels = row.pixels, pixels > 0, let score = row.scores[metrics[headline].id], !score.isNaN
    else { return }
    if !order.contains(variant) { order.append(variant) }
    let traits = metrics[headline]
    var sum = sums.removeValue(forKey: Setting(variant: variant, quality: quality)) ?? Sums()
    sum.images += 1
    if traits.higherIsBetter ? score >= wishes.score : score <= wishes.score { sum.holding += 1 }
    let isWorse = sum.worst.map { traits.higherIsBetter ? score < $0.value : score > $0.value } ?? true
    if isWorse { sum.worst = NamedFigure(image: row.image, value: score) }
    sum.bytes = saturatingSum(sum.bytes, bytes)
    sum.logBitsPerPixel += log(Double(bytes) * 8 / Double(pixels))
    sum.pixels += Double(pixels)
    if let time = row.encodeCPU?.median { sum.encode += time } else { sum.hasTimes.encode = false }
    if let time = row.decodeCPU?.median { sum.decode += time } else { sum.hasTimes.decode = false }
    if variant != reference, let position = traits.curvePosition(of: score),
      let other = curve?.bytes(at: position), other > 0
    {
      sum.change.add(log(Double(bytes) / other), image: names.count - 1)
    }
    sums[Setting(variant: variant, quality: quality)] = sum
  }

  private func recommendation(_ setting: Setting, _ sum: Sums) -> Recommendation? {
    guard let worst = sum.worst, sum.images > 0 else { return nil }
    var found = Recommendation(
      variant: setting.variant, quality: setting.quality, images: sum.images, holding: sum.holding,
      worst: worst, bytes: sum.bytes, bitsPerPixel: exp(sum.logBitsPerPixel / Double(sum.images)))
    found.change = sum.change.figure(names: names, outOf: names.count, options: options)
    found.encodeCPU = sum.hasTimes.encode ? sum.encode / sum.pixels * 1e6 : nil
    found.decodeCPU = sum.hasTimes.decode ? sum.decode / sum.pixels * 1e6 : nil
    found.shortfalls = Recommendation.Shortfall.allCases.filter { !gives($0, found) }
    return found
  }

  private func gives(_ wish: Recommendation.Shortfall, _ found: Recommendation) -> Bool {
    switch wish {
    case .score: return Double(found.holding) >= wishes.share * Double(found.images) - 1e-9
    case .saving:
      guard let wanted = wishes.savingPercent else { return true }
      guard let change = found.change, change.standsOnHalf else { return false }
      return -change.mean >= wanted
    case .encodeCPU: return wishes.encodeCPU.map { limit in (found.encodeCPU ?? .infinity) <= limit } ?? true
    case .decodeCPU: return wishes.decodeCPU.map { limit in (found.decodeCPU ?? .infinity) <= limit } ?? true
    }
  }
}
