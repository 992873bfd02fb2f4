package import Pixels

/// Measures the steps that tiles leave along their borders.
package struct SeamStep {
  private let original: RasterImage
  private let tileSize: Int

  package init(original: RasterImage, tileSize: Int) {
    (self.original, self.tileSize) = (original, tileSize)
  }

  /// The mean of |step in the image − step in the original| in luma over all borders of tiles, in 255ths of the full
  /// range; nil for an image of a different size, or without borders.
  package func mean(in image: RasterImage) -> Double? {
    let (width, height) = (original.width, original.height)
    guard image.width == width, image.height == height, max(width, height) > tileSize else { return nil }
    var (sum, count) = (0.0, 0)
    func add(from first: Int, every step: Int, count pairs: Int, across gap: Int) {
      let own = Self.steps(original, from: first, every: step, count: pairs, across: gap)
      let other = Self.steps(image, from: first, every: step, count: pairs, across: gap)
      for (own, other) in zip(own, other) { sum += Double(abs(other - own)) }
      count += pairs
    }
    for x in stride(from: tileSize, to: width, by: tileSize) {
      add(from: x - 1, every: width, count: height, across: 1)
    }
    for y in stride(from: tileSize, to: height, by: tileSize) {
      add(from: (y - 1) * width, every: 1, count: width, across: width)
    }
    return sum / Double(count)
  }

  /// Differences of encoded luma of ITU-R BT.601, from 0 to 255, between pixels and those `gap` positions after them.
  private static func steps(
    _ image: RasterImage, from first: Int, every step: Int, count: Int, across gap: Int
  ) -> [Float] {
    let (channels, isGray) = (image.format.layout.channels, image.format.layout.isGray)
    let scale = 255 / Float(image.format.maximum)
    func steps<Sample: BinaryInteger>(_ samples: [Sample]) -> [Float] {
      func luma(_ pixel: Int) -> Float {
        let red = pixel * channels
        guard !isGray else { return Float(samples[red]) * scale }
        return
          (0.299 * Float(samples[red]) + 0.587 * Float(samples[red + 1])
          + 0.114 * Float(samples[red + 2])) * scale
      }
      return (0..<count).map { index in
        let pixel = first + index * step
        return luma(pixel + gap) - luma(pixel)
      }
    }
    switch image.samples {
    case .bytes(let bytes): return steps(bytes)
    case .words(let words): return steps(words)
    }
  }
}
