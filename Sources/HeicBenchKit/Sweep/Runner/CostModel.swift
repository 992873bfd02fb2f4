import Model

/// Learns during a sweep how long points take, to order the work and estimate the cost of opening images twice.
struct CostModel {
  private var costs: [CodecVariant: (seconds: Double, pixels: Double)] = [:]
  private var opened = (seconds: 0.0, pixels: 0.0)

  mutating func learn(_ key: Case, pixels: Int, seconds: Double) {
    guard pixels > 0, seconds.isFinite, seconds > 0 else { return }
    let known = costs[key.variant] ?? (0, 0)
    costs[key.variant] = (known.seconds + seconds, known.pixels + Double(pixels))
  }

  mutating func learnOpening(pixels: Int, seconds: Double) {
    guard seconds > 0, pixels > 0 else { return }
    opened = (opened.seconds + seconds, opened.pixels + Double(pixels))
  }

  /// Seconds to open images with this many pixels in total; nil until some were opened.
  func opening(pixels: Double) -> Double? {
    opened.pixels > 0 ? opened.seconds / opened.pixels * pixels : nil
  }

  private func perPixel(_ variant: CodecVariant) -> Double? {
    costs[variant].map { $0.seconds / $0.pixels }
  }

  func cheapestFirst(_ points: [Case]) -> [Case] {
    points.enumerated().sorted { a, b in
      let (left, right) = (perPixel(a.element.variant) ?? 0, perPixel(b.element.variant) ?? 0)
      return (left, a.offset) < (right, b.offset)
    }.map(\.element)
  }

  /// An image's points, the most expensive first: when several workers share the last image, the final waits are short.
  /// Variants not yet seen come first, since they may be expensive; higher qualities cost more.
  func dearestFirst(_ points: [Case]) -> [Case] {
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
