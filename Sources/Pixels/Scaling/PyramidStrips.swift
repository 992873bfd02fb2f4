/// Makes strips of all levels of a pyramid from successive rows of the picture: memory depends on the picture's width
/// and the tile's height, not on the picture's height. Pixels equal those of `halved`, level by level.
package struct PyramidStrips {
  private let strips: [TilePyramid.Strip]
  private let halving: [Halving]
  private var bands: [Band]
  private var next = 0

  private struct Band {
    var top = 0
    var image: RasterImage?
    var bottom: Int { top + (image?.height ?? 0) }
  }

  /// - Parameter levels: The number of levels to make, at least the first.
  package init(
    _ pyramid: TilePyramid, levels: Int, format: PixelFormat, profile: ColorProfile
  ) throws(PixelError) {
    strips = pyramid.strips(levels: levels)
    let made = Array(pyramid.levels.prefix(max(levels, 1)))
    var halving: [Halving] = []
    for level in made.dropLast() {
      halving.append(
        try Halving(width: level.width, height: level.height, format: format, profile: profile))
    }
    self.halving = halving
    bands = [Band](repeating: Band(), count: made.count)
  }

  /// The next strip; nil after the last.
  package var upcoming: TilePyramid.Strip? { next < strips.count ? strips[next] : nil }

  /// The number of the picture's rows that the next strip still needs.
  package var missing: Int {
    guard let strip = upcoming, strip.level.index == 0 else { return 0 }
    return max(0, strip.pixels.upperBound - bands[0].bottom)
  }

  /// Adds the picture's next rows, with its width, format and profile.
  package mutating func append(_ rows: RasterImage) { append(rows, to: 0) }

  /// The pixels of the next strip; nil if rows are missing, or after the last strip. Throws for an unusable profile.
  package mutating func take() throws(PixelError) -> RasterImage? {
    guard let strip = upcoming, missing == 0 else { return nil }
    next += 1
    let index = strip.level.index
    guard let band = bands[index].image else { return nil }
    let top = bands[index].top
    let image = band.rows(strip.pixels.lowerBound - top..<strip.pixels.upperBound - top)
    if !strip.halved.isEmpty {
      let rows = strip.halved.lowerBound - top..<strip.halved.upperBound - top
      append(try halving[index].halve(band, rows: rows), to: index + 1)
    }
    let isEmpty = strip.kept >= bands[index].bottom
    bands[index] = Band(
      top: strip.kept, image: isEmpty ? nil : band.rows(strip.kept - top..<bands[index].bottom - top))
    return image
  }

  private mutating func append(_ rows: RasterImage, to index: Int) {
    bands[index].image = bands[index].image?.appending(rows) ?? rows
  }
}

extension RasterImage {
  fileprivate func appending(_ other: RasterImage) -> RasterImage {
    let samples: Samples =
      switch (self.samples, other.samples) {
      case (.bytes(let mine), .bytes(let others)): .bytes(mine + others)
      case (.words(let mine), .words(let others)): .words(mine + others)
      default: self.samples
      }
    return RasterImage(
      unchecked: other, width: width, height: height + other.height, format: format, samples: samples)
  }
}
