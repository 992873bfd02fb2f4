import Foundation
import Model

/// What points cost, learned while a sweep runs: for the order of work, the time left, and what opening an image twice
/// would take.
struct CostModel {
  private var costs: [CodecVariant: VariantCost] = [:]
  private var opened = (seconds: 0.0, pixels: 0.0)

  /// Learns that a point kept a worker busy for so long, opening the image apart.
  mutating func learn(_ key: PointKey, pixels: Int, seconds: Double) {
    guard pixels > 0, seconds.isFinite, seconds > 0 else { return }
    costs[key.variant, default: VariantCost()].learn(key.quality, pixels: pixels, seconds: seconds)
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

  /// Whether a point of the variant has been seen.
  func knows(_ variant: CodecVariant) -> Bool { costs[variant] != nil }

  /// Seconds that points of a variant at a quality are expected to take, one for each of so many images that have so
  /// many pixels together. Those of variants that were not seen count as the mean of the others; nil before any.
  func seconds(_ variant: CodecVariant, _ quality: Quality, pixels: Double, images: Int) -> Double? {
    guard pixels > 0, images > 0 else { return 0 }
    if let cost = costs[variant] { return cost.seconds(quality, pixels: pixels, images: images) }
    let others = costs.values.map { $0.seconds(quality, pixels: pixels, images: images) }
    return others.isEmpty ? nil : others.reduce(0, +) / Double(others.count)
  }

  /// Seconds that a point of a variant takes on so many pixels, whatever its quality; nil before any was seen.
  func seconds(_ variant: CodecVariant, pixels: Double) -> Double? {
    costs[variant].map { $0.perPixel * pixels }
  }

  /// An image's points, those of the cheapest variant first.
  func cheapestFirst(_ points: [PointKey]) -> [PointKey] {
    points.enumerated().sorted { a, b in
      let (left, right) = (costs[a.element.variant]?.perPixel ?? 0, costs[b.element.variant]?.perPixel ?? 0)
      return (left, a.offset) < (right, b.offset)
    }.map(\.element)
  }

  /// An image's points, the dearest first: when several workers share the last image, what they wait for at
  /// the end is cheap. Variants not yet seen come first, since they may be dear; higher qualities cost more.
  func dearestFirst(_ points: [PointKey]) -> [PointKey] {
    points.enumerated().sorted { a, b in
      let left = costs[a.element.variant]?.perPixel ?? .infinity
      let right = costs[b.element.variant]?.perPixel ?? .infinity
      if left != right { return left > right }
      if a.element.variant == b.element.variant, a.element.quality != b.element.quality {
        return a.element.quality > b.element.quality
      }
      return a.offset < b.offset
    }.map(\.element)
  }
}

/// What a variant's points cost: exp(α) · shape(quality)^β · pixels^(1 − γ), fitted to logarithms by least squares that
/// are drawn towards β = 1 and γ = 0.15, and corrected to the sum of what was seen, and by quality.
private struct VariantCost {
  /// What a point costs against one of the middle quality, at 0.0, 0.1 … 1.0: libheif with x265 on the Kodak images,
  /// the mean of 24. Other encoders' times rise less, which β learns.
  private static let shape = [0.28, 0.34, 0.44, 0.59, 0.77, 1, 1.24, 1.44, 1.62, 1.71, 1.71]
  /// How much the two exponents are drawn towards what is expected of them.
  private static let (shapeWeight, sizeWeight) = (0.4, 4.0)
  private static let expectedExponent = -0.15
  /// How many points at a quality it takes to be half convinced that the curve is off there.
  private static let qualityWeight = 2.0

  /// What was seen at a quality.
  private struct Seen {
    var (seconds, pixels, count) = (0.0, 0.0, 0)
  }

  private var seen: [Quality: Seen] = [:]
  /// Sums over points of u = ln shape, v = ln megapixels and y = ln(seconds a megapixel), and of their products.
  private var (n, u, v, y) = (0.0, 0.0, 0.0, 0.0)
  private var (uu, uv, vv, uy, vy) = (0.0, 0.0, 0.0, 0.0, 0.0)
  private var (seconds, pixels) = (0.0, 0.0)

  /// Seconds a pixel, whatever the quality.
  var perPixel: Double { seconds / pixels }

  mutating func learn(_ quality: Quality, pixels: Int, seconds: Double) {
    let megapixels = Double(pixels) / 1e6
    let (a, b, c) = (log(Self.shape(quality)), log(megapixels), log(seconds / megapixels))
    n += 1
    (u, v, y) = (u + a, v + b, y + c)
    (uu, uv, vv, uy, vy) = (uu + a * a, uv + a * b, vv + b * b, uy + a * c, vy + b * c)
    seen[quality, default: Seen()].seconds += seconds
    seen[quality, default: Seen()].pixels += Double(pixels)
    seen[quality, default: Seen()].count += 1
    self.seconds += seconds
    self.pixels += Double(pixels)
  }

  func seconds(_ quality: Quality, pixels: Double, images: Int) -> Double {
    let fit = fit
    // The mean of logarithms is not that of seconds.
    let fitted = seen.reduce(0.0) { $0 + fit.seconds($1.key, $1.value.pixels, $1.value.count) }
    let bias = seconds / fitted
    let plain = bias * fit.seconds(quality, pixels, images)
    guard let own = seen[quality] else { return plain }
    let ratio = own.seconds / (bias * fit.seconds(quality, own.pixels, own.count))
    let count = Double(own.count)
    return plain * (ratio * count + Self.qualityWeight) / (count + Self.qualityWeight)
  }

  /// The three parameters.
  private struct Fit {
    var (constant, shape, size) = (0.0, 1.0, 0.0)

    func seconds(_ quality: Quality, _ pixels: Double, _ images: Int) -> Double {
      let each = pixels / Double(images) / 1e6
      return exp(constant + shape * log(VariantCost.shape(quality)) + size * log(each)) * pixels / 1e6
    }
  }

  private var fit: Fit {
    let (uu, uv, vv) = (uu - u * u / n + Self.shapeWeight, uv - u * v / n, vv - v * v / n + Self.sizeWeight)
    let uy = uy - u * y / n + Self.shapeWeight
    let vy = vy - v * y / n + Self.sizeWeight * Self.expectedExponent
    let determinant = uu * vv - uv * uv
    let shape = (uy * vv - vy * uv) / determinant
    let size = (vy * uu - uy * uv) / determinant
    return Fit(constant: (y - shape * u - size * v) / n, shape: shape, size: size)
  }

  private static func shape(_ quality: Quality) -> Double {
    let place = quality.value * Double(shape.count - 1)
    let index = min(Int(place), shape.count - 2)
    return shape[index] + (shape[index + 1] - shape[index]) * (place - Double(index))
  }
}
