import Model

/// What points of each variant cost, learned while a sweep runs: for the order of work and the time left.
struct CostModel {
  private struct Sum {
    var seconds = 0.0
    var pixels = 0.0
    var perPixel: Double? { pixels > 0 ? seconds / pixels : nil }
  }

  private var sums: [CodecVariant: Sum] = [:]
  private var whole = Sum()

  /// Learns that a point kept a worker busy for so long.
  mutating func learn(_ variant: CodecVariant, pixels: Int, seconds: Double) {
    sums[variant, default: Sum()].seconds += seconds
    sums[variant, default: Sum()].pixels += Double(pixels)
    whole.seconds += seconds
    whole.pixels += Double(pixels)
  }

  /// Seconds per pixel of a variant's points, the mean of all variants before one has been seen; nil at first.
  func secondsPerPixel(_ variant: CodecVariant) -> Double? { sums[variant]?.perPixel ?? whole.perPixel }

  /// An image's points, those of the cheapest variant first.
  func cheapestFirst(_ points: [PointKey]) -> [PointKey] {
    points.enumerated().sorted { a, b in
      let (left, right) = (sums[a.element.variant]?.perPixel ?? 0, sums[b.element.variant]?.perPixel ?? 0)
      return (left, a.offset) < (right, b.offset)
    }.map(\.element)
  }

  /// An image's points, the dearest first: when several workers share the last image, what they wait for at
  /// the end is cheap. Variants not yet seen come first, since they may be dear; higher qualities cost more.
  func dearestFirst(_ points: [PointKey]) -> [PointKey] {
    let costs = sums.compactMapValues(\.perPixel)
    return points.enumerated().sorted { a, b in
      let left = costs[a.element.variant] ?? .infinity
      let right = costs[b.element.variant] ?? .infinity
      if left != right { return left > right }
      if a.element.variant == b.element.variant, a.element.quality != b.element.quality {
        return a.element.quality > b.element.quality
      }
      return a.offset < b.offset
    }.map(\.element)
  }
}
