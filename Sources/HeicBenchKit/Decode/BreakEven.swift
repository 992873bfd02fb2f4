import Analysis
import Foundation
import Model
import Store

/// The bandwidth at which two codecs' files with equal scores appear at the same time, because the smaller file's
/// shorter transfer makes up for its longer decode.
struct BreakEven: Sendable {
  let reference, variant: CodecVariant
  let wanted: WantedPixels
  let images: Int
  /// The largest distance between the scores that a figure was interpolated from; above about ten points it is a guess.
  let widestGap: Double
  let referenceCost, variantCost: ReadCost

  /// The SSIMULACRA2 of both codecs' files against the originals, at which hardly any loss is visible side by side.
  static let score = 70.0

  /// The connections over which the variant appears sooner, by their bandwidth in Mbit/s.
  enum Sooner: Sendable, Hashable {
    case always, never
    case below(Double), above(Double)
  }

  var sooner: Sooner {
    let (saved, longer) = (referenceCost.bytes - variantCost.bytes, variantCost.cpu - referenceCost.cpu)
    let even = saved * 8 / (longer * 1000)
    if saved > 0, longer > 0 { return .below(even) }
    // Larger files that decode faster make up for their transfer if it is fast.
    if saved < 0, longer < 0 { return .above(even) }
    return saved >= 0 && longer <= 0 ? .always : .never
  }

  /// Compares every variant with the first JPEG variant, or with the first of all if there is none, for every wanted
  /// size, by routes that are good enough.
  static func all(_ table: ReadTable) -> [BreakEven] {
    var (variants, sizes) = ([CodecVariant](), [WantedPixels]())
    for group in table.groups where group.samples.values.contains(where: { $0.contains(where: \.isHonest) }) {
      guard let variant = group.encoding?.variant else { continue }
      if !variants.contains(variant) { variants.append(variant) }
      if !sizes.contains(group.wanted) { sizes.append(group.wanted) }
    }
    guard let reference = variants.first(where: { $0.codec == "jpeg" }) ?? variants.first else { return [] }
    return sizes.flatMap { wanted in
      let base = costs(table, wanted, of: reference)
      return variants.filter { $0 != reference }.compactMap { variant -> BreakEven? in
        let other = costs(table, wanted, of: variant)
        let images = base.keys.filter { other[$0] != nil }.sorted()
        func mean(_ costs: [Int32: (cost: ReadCost, gap: Double)]) -> ReadCost? {
          let own = images.compactMap { costs[$0]?.cost }
          guard let bytes = own.map(\.bytes).mean, let cpu = own.map(\.cpu).mean else { return nil }
          return ReadCost(bytes: bytes, cpu: cpu)
        }
        guard let first = mean(base), let second = mean(other) else { return nil }
        let gaps = images.map { max(base[$0]?.gap ?? 0, other[$0]?.gap ?? 0) }
        return BreakEven(
          reference: reference, variant: variant, wanted: wanted, images: images.count,
          widestGap: gaps.max() ?? 0, referenceCost: first, variantCost: second)
      }
    }
  }

  /// Returns each image's cost at the score, interpolated between the nearest qualities above and below, and the
  /// distance between their scores; omits images that lack one of them.
  private static func costs(
    _ table: ReadTable, _ wanted: WantedPixels, of variant: CodecVariant
  ) -> [Int32: (cost: ReadCost, gap: Double)] {
    var cheapest: [Int32: [Quality: (score: Double, cost: ReadCost)]] = [:]
    for group in table.groups where group.wanted == wanted && group.encoding?.variant == variant {
      guard let quality = group.encoding?.quality else { continue }
      for sample in RouteAnswer.answering.lazy.compactMap({ group.samples[$0] }).joined()
      where sample.isHonest && !sample.original.isNaN {
        guard let cost = sample.cost else { continue }
        if let known = cheapest[sample.image]?[quality], known.cost.cpu <= cost.cpu { continue }
        cheapest[sample.image, default: [:]][quality] = (sample.original, cost)
      }
    }
    return cheapest.compactMapValues { files in
      let points = files.values.sorted { $0.score < $1.score }
      guard let above = points.firstIndex(where: { $0.score >= score }) else { return nil }
      if points[above].score == score { return (points[above].cost, 0) }
      guard above > 0 else { return nil }
      let (a, b) = (points[above - 1], points[above])
      let share = (score - a.score) / (b.score - a.score)
      let cost = ReadCost(
        bytes: exp(log(a.cost.bytes) + share * (log(b.cost.bytes) - log(a.cost.bytes))),
        cpu: a.cost.cpu + share * (b.cost.cpu - a.cost.cpu))
      return (cost, b.score - a.score)
    }
  }
}
