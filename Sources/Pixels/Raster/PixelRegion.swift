/// A rectangle of pixels: columns `x ..< x + width` and rows `y ..< y + height`.
package struct PixelRegion: Sendable, Hashable, Codable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// The column after the last.
  package var maximumX: Int { x + width }
  /// The row after the last.
  package var maximumY: Int { y + height }

  /// The centred rectangle, clipped to the image.
  package static func centred(width: Int, height: Int, inWidth: Int, height outer: Int) -> PixelRegion {
    let (w, h) = (min(width, inWidth), min(height, outer))
    return PixelRegion(x: (inWidth - w) / 2, y: (outer - h) / 2, width: w, height: h)
  }

  /// True if the rectangle is not empty and lies inside an image of this size.
  package func fits(width: Int, height: Int) -> Bool {
    x >= 0 && y >= 0 && self.width > 0 && self.height > 0 && self.width <= width - x
      && self.height <= height - y
  }

  /// The overlap of two rectangles; nil if it is empty.
  package func intersection(_ other: PixelRegion) -> PixelRegion? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let (right, bottom) = (min(maximumX, other.maximumX), min(maximumY, other.maximumY))
    guard right > left, bottom > top else { return nil }
    return PixelRegion(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Maps this rectangle of the upright image to the stored raster of `width` × `height` pixels.
  package func stored(as orientation: Orientation, width: Int, height: Int) -> PixelRegion {
    let a = orientation.stored(x, y, width: width, height: height)
    let b = orientation.stored(maximumX - 1, maximumY - 1, width: width, height: height)
    return PixelRegion(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x) + 1, height: abs(a.y - b.y) + 1)
  }

  /// Maps this rectangle of a stored raster of `width` × `height` pixels to the upright image.
  package func upright(from orientation: Orientation, width: Int, height: Int) -> PixelRegion {
    let (w, h) = orientation.swapsSides ? (height, width) : (width, height)
    return stored(as: orientation.inverse, width: w, height: h)
  }
}

extension RasterImage {
  /// The pixels of a rectangle; nil unless it lies inside the image.
  package func cropped(to region: PixelRegion) -> RasterImage? {
    guard region.fits(width: width, height: height) else { return nil }
    return copied(region, width: region.width, height: region.height)
  }

  /// The image with its last column and row repeated up to a size; nil for a size smaller than the image.
  package func extended(toWidth newWidth: Int, height newHeight: Int) -> RasterImage? {
    guard newWidth >= width, newHeight >= height else { return nil }
    let all = PixelRegion(x: 0, y: 0, width: width, height: height)
    return copied(all, width: newWidth, height: newHeight)
  }

  package func rows(_ range: Range<Int>) -> RasterImage {
    let region = PixelRegion(x: 0, y: range.lowerBound, width: width, height: range.count)
    return copied(region, width: width, height: range.count)
  }

  private func copied(_ region: PixelRegion, width newWidth: Int, height newHeight: Int) -> RasterImage {
    guard (region.x, region.y, newWidth, newHeight) != (0, 0, width, height) else { return self }
    let copy = RegionCopy(
      region: region, rowLength: width, channels: format.layout.channels, width: newWidth, height: newHeight)
    return transformed(copy, width: newWidth, height: newHeight)
  }
}

/// Copies a rectangle, with its last column and row repeated up to a size.
private struct RegionCopy: SampleTransform {
  let region: PixelRegion
  let rowLength, channels, width, height: Int

  func apply<Sample>(_ samples: [Sample]) -> [Sample] {
    var target: [Sample] = []
    target.reserveCapacity(width * height * channels)
    for y in 0..<height {
      let start = ((region.y + min(y, region.height - 1)) * rowLength + region.x) * channels
      let row = samples[start..<start + region.width * channels]
      target += row
      for _ in region.width..<width { target += row.suffix(channels) }
    }
    return target
  }
}

/// An image assembled from parts of others.
package struct RasterCanvas {
  private let width, height: Int
  private let format: PixelFormat
  private let profile: ColorProfile
  private var bytes: [UInt8] = []
  private var words: [UInt16] = []

  /// Creates a black canvas with the format and profile of `image`; its sides are at least 1.
  package init(width: Int, height: Int, like image: RasterImage) {
    (self.width, self.height) = (max(width, 1), max(height, 1))
    format = image.format
    profile = image.profile
    let count = self.width * self.height * format.layout.channels
    if format.bitDepth == 8 {
      bytes = [UInt8](repeating: 0, count: count)
    } else {
      words = [UInt16](repeating: 0, count: count)
    }
  }

  /// Copies a rectangle of `image` into the canvas. Returns false and does nothing if the formats differ or the
  /// rectangle lies outside either. On a canvas with alpha, an image without it is opaque.
  package mutating func paste(_ image: RasterImage, from region: PixelRegion, x: Int, y: Int) -> Bool {
    let image = format.layout.hasAlpha ? image.withAlpha() : image
    let target = PixelRegion(x: x, y: y, width: region.width, height: region.height)
    guard image.format == format, region.fits(width: image.width, height: image.height),
      target.fits(width: width, height: height)
    else { return false }
    let channels = format.layout.channels
    func copy<Sample>(_ source: [Sample], to canvas: inout [Sample]) {
      for row in 0..<region.height {
        let from = ((region.y + row) * image.width + region.x) * channels
        let to = ((y + row) * width + x) * channels
        let count = region.width * channels
        canvas.replaceSubrange(to..<(to + count), with: source[from..<(from + count)])
      }
    }
    switch image.samples {
    case .bytes(let source): copy(source, to: &bytes)
    case .words(let source): copy(source, to: &words)
    }
    return true
  }

  package var image: RasterImage? {
    RasterImage(
      width: width, height: height, format: format, profile: profile,
      samples: format.bitDepth == 8 ? .bytes(bytes) : .words(words))
  }
}
