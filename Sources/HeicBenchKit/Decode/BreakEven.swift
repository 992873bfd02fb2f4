import Foundation
import Model

/// Bandwidth at which two codecs' files are on the screen at the same time, at equal score: the smaller file's shorter
/// transfer offsets its longer decode.
struct BreakEven: Sendable, Hashable {
  /// Cost of a file, or the mean cost of one codec's files over the images.
  struct Cost: Sendable, Hashable {
    /// Bytes to transfer.
    var bytes: Double
    /// CPU time of the cheapest honest route, milliseconds.
    var cpu: Double

    /// Returns the milliseconds until the pixels are ready at a bandwidth in Mbit/s.
    func time(over bandwidth: Double) -> Double { bytes * 8 / (bandwidth * 1000) + cpu }
  }

  /// The variant compared with, and the compared one.
  var reference, variant: CodecVariant
  var wanted: WantedPixels
  /// SSIMULACRA 2 of both codecs' files against the originals.
  var score: Double
  /// Images with the score for both variants.
  var images: Int
  /// Largest distance of the scores that a figure was interpolated between; above some ten points it is a guess.
  var widestGap: Double
  var costs: (reference: Cost, variant: Cost) { (referenceCost, variantCost) }
  private var referenceCost, variantCost: Cost

  /// Mbit/s below which the variant is on the screen sooner; infinite if it always is, zero if it never is.
  var bandwidth: Double {
    let (saved, longer) = (referenceCost.bytes - variantCost.bytes, variantCost.cpu - referenceCost.cpu)
    if longer <= 0 { return saved >= 0 ? .infinity : 0 }
    return max(0, saved * 8 / (longer * 1000))
  }

  /// Compares every variant with the first JPEG one, or else the first of all, for every wanted size, at a score that
  /// the files reach, by honest routes.
  static func all(_ table: ReadTable, at score: Double) -> [BreakEven] {
    var (kinds, sizes) = ([Int32](), [Int32]())
    for sample in table.samples where sample.isHonest && table.kinds[Int(sample.kind)].encoding != nil {
      if !kinds.contains(sample.kind) { kinds.append(sample.kind) }
      if !sizes.contains(sample.size) { sizes.append(sample.size) }
    }
    var variants: [CodecVariant] = []
    for variant in kinds.compactMap({ table.kinds[Int($0)].encoding?.variant })
    where !variants.contains(variant) {
      variants.append(variant)
    }
    guard let reference = variants.first(where: { $0.codec == "jpeg" }) ?? variants.first else { return [] }
    return sizes.flatMap { size in
      let wanted = table.sizes[Int(size)]
      let base = costs(table, size, of: reference, at: score)
      return variants.filter { $0 != reference }.compactMap { variant -> BreakEven? in
        let other = costs(table, size, of: variant, at: score)
        let images = base.keys.filter { other[$0] != nil }.sorted()
        guard let first = mean(images.compactMap { base[$0]?.cost }),
          let second = mean(images.compactMap { other[$0]?.cost })
        else { return nil }
        let gaps = images.map { max(base[$0]?.gap ?? 0, other[$0]?.gap ?? 0) }
        return BreakEven(
          reference: reference, variant: variant, wanted: wanted, score: score, images: images.count,
          widestGap: gaps.max() ?? 0, referenceCost: first, variantCost: second)
      }
    }
  }

  /// Returns each image's cost at the score, interpolated between the qualities on both sides, and the distance of
  /// their scores; omits images without both.
  private static func costs(
    _ table: ReadTable, _ size: Int32, of variant: CodecVariant, at score: Double
  ) -> [Int32: (cost: Cost, gap: Double)] {
    let qualities = table.kinds.map { $0.encoding.flatMap { $0.variant == variant ? $0.quality : nil } }
    let own = table.samples.filter {
      $0.isHonest && $0.size == size && qualities[Int($0.kind)] != nil
    }
    return Dictionary(grouping: own, by: \.image).compactMapValues { rows in
      var cheapest: [Quality: (score: Double, cost: Cost)] = [:]
      for row in rows {
        guard let quality = qualities[Int(row.kind)], let reached = row.original, let cpu = row.cpu else {
          continue
        }
        if let known = cheapest[quality], known.cost.cpu <= cpu { continue }
        cheapest[quality] = (reached, Cost(bytes: Double(row.touchedBytes), cpu: cpu))
      }
      let points = cheapest.values.sorted { $0.score < $1.score }
      guard let above = points.firstIndex(where: { $0.score >= score }) else { return nil }
      if points[above].score == score { return (points[above].cost, 0) }
      guard above > 0 else { return nil }
      let (a, b) = (points[above - 1], points[above])
      let share = (score - a.score) / (b.score - a.score)
      let cost = Cost(
        bytes: exp(log(a.cost.bytes) + share * (log(b.cost.bytes) - log(a.cost.bytes))),
        cpu: a.cost.cpu + share * (b.cost.cpu - a.cost.cpu))
      return (cost, b.score - a.score)
    }
  }

  private static func mean(_ costs: [Cost]) -> Cost? {
    guard !costs.isEmpty else { return nil }
    let count = Double(costs.count)
    return Cost(
      bytes: costs.reduce(0) { $0 + $1.bytes } / count, cpu: costs.reduce(0) { $0 + $1.cpu } / count)
  }
}
