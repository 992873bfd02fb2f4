import Foundation
import Model

/// An estimate of a sweep's remaining work from the cost of its points so far.
///
/// Encoding and decoding an image takes k · shape(quality)^β · (megapixels + a fixed part) of CPU time. k varies
/// between images but hardly with size, so each image counts once in a variant's mean, however many of its points are
/// measured; an image that has begun has its own k. While few images are known, the mean is pulled towards the codec's
/// cost relative to the others (`CodecCost`). The rest of a point's time, mostly scores, is proportional to its pixels.
struct WorkLeft {
  struct Amount {
    /// CPU seconds of encoding and decoding.
    var coding = 0.0
    /// Megapixels that go through everything except coding, including the fixed part of each point.
    var megapixels = 0.0
  }

  /// An image with a variant. It is small, since there is one for each pair.
  private struct Cell {
    /// The remaining requested points, and the sum of their shapes.
    var points: Float = 0
    var shapes: Float = 0
    /// Requested points off the grid.
    var asked: Float = 0
    /// Further points expected off the grid; nil to expect as many as for other images.
    var further: Float?
    /// CPU seconds of coding, and the sizes they were spent on; the ratio is the image's own k.
    var seconds: Float = 0
    var sizes: Float = 0
  }

  private struct Variant {
    let cost: CodecCost
    /// Points off the grid expected for an image before any is done.
    let expected: Double
    /// Images, weighted by how much each says about others, and the weighted sum of the logarithms of their k.
    var images = 0.0
    var logarithms = 0.0
    /// Points off the grid in finished images.
    var asked = 0.0
    var isTried = false
  }

  /// The size-independent cost of a point, in megapixels: libheif with x265 takes 3.7 ms for one pixel, and 1.2 s for a
  /// million.
  private static let fixed = 0.003
  /// The size in megapixels at which an image says half as much about others as a large one; small images are more
  /// often drawings.
  private static let telling = 0.2
  /// Weights of the expected cost and of the expected points off the grid, in images.
  private static let (costWeight, pointWeight) = (8.0, 2.0)
  /// Points expected in a refinement's later rounds for each point of the current one.
  private static let nextRounds: Float = 0.5
  /// The cost of a refined point relative to the grid's mean: requested scores lie in the grid's cheaper part.
  private static let refinedShare = 0.8

  private let places: [CodecVariant: Int]
  private var variants: [Variant]
  let megapixels: [Double]
  private var cells: [Cell]
  private var doneImages = 0.0
  private let grid: (points: Double, shape: Double)

  init(_ plan: SweepPlan) {
    let names = plan.variants.map(\.variant)
    places = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
    variants = names.map {
      Variant(cost: CodecCost(of: $0), expected: plan.strategy?.expectedPoints(of: $0) ?? 0)
    }
    let shrink = Double(plan.preparation.downscale * plan.preparation.downscale)
    megapixels = plan.entries.map { Double($0.header?.pixelCount ?? 0) / shrink / 1e6 }
    let (points, shapes) = (plan.qualities.count, plan.qualities.reduce(0.0) { $0 + CodecCost.shape($1) })
    grid = (Double(points), points == 0 ? 1 : shapes / Double(points))
    let (usable, useless) = (Cell(points: Float(points), shapes: Float(shapes)), Cell(further: 0))
    cells = plan.entries.flatMap {
      [Cell](repeating: $0.problem == nil ? usable : useless, count: names.count)
    }
  }

  // MARK: - Changing the work

  /// Adds remaining points; a negative `count` removes them.
  mutating func change(_ variant: CodecVariant, _ quality: Quality, of image: Int, by count: Float) {
    guard let cell = cell(variant, image) else { return }
    cells[cell].points += count
    cells[cell].shapes += count * Float(CodecCost.shape(quality))
  }

  /// Counts a requested point off the grid, whether missing or present.
  mutating func ask(_ variant: CodecVariant, of image: Int) {
    if let cell = cell(variant, image) { cells[cell].asked += 1 }
  }

  /// Begins an image's round of points off the grid; an empty round ends the image.
  mutating func begin(_ round: [Case], of image: Int) {
    for (place, cell) in zip(variants.indices, cells(of: image)) {
      cells[cell].further = 0
      if round.isEmpty { variants[place].asked += Double(cells[cell].asked) }
    }
    if round.isEmpty { doneImages += 1 }
    for cell in round.compactMap({ cell($0.variant, image) }) { cells[cell].further? += Self.nextRounds }
  }

  mutating func drop(_ image: Int, _ variant: CodecVariant? = nil) {
    let place = variant.flatMap { places[$0] }
    for (index, cell) in zip(variants.indices, cells(of: image)) where place == nil || place == index {
      (cells[cell].points, cells[cell].shapes, cells[cell].further) = (0, 0, 0)
    }
  }

