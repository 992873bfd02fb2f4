import CMetricKernels

/// Butteraugli's bands of one image within a tile: opponent colours of an adapted eye, split by blurs of decreasing
/// width, each band weighted by visibility.
final class ButteraugliBands {
  /// The reach of a value, in pixels on each side.
  static let reach =
    adaptation + [Blur.low, Blur.middle, Blur.high, Blur.mask].reduce(0) { $0 + Int(metric_blur($1).radius) }
  /// White's luminance in cd/m².
  private static let white: Float = 80
  private static let adaptation = 2

  /// Standard deviations in pixels.
  private enum Blur {
    static let surround: Float = 1.2
    static let low: Float = 7.15593339443
    static let middle: Float = 3.22489901262
    static let high: Float = 1.56416327805
    static let mask: Float = 2.7
  }

  private let kernels: MetricKernels
  private let light: [RowSegment]
  private let blurred: PlanarImage
  private let scales: FloatBuffer
  /// The remainder of the first two planes: the highest band.
  let rest: PlanarImage
  let low: PlanarImage
  let middle: PlanarImage
  let high: PlanarImage
  /// The strength with which each pixel masks errors around it; infinite beyond the tile.
  let mask: PlanarImage

  /// Allocates for areas of up to `width` × `height` pixels. `blurred` may be shared.
  init(width: Int, height: Int, blurred: PlanarImage, kernels: MetricKernels) {
    (self.kernels, self.blurred) = (kernels, blurred)
    // At least as many rows as a window covers.
    light = (0..<8).map { _ in RowSegment(width: width) }
    scales = FloatBuffer(count: width)
    func planes(_ count: Int) -> PlanarImage { PlanarImage(width: width, height: height, planes: count) }
    (rest, low, middle, high, mask) = (planes(3), planes(3), planes(3), planes(3), planes(1))
  }

  /// A row of all bands from a column on.
  func row(_ y: Int, from column: Int) -> MetricBands {
    MetricBands(
      low: planes(low, y, column), middle: planes(middle, y, column), high: planes(high, y, column),
      mask: mask.row(0, y) + column)
  }

  func split(_ source: any SampleRows, _ area: Area) {
    let (width, height) = (area.columns.count, area.rows.count)
    adapt(source, area)
    blur(Blur.low, rest, 0..<3, width, height, into: low) { y in
      kernels.splitLow(planes(rest, y), planes(low, y), width)
    }
    blur(Blur.middle, rest, 0..<3, width, height, into: middle) { y in
      kernels.splitMiddle(planes(rest, y), planes(middle, y), width)
    }
    blur(Blur.high, rest, 0..<2, width, height, into: high) { y in
      kernels.splitHigh(planes(rest, y), planes(high, y), width)
    }
    blur(Blur.mask, rest, 2..<3, width, height, into: mask) { y in
      for margin in [-PlanarImage.margin, width] {
        (mask.row(0, y) + margin).update(repeating: .infinity, count: PlanarImage.margin)
      }
    }
  }

  /// Linear light to opponent colours. The image is mirrored beyond its edges.
  private func adapt(_ source: any SampleRows, _ area: Area) {
    var blur = metric_blur(Blur.surround)
    let (top, end) = (area.rows.lowerBound, area.rows.upperBound)
    var read = top
    var window: [MetricPlanes] = []
    for y in area.rows {
      while read < min(y + Self.adaptation + 1, end) {
        fill(light[read % light.count], source, row: read, area.columns)
        read += 1
      }
      window.removeAll(keepingCapacity: true)
      for near in (y - Self.adaptation)...(y + Self.adaptation) {
        let row = near < top ? 2 * top - 1 - near : near < end ? near : 2 * end - 1 - near
        window.append(light[row % light.count].planes())
      }
      kernels.adapted(window, &blur, Self.white, area.columns.count, planes(rest, y - top))
    }
  }

  private func fill(_ segment: RowSegment, _ source: any SampleRows, row y: Int, _ columns: Range<Int>) {
    source.read(row: y, columns: columns, into: segment, at: 0)
    for plane in 0..<3 {
      let (cells, end) = (segment.plane(plane), columns.count)
      for x in 0..<Self.adaptation {
        cells[-1 - x] = cells[x]
        cells[end + x] = cells[end - 1 - x]
      }
    }
  }

  /// Blurs planes of `image`, first along all rows and then down the columns, and calls `done` after each row of `out`.
  private func blur(
    _ sigma: Float, _ image: PlanarImage, _ from: Range<Int>, _ width: Int, _ height: Int,
    into out: PlanarImage, _ done: (_ y: Int) -> Void
  ) {
    var blur = metric_blur(sigma)
    let radius = Int(blur.radius)
    metric_blur_scales(&blur, width, scales.pointer(at: 0))
    for y in 0..<height {
      for plane in from {
        kernels.blurAlong(image.row(plane, y), width, &blur, scales.pointer(at: 0), blurred.row(plane, y))
      }
    }
    var rows: [UnsafePointer<Float>] = []
    for y in 0..<height {
      let (first, last) = (max(0, radius - y), min(2 * radius + 1, height - y + radius))
      for plane in from {
        rows.removeAll(keepingCapacity: true)
        for near in (y - radius)...(y + radius) {
          rows.append(UnsafePointer(blurred.row(plane, min(max(near, 0), height - 1))))
        }
        let row = out.row(plane - from.lowerBound, y)
        if last - first == rows.count {
          kernels.blurDown(rows, width, &blur, row)
        } else {
          kernels.blurDownAtEdge(rows, Int32(first), Int32(last), width, &blur, row)
        }
      }
      done(y)
    }
  }

  private func planes(_ image: PlanarImage, _ y: Int, _ column: Int = 0) -> MetricPlanes {
    MetricPlanes(plane: (image.row(0, y) + column, image.row(1, y) + column, image.row(2, y) + column))
  }
}
