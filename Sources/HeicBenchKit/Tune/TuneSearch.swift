import Analysis
import CodecKit
import Foundation
import Model

/// The cost of an image with a variant at the score.
struct TuneFigure: Sendable, Hashable {
  var bytes: Double
  /// CPU time, milliseconds per megapixel.
  var encode: Double
  var decode: Double?
  /// The quality that reaches the score, 0 to 1.
  var quality: Double?
}

/// Measures variants for a search; images are numbered from 0.
protocol TuneMeter: AnyObject {
  /// True once there is no time left; results of `measure` may then be missing.
  var isOver: Bool { get }
  /// Measures what is missing. Searches for qualities begin where `origin` reaches the score.
  func measure(_ variants: [CodecVariant], on images: [Int], from origin: CodecVariant) throws
  /// Nil if it was not measured, or if the variant does not reach the score there.
  func figure(_ variant: CodecVariant, _ image: Int) -> TuneFigure?
}

/// Searches the settings that a codec declares as worth trying, starting from a variant.
///
/// Every single change races against the variant found so far: on few images first, and on more until pairs decide
/// whether it takes fewer bytes. Changes that do are combined one after another, each only if pairs still favour it on
/// all images; then the search begins again from there. At the end, all speeds are tried with and without the result,
/// and the result without each of its changes.
///
/// A change is kept if Student's t interval of the mean logarithm of paired bytes lies below zero, at 95 % for all
/// candidates of a race together (Bonferroni), and at 99 % when it is combined with others.
struct TuneSearch {
  /// The numbers of images after which a race checks the candidates; it also checks them after all images.
  private static let looks = [6, 12, 24]
  /// An undecided candidate continues if it may save more than this, in natural logarithms of bytes.
  private static let leastGain = 0.003
  private static let mostRounds = 3

  private let base: CodecVariant
  private let trials: [SettingTrial]
  private let images: [Int]
  /// A variant as its codec spells it; nil if the codec refuses it.
  private let resolve: (CodecVariant) throws -> CodecVariant?
  /// Changes that certainly cost bytes, which do not race again.
  private var racedOut: Set<String> = []

  /// The variants tried so far, in order, `base` first.
  private(set) var tried: [CodecVariant]
  /// The settings with the fewest bytes at the speed of `base`.
  private(set) var found: CodecVariant
  /// True if everything planned has been tried.
  private(set) var isComplete = false

  /// - Parameter images: The images to search on, in the order in which races use them.
  init(
    from base: CodecVariant, _ trials: [SettingTrial], images: [Int],
    resolve: @escaping (CodecVariant) throws -> CodecVariant?
  ) {
    (self.base, self.trials, self.images, self.resolve) = (base, trials, images, resolve)
    (tried, found) = ([base], base)
  }

  mutating func run(_ meter: any TuneMeter) throws {
    try meter.measure([base], on: images, from: base)
    for _ in 0..<Self.mostRounds {
      let before = found
      try combine(race(meter), meter)
      if meter.isOver { return }
      if found == before { break }
    }
    let speeds = trials.filter(\.isSpeed).flatMap(\.changes)
    for start in found == base ? [base] : [found, base] {
      for change in speeds {
        guard let variant = try changed(start, change), !tried.contains(variant) else { continue }
        try take(variant, from: start, meter)
        if meter.isOver { return }
      }
    }
    for (key, _) in found.settings.sorted(by: { $0.key < $1.key })
    where found.settings[key] != base.settings[key] {
      var settings = found.settings
      settings[key] = base.settings[key]
      let without = CodecVariant(codec: found.codec, build: found.build, settings: settings)
      guard let variant = try resolve(without), !tried.contains(variant) else { continue }
      try take(variant, from: found, meter)
      if meter.isOver { return }
    }
    isComplete = true
  }

  /// True if both have the same settings, at the same or another speed.
  func isSpeed(_ variant: CodecVariant, of other: CodecVariant) -> Bool {
    let keys = Set(trials.filter(\.isSpeed).flatMap(\.changes).flatMap { Self.settings(of: $0).keys })
    return variant.settings.filter { !keys.contains($0.key) }
      == other.settings.filter { !keys.contains($0.key) }
  }

