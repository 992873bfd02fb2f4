import Model
package import Pixels

/// The picture to score a reduced picture or a part against: the original reduced in linear light to the same size, or
/// cropped.
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
  /// The score of area averaging, another good filter, against it; nil if nothing was reduced.
  package let ceiling: Double?

  /// Crops the picture to the region, or reduces the whole picture in linear light.
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

  /// The score against the picture shifted by the fraction of a pixel, at most one in each direction, that makes it
  /// match best, found by squared error in steps of a half, then a quarter, with each of two filters, since a thumbnail
  /// that matches one good filter is as good as one that matches the other.
  package func alignedScore(of image: RasterImage, _ picture: RasterImage) throws -> Double? {
    let suite = try MetricSuite([MetricTraits.headline.id])
    // Four times the size is enough for shifts of a quarter of a pixel, and small enough to try many.
    let (w, h) = (min(picture.width, kind.width * 4), min(picture.height, kind.height * 4))
    return try [ReductionFilter.lanczos, .area].compactMap { filter in
      let closest = try closest(to: image, picture.reduced(toWidth: w, height: h, by: filter), filter)
      return try suite.prepare(closest).score(image)[MetricTraits.headline.id]
    }.max()
  }

  /// The reduction of a picture by a filter, at the shift that best matches an image.
  private func closest(
    to image: RasterImage, _ base: RasterImage, _ filter: ReductionFilter
  ) throws -> RasterImage {
    let reductions = try MovedReductions(base, width: kind.width, height: kind.height, by: filter)
    let bands = stride(from: 0, to: kind.height, by: 16).compactMap { top in
      let rows = top..<min(top + 16, kind.height)
      return image.cropped(to: PixelRegion(x: 0, y: top, width: kind.width, height: rows.count)).map {
        (rows, $0)
      }
    }
    var best = (shift: (x: 0, y: 0), error: Double.infinity)
    for (step, reach) in [(2, 2), (1, 1)] {
      // Small shifts first: a trial ends at the first band at which its error exceeds that of the best shift.
      let trials = (-reach...reach).map { $0 * step }.sorted { abs($0) < abs($1) }
      let middle = best.shift
      for x in trials.map({ middle.x + $0 }) where abs(x) <= 4 {
        var column = reductions.moved(x: Double(x) / 4)
        for y in trials.map({ middle.y + $0 }) where abs(y) <= 4 {
          var error = 0.0
          for (rows, band) in bands where error < best.error {
            error += Self.squaredError(column.rows(rows, y: Double(y) / 4), band)
          }
          if error < best.error { best = ((x, y), error) }
        }
      }
    }
    var column = reductions.moved(x: Double(best.shift.x) / 4)
    return column.rows(0..<kind.height, y: Double(best.shift.y) / 4)
  }

  /// A thumbnail may lack its picture's alpha, or have colours beside a gray picture.
  private static func squaredError(_ a: RasterImage, _ b: RasterImage) -> Double {
    var (a, b) = (a.scaledDepth(to: 8), b.scaledDepth(to: 8))
    if a.format.layout != b.format.layout {
      (a, b) = (a.flattened(on: [255, 255, 255]), b.flattened(on: [255, 255, 255]))
    }
    guard case .bytes(let first) = a.samples, case .bytes(let second) = b.samples else { return .infinity }
    func square(_ one: UInt8, _ other: UInt8) -> Double {
      let difference = Double(Int(one) - Int(other))
      return difference * difference
    }
    if first.count == second.count { return zip(first, second).reduce(0.0) { $0 + square($1.0, $1.1) } }
    let (gray, colour) = first.count < second.count ? (first, second) : (second, first)
    guard colour.count == gray.count * 3 else { return .infinity }
    // Gray is the same in all three colours.
    return colour.indices.reduce(0.0) { $0 + square(gray[$1 / 3], colour[$1]) }
  }
}
