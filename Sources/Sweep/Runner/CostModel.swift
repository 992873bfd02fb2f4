import Model

/// How long points keep a worker busy, learned while a sweep runs: for the order of work, and for what opening an image twice
/// would take.
struct CostModel {
  private var costs: [CodecVariant: (seconds: Double, pixels: Double)] = [:]
  private var opened = (seconds: 0.0, pixels: 0.0)

  /// Learns that a point kept a worker busy for so long, opening the image apart.
  mutating func learn(_ key: PointKey, pixels: Int, seconds: Double) {
    guard pixels > 0, seconds.isFinite, seconds > 0 else { return }
    let known = costs[key.variant] ?? (0, 0)
    costs[key.variant] = (known.seconds + seconds, known.pixels + Double(pixels))
  }

  /// Learns how long it took to open an image.
  mutating func learnOpening(pixels: Int, seconds: Double) {
    guard seconds > 0, pixels > 0 else { return }
    opened = (opened.seconds + seconds, opened.pixels + Double(pixels))
  }

  /// Seconds to open images of so many pixels together; nil until some were opened.
  func opening(pixels: Double) -> Double? {
    opened.pixels > 0 ? opened.seconds / opened.pixels * pixels : nil
  }

  private func perPixel(_ variant: CodecVariant) -> Double? {
    costs[variant].map { $0.seconds / $0.pixels }
  }

  /// An image's points, those of the cheapest variant first.
  func cheapestFirst(_ points: [PointKey]) -> [PointKey] {
    points.enumerated().sorted { a, b in
      let (left, right) = (perPixel(a.element.variant) ?? 0, perPixel(b.element.variant) ?? 0)
      return (left, a.offset) < (right, b.offset)
    }.map(\.element)
  }

  /// An image's points, the dearest first: when several workers share the last image, what they wait for at
  /// the end is cheap. Variants not yet seen come first, since they may be dear; higher qualities cost more.
  func dearestFirst(_ points: [PointKey]) -> [PointKey] {
    points.enumerated().sorted { a, b in
      let left = perPixel(a.element.variant) ?? .infinity
      let right = perPixel(b.element.variant) ?? .infinity
      if left != right { return left > right }
      if a.element.variant == b.element.variant, a.element.quality != b.element.quality {
        return a.element.quality > b.element.quality
      }
      return a.offset < b.offset
    }.map(\.element)
  }
}