  private mutating func take(_ variant: CodecVariant, from origin: CodecVariant, _ meter: any TuneMeter)
    throws
  {
    note(variant)
    try meter.measure([variant], on: images, from: origin)
  }

  private mutating func note(_ variant: CodecVariant) {
    if !tried.contains(variant) { tried.append(variant) }
  }

  // MARK: One change

  /// The changes that take fewer bytes than the variant found so far, best first.
  private mutating func race(_ meter: any TuneMeter) throws -> [String] {
    var open: [(change: String, variant: CodecVariant)] = []
    for change in trials.filter({ !$0.isSpeed }).flatMap(\.changes) where !racedOut.contains(change) {
      guard let variant = try changed(found, change), variant != found,
        !open.contains(where: { $0.variant == variant })
      else { continue }
      open.append((change, variant))
      note(variant)
    }
    let level = 1 - 0.05 / Double(max(open.count, 1))
    var kept: [(change: String, mean: Double)] = []
    for count in Set(Self.looks + [images.count]).filter({ $0 <= images.count }).sorted() where !open.isEmpty
    {
      try meter.measure(open.map(\.variant), on: Array(images.prefix(count)), from: found)
      if meter.isOver { break }
      open = open.filter { change, variant in
        guard let pairs = LogRatios(variant, found, images.prefix(count), meter) else { return false }
        let certain = pairs.interval(0.95)
        if pairs.interval(level).upper < 0 {
          kept.append((change, pairs.mean))
        } else if certain.lower > 0 {
          racedOut.insert(change)
        } else {
          return certain.lower < -Self.leastGain
        }
        return false
      }
    }
    return kept.sorted { ($0.mean, $0.change) < ($1.mean, $1.change) }.map(\.change)
  }

  // MARK: Together

  private mutating func combine(_ changes: [String], _ meter: any TuneMeter) throws {
    for change in changes {
      guard !meter.isOver, let variant = try changed(found, change), variant != found else { continue }
      try take(variant, from: found, meter)
      guard let pairs = LogRatios(variant, found, images[...], meter), pairs.interval(0.99).upper < 0 else {
        continue
      }
      found = variant
    }
  }

  /// A variant with other settings, as `--codec` spells them.
  private func changed(_ variant: CodecVariant, _ change: String) throws -> CodecVariant? {
    try resolve(
      CodecVariant(
        codec: variant.codec, build: variant.build,
        settings: variant.settings.merging(Self.settings(of: change)) { $1 }))
  }

  /// The settings that a change spells, such as `chroma=444,chroma-offset=2`.
  static func settings(of change: String) -> [String: String] {
    CodecVariant(unchecked: "codec:\(change)")?.settings ?? [:]
  }
}

/// The logarithms of the ratios of two variants' bytes, image by image.
struct LogRatios {
  let values: ImageValues
  let mean: Double
  private let error: Double

  /// Nil for fewer images than an interval needs.
  init?(
    _ variant: CodecVariant, _ other: CodecVariant, _ images: some Collection<Int>, _ meter: any TuneMeter,
    of quantity: (TuneFigure) -> Double = \.bytes
  ) {
    let values = images.compactMap { image -> Double? in
      guard let own = meter.figure(variant, image), let base = meter.figure(other, image) else { return nil }
      return log(quantity(own) / quantity(base))
    }
    // A variant that does not reach the score on half of the images is not compared.
    guard values.count >= Bootstrap.minimumImages, values.count * 2 > images.count,
      values.allSatisfy(\.isFinite)
    else { return nil }
    self.values = ImageValues(values)
    guard let mean = self.values.mean, let variance = self.values.variance else { return nil }
    (self.mean, error) = (mean, (variance / Double(values.count)).squareRoot())
  }

  /// Student's t interval of the mean, for a level of 95 % and more.
  func interval(_ level: Double) -> (lower: Double, upper: Double) {
    let margin = StudentT.quantile(central: level, degreesOfFreedom: values.count - 1) * error
    return (mean - margin, mean + margin)
  }
}
