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

  /// True if it is not empty and lies inside an image of this size.
  package func fits(width: Int, height: Int) -> Bool {
    x >= 0 && y >= 0 && self.width > 0 && self.height > 0 && self.width <= width - x
      && self.height <= height - y
  }

  /// The overlap of two rectangles; nil if empty.
  package func intersection(_ other: PixelRegion) -> PixelRegion? {
    let (left, top) = (max(x, other.x), max(y, other.y))
    let (right, bottom) = (min(maximumX, other.maximumX), min(maximumY, other.maximumY))
    guard right > left, bottom > top else { return nil }
    return PixelRegion(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// Maps this rectangle of the upright image to the stored raster of `width` × `height` pixels.
  package func stored(as orientation: Orientation, width: Int, height: Int) -> PixelRegion {
    func place(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
      switch orientation {
      case .up: (x, y)
      case .upMirrored: (width - 1 - x, y)
      case .down: (width - 1 - x, height - 1 - y)
      case .downMirrored: (x, height - 1 - y)
      case .leftMirrored: (y, x)
      case .right: (y, height - 1 - x)
      case .rightMirrored: (width - 1 - y, height - 1 - x)
      case .left: (width - 1 - y, x)
      }
    }
    let (a, b) = (place(x, y), place(maximumX - 1, maximumY - 1))
    return PixelRegion(
      x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x) + 1, height: abs(a.y - b.y) + 1)
  }

  /// Maps this rectangle of a stored raster of `width` × `height` pixels to the upright image.
  package func upright(from orientation: Orientation, width: Int, height: Int) -> PixelRegion {
    let (w, h) = orientation.swapsSides ? (height, width) : (width, height)
    return stored(as: orientation.inverse, width: w, height: h)
  }
}

extension Orientation {
  /// True if the upright image's columns are the stored raster's rows.
  package var swapsSides: Bool { rawValue > Orientation.downMirrored.rawValue }

  package var inverse: Orientation {
    switch self {
    case .right: .left
    case .left: .right
    default: self
    }
  }
}

extension RasterImage {
  /// The pixels of a rectangle; nil unless it lies inside the image.
  package func cropped(to region: PixelRegion) -> RasterImage? {
    guard region.fits(width: width, height: height) else { return nil }
    guard region.width < width || region.height < height else { return self }
    let (channels, stride) = (format.layout.channels, width * format.layout.channels)
    func rows<Sample>(of source: [Sample]) -> [Sample] {
      var target: [Sample] = []
      target.reserveCapacity(region.width * region.height * channels)
      for y in region.y..<region.maximumY {
        target += source[(y * stride + region.x * channels)...].prefix(region.width * channels)
      }
      return target
    }
    let part: Samples =
      switch samples {
      case .bytes(let bytes): .bytes(rows(of: bytes))
      case .words(let words): .words(rows(of: words))
      }
    return RasterImage(
      unchecked: self, width: region.width, height: region.height, format: format, samples: part)
  }
}

extension RasterImage {
  /// The image with its last column and row repeated up to a size; nil for a size smaller than the image.
  package func extended(toWidth newWidth: Int, height newHeight: Int) -> RasterImage? {
    guard newWidth >= width, newHeight >= height else { return nil }
    guard newWidth > width || newHeight > height else { return self }
    let channels = format.layout.channels
    func extend<Sample>(_ source: [Sample]) -> [Sample] {
      var target: [Sample] = []
      target.reserveCapacity(newWidth * newHeight * channels)
      for y in 0..<newHeight {
        let row = source[(min(y, height - 1) * width * channels)...].prefix(width * channels)
        target += row
        for _ in width..<newWidth { target += row.suffix(channels) }
      }
      return target
    }
    let larger: Samples =
      switch samples {
      case .bytes(let bytes): .bytes(extend(bytes))
      case .words(let words): .words(extend(words))
      }
    return RasterImage(unchecked: self, width: newWidth, height: newHeight, format: format, samples: larger)
  }
}

/// An image assembled from parts of others.
package struct RasterCanvas {
  private let width, height: Int
  private let format: PixelFormat
  private let profile: ColorProfile
  private var bytes: [UInt8] = []
  private var words: [UInt16] = []

  /// Creates a black canvas in the format and the profile of `image`; its sides are at least 1.
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

  /// Copies a rectangle of `image` here. Returns false, doing nothing, if formats differ or it lies outside either.
  package mutating func paste(_ image: RasterImage, from region: PixelRegion, x: Int, y: Int) -> Bool {
    let target = PixelRegion(x: x, y: y, width: region.width, height: region.height)
    guard image.format == format, region.fits(width: image.width, height: image.height),
      target.fits(width: width, height: height)
    else { return false }
    let channels = format.layout.channels
    let rows = RowCopy(
      from: (region.y * image.width + region.x) * channels, fromStride: image.width * channels,
      to: (y * width + x) * channels, toStride: width * channels, count: region.width * channels,
      rows: region.height)
    switch image.samples {
    case .bytes(let source): rows.copy(source, to: &bytes)
    case .words(let source): rows.copy(source, to: &words)
    }
    return true
  }

  package var image: RasterImage? {
    RasterImage(
      width: width, height: height, format: format, profile: profile,
      samples: format.bitDepth == 8 ? .bytes(bytes) : .words(words))
  }
}

private struct RowCopy {
  var from, fromStride, to, toStride, count, rows: Int

  func copy<Sample>(_ source: [Sample], to target: inout [Sample]) {
    for row in 0..<rows {
      let (start, end) = (from + row * fromStride, to + row * toStride)
      target.replaceSubrange(end..<(end + count), with: source[start..<(start + count)])
    }
  }
}
