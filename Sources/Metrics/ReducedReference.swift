import Model
package import Pixels

/// The picture against which a reduced one, or a part, is scored: reduced in linear light to the same size, or cropped.
package final class ReducedReference {
  package struct Kind: Hashable {
    package var width, height: Int
    package var region: PixelRegion?

    package init(width: Int, height: Int, region: PixelRegion? = nil) {
      (self.width, self.height, self.region) = (width, height, region)
    }
  }

  package let kind: Kind
  package let picture: RasterImage
  package let prepared: PreparedSuite
  /// The score of the mean of areas, another good filter, against it; nil if nothing was reduced.
  package let ceiling: Double?

  /// Crops the picture to the region, or reduces all of it in linear light.
  package init(_ kind: Kind, of picture: RasterImage, _ suite: MetricSuite) throws {
    self.kind = kind
    let whole = kind.region.flatMap(picture.cropped) ?? picture
    guard kind.width <= whole.width, kind.height <= whole.height else {
      throw Failure(
        kind: .codec,
        message: "decoded \(kind.width)×\(kind.height) of a picture of \(whole.width)×\(whole.height)")
    }
    self.picture = try whole.reduced(toWidth: kind.width, height: kind.height, by: .lanczos)
    prepared = try suite.prepare(self.picture)
    let isReduced = kind.width < whole.width || kind.height < whole.height
    ceiling =
      isReduced
      ? try prepared.score(whole.reduced(toWidth: kind.width, height: kind.height))[MetricTraits.headline.id]
      : nil
  }

  /// The score against the picture shifted by the fraction of a pixel, at most one in each direction, that brings it
  /// closest: found by squared error in steps of a half, then a quarter, with each of two filters. A thumbnail that
  /// matches one good filter is as good as one that matches the other.
  package func alignedScore(of image: RasterImage, _ picture: RasterImage) throws -> Double? {
    let suite = try MetricSuite([MetricTraits.headline.id])
    // Four times the size suffices for shifts of a quarter of a pixel, and is small enough to repeat them.
    let (w, h) = (min(picture.width, kind.width * 4), min(picture.height, kind.height * 4))
    return try [ReductionFilter.lanczos, .area].compactMap { filter in
      let closest = try closest(to: image, picture.reduced(toWidth: w, height: h, by: filter), filter)
      return try suite.prepare(closest).score(image)[MetricTraits.headline.id]
    }.max()
  }

  /// The reduction of a picture by a filter, at the shift that brings it closest to an image.
  private func closest(
    to image: RasterImage, _ base: RasterImage, _ filter: ReductionFilter
  ) throws -> RasterImage {
    let reductions = try MovedReductions(base, width: kind.width, height: kind.height, by: filter)
    func moved(x: Int, ys: [Int]) -> [RasterImage] {
      reductions.moved(x: Double(x) / 4, ys: ys.map { Double($0) / 4 })
    }
    var best = (shift: (x: 0, y: 0), error: Double.infinity)
    for (step, reach) in [(2, 2), (1, 1)] {
      let trials = (-reach...reach).map { $0 * step }
      let (xs, ys) = (
        trials.map { best.shift.x + $0 }.filter { abs($0) <= 4 },
        trials.map { best.shift.y + $0 }.filter { abs($0) <= 4 }
      )
      for x in xs {
        for (y, candidate) in zip(ys, moved(x: x, ys: ys)) {
          let error = Self.squaredError(candidate, image)
          if error < best.error { best = ((x, y), error) }
        }
      }
    }
    return moved(x: best.shift.x, ys: [best.shift.y])[0]
  }

  private static func squaredError(_ a: RasterImage, _ b: RasterImage) -> Double {
    let (a, b) = (a.scaledDepth(to: 8), b.scaledDepth(to: 8))
    guard a.format.layout == b.format.layout, case .bytes(let first) = a.samples,
      case .bytes(let second) = b.samples
    else { return .infinity }
    return zip(first, second).reduce(0.0) { sum, pair in
      let difference = Double(Int(pair.0) - Int(pair.1))
      return sum + difference * difference
    }
  }
}