  /// Learns the CPU seconds of coding a point; nil if the codec refused it.
  mutating func learn(_ key: Case, of image: Int, seconds: Double?) {
    guard let place = places[key.variant], let cell = cell(key.variant, image) else { return }
    variants[place].isTried = true
    guard let seconds, seconds > 0, seconds < 1e9, megapixels[image] > 0 else { return }
    let weight = megapixels[image] / (megapixels[image] + Self.telling)
    if let before = logarithm(cell) {
      variants[place].logarithms -= weight * before
    } else {
      variants[place].images += weight
    }
    cells[cell].seconds += Float(seconds)
    cells[cell].sizes += Float(variants[place].cost.shape(key.quality) * size(of: image))
    variants[place].logarithms += weight * (logarithm(cell) ?? 0)
  }

  // MARK: - The order of points

  func cheapestFirst(_ points: [Case]) -> [Case] {
    points.enumerated().sorted { a, b in
      let (left, right) = (rate(a.element.variant) ?? -.infinity, rate(b.element.variant) ?? -.infinity)
      return (left, a.offset) < (right, b.offset)
    }.map(\.element)
  }

  /// An image's points, most expensive first, so that the final waits are short when several workers share the last
  /// image. Variants not yet seen come first, since they may be expensive; higher qualities cost more.
  func dearestFirst(_ points: [Case]) -> [Case] {
    points.enumerated().sorted { a, b in
      let (left, right) = (rate(a.element.variant) ?? .infinity, rate(b.element.variant) ?? .infinity)
      if left != right { return left > right }
      if a.element.variant == b.element.variant, a.element.quality != b.element.quality {
        return a.element.quality > b.element.quality
      }
      return a.offset < b.offset
    }.map(\.element)
  }

  /// The logarithm of a variant's k from its own points; nil before the first.
  private func rate(_ variant: CodecVariant) -> Double? {
    guard let known = places[variant].map({ variants[$0] }), known.isTried else { return nil }
    return known.images > 0 ? known.logarithms / known.images : -.infinity
  }

  // MARK: - Adding up the rest

  /// The image's megapixels plus the fixed part.
  func size(of image: Int) -> Double { megapixels[image] + Self.fixed }

  func amount() -> Amount? {
    let costs = costs
    var amount = Amount()
    for image in megapixels.indices {
      for (place, index) in zip(variants.indices, cells(of: image)) {
        let (cell, further) = (cells[index], further(cells[index], place))
        guard cell.points > 0 || further > 0 else { continue }
        guard let cost = costs[place] else { return nil }
        let size = size(of: image)
        let own = (Double(cell.seconds) + size * cost) / (Double(cell.sizes) + size)
        let shapes = shapes(cell, variants[place].cost) + further * Self.refinedShare * gridShape(place)
        amount.coding += own * size * shapes
        amount.megapixels += size * (Double(cell.points) + further)
      }
    }
    return amount
  }

  func whole(_ image: Int) -> Amount? {
    let costs = costs.compactMap(\.self)
    guard costs.count == variants.count else { return nil }
    let size = size(of: image) * grid.points
    let coding = zip(variants.indices, costs).reduce(0.0) { $0 + $1.1 * gridShape($1.0) }
    return Amount(coding: size * coding, megapixels: size * Double(variants.count))
  }

  private func gridShape(_ place: Int) -> Double { pow(grid.shape, variants[place].cost.exponent) }

  /// The shapes of a cell's points, raised to the codec's exponent: approximated by the mean shape for each point.
  private func shapes(_ cell: Cell, _ cost: CodecCost) -> Double {
    guard cell.points > 0, cell.shapes > 0 else { return 0 }
    return Double(cell.points) * pow(Double(cell.shapes / cell.points), cost.exponent)
  }

  private func further(_ cell: Cell, _ place: Int) -> Double {
    if let further = cell.further { return Double(further) }
    let variant = variants[place]
    let mean = (variant.expected * Self.pointWeight + variant.asked) / (Self.pointWeight + doneImages)
    return max(0, mean - Double(cell.asked))
  }

  /// k of each variant: 0 if the codec has refused every point so far; nil if it is unknown.
  private var costs: [Double?] {
    let speed = speed
    return variants.map { variant in
      let weight = variant.cost.isMeasured && speed.isKnown ? Self.costWeight : 0
      guard variant.images + weight > 0 else { return variant.isTried ? 0 : nil }
      let expected = speed.logarithm + log(variant.cost.seconds)
      return exp((variant.logarithms + weight * expected) / (variant.images + weight))
    }
  }

  /// The logarithm of this machine's time relative to `CodecCost`'s, mostly from the codecs that depend least on the
  /// image.
  private var speed: (logarithm: Double, isKnown: Bool) {
    var (sum, weights) = (0.0, 0.0)
    for variant in variants where variant.cost.isMeasured && variant.images > 0 {
      let weight = variant.images / (variant.images + 0.5) / (variant.cost.spread * variant.cost.spread)
      sum += weight * (variant.logarithms / variant.images - log(variant.cost.seconds))
      weights += weight
    }
    return (sum / (weights + 1), weights > 0)
  }

  private func logarithm(_ cell: Int) -> Double? {
    cells[cell].sizes > 0 ? log(Double(cells[cell].seconds / cells[cell].sizes)) : nil
  }

  private func cell(_ variant: CodecVariant, _ image: Int) -> Int? {
    places[variant].map { image * variants.count + $0 }
  }

  private func cells(of image: Int) -> Range<Int> {
    image * variants.count..<(image + 1) * variants.count
  }
}
