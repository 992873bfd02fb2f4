public import BenchModel

/// An image as linear sRGB: planes of red, green and blue light from 0 for black to 1 for white. Colours
/// outside sRGB's gamut keep their negative values and those above 1. Gray has three equal planes.
public struct LinearLight: Sendable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Red, green and blue, each `width × height` values, row after row.
  public let planes: [[Float]]
  /// Coverage from 0 to 1, or nil where the image has no alpha.
  public let alpha: [Float]?

  /// Converts an image of any layout, depth and profile. Alpha is kept apart: colours are those of the
  /// stored samples, as if they were opaque.
  ///
  /// Throws `profile` when the colour profile cannot be used.
  public init(_ image: RasterImage) throws(MetricError) {
    let opaque = image.separatingAlpha()
    width = image.width
    height = image.height
    alpha = opaque.alpha
    let rows = try LinearRows(
      opaque.image, background: .white, segmentWidth: image.width, kernels: MetricTuning.standard.kernels)
    let row = RowSegment(width: image.width)
    var planes = [[Float]](repeating: [], count: 3)
    for index in planes.indices { planes[index].reserveCapacity(image.pixelCount) }
    for y in 0..<image.height {
      rows.read(row: y, columns: 0..<image.width, into: row, at: 0)
      for index in planes.indices {
        planes[index].append(contentsOf: UnsafeBufferPointer(start: row.plane(index), count: image.width))
      }
    }
    self.planes = planes
  }
}

extension RasterImage {
  /// The colour channels as an opaque image, and alpha from 0 to 1.
  func separatingAlpha() -> (image: RasterImage, alpha: [Float]?) {
    guard format.layout.hasAlpha else { return (self, nil) }
    let full = Float(format.maximum)
    let opaque = PixelFormat(layout: format.layout.withoutAlpha, bitDepth: format.bitDepth)
    let channels = format.layout.channels
    let image: RasterImage?
    let alpha: [Float]
    switch samples {
    case .bytes(let all):
      alpha = stride(from: channels - 1, to: all.count, by: channels).map { Float(all[$0]) / full }
      let colours = all.indices.lazy.filter { ($0 + 1) % channels != 0 }.map { all[$0] }
      image = RasterImage(
        width: width, height: height, format: opaque, profile: profile, samples: .bytes(Array(colours)))
    case .words(let all):
      alpha = stride(from: channels - 1, to: all.count, by: channels).map { Float(all[$0]) / full }
      let colours = all.indices.lazy.filter { ($0 + 1) % channels != 0 }.map { all[$0] }
      image = RasterImage(
        width: width, height: height, format: opaque, profile: profile, samples: .words(Array(colours)))
    }
    return (image ?? self, alpha)
  }
}
