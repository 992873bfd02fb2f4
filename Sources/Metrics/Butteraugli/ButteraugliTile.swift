import CMetricKernels

/// Compares two images within a tile: their bands, the differences along lines, and the distance at each pixel.
final class ButteraugliTile {
  /// The reach of a distance, in pixels on each side: the successive blurs, and the erosion of the mask.
  static let reach = ButteraugliBands.reach + erosion
  /// The distance in pixels to the neighbours over which the mask is eroded.
  private static let erosion = 3
  private static let lines = Int(METRIC_LINE_REACH)

  private let kernels: MetricKernels
  private let reference: ButteraugliBands
  private let candidate: ButteraugliBands
  private let differences: PlanarImage
  private let sums: PlanarImage
  private let distances: RowSegment
  /// Rows beyond the edges, which have neither differences nor weaker masking.
  private let nothing: RowSegment
  private let endless: RowSegment

  /// Allocates for tiles of up to `width` × `height` pixels.
  init(width: Int, height: Int, kernels: MetricKernels) {
    self.kernels = kernels
    let (width, height) = (width + 16 + 2 * Self.reach, height + 16 + 2 * Self.reach)
    let blurred = PlanarImage(width: width, height: height, planes: 3)
    reference = ButteraugliBands(width: width, height: height, blurred: blurred, kernels: kernels)
    candidate = ButteraugliBands(width: width, height: height, blurred: blurred, kernels: kernels)
    differences = PlanarImage(width: width, height: height, planes: 1)
    sums = PlanarImage(width: width, height: height, planes: 3)
    (distances, nothing, endless) = (
      RowSegment(width: width), RowSegment(width: width), RowSegment(width: width)
    )
    (endless.plane(0) - RowSegment.margin).update(repeating: .infinity, count: width + 2 * RowSegment.margin)
  }

  /// Passes on the distances of each row of a tile, in a buffer that may be changed.
  func compare(
    _ a: any SampleRows, _ b: any SampleRows, _ rows: Range<Int>, _ columns: Range<Int>,
    _ take: (_ y: Int, _ distances: UnsafeMutablePointer<Float>) -> Void
  ) {
    let around = Area(rows, columns, within: a, margin: Self.reach)
    reference.split(a, around)
    candidate.split(b, around)
    let inner = Area(
      rows: (rows.lowerBound - around.rows.lowerBound)..<(rows.upperBound - around.rows.lowerBound),
      columns: (columns.lowerBound - around.columns.lowerBound)..<(columns.upperBound
        - around.columns.lowerBound))
    for y in inner.rows {
      for plane in 0..<2 { sums.row(plane, y).update(repeating: 0, count: around.columns.count) }
    }
    for band in Self.bands { addLines(band, inner, around) }
    var masks: [UnsafePointer<Float>] = []
    for y in inner.rows {
      let start = inner.columns.lowerBound
      masks.removeAll(keepingCapacity: true)
      for near in [y - Self.erosion, y, y + Self.erosion] {
        let isInside = (0..<around.rows.count).contains(near)
        masks.append((isInside ? reference.mask.row(0, near) : endless.plane(0)) + start)
      }
      var (left, right) = (reference.row(y, from: start), candidate.row(y, from: start))
      let total = MetricPlanes(
        plane: (sums.row(0, y) + start, sums.row(1, y) + start, sums.row(2, y) + start))
      kernels.distances(&left, &right, masks, total, columns.count, distances.plane(0))
      take(around.rows.lowerBound + y, distances.plane(0))
    }
  }

  /// Adds the differences along lines of one plane of a band to those of the plane.
  private func addLines(_ band: Band, _ inner: Area, _ around: Area) {
    let (a, b) = (reference[keyPath: band.image], candidate[keyPath: band.image])
    let reach =
      max(
        0, inner.rows.lowerBound - Self.lines)..<min(
        around.rows.count, inner.rows.upperBound + Self.lines)
    for y in reach {
      kernels.bandDifferences(
        a.row(band.plane, y), b.row(band.plane, y), around.columns.count, band.weights, differences.row(0, y))
    }
    var rows: [UnsafePointer<Float>] = []
    for y in inner.rows {
      rows.removeAll(keepingCapacity: true)
      for near in (y - Self.lines)...(y + Self.lines) {
        rows.append(
          (reach.contains(near) ? differences.row(0, near) : nothing.plane(0)) + inner.columns.lowerBound)
      }
      let out = sums.row(band.plane, y) + inner.columns.lowerBound
      if band.isDense {
        kernels.denseLineSums(rows, inner.columns.count, out)
      } else {
        kernels.sparseLineSums(rows, inner.columns.count, out)
      }
    }
  }
}

extension ButteraugliTile {
  /// A plane of a band with differences summed along lines, in libjxl's order.
  private struct Band {
    let image: KeyPath<ButteraugliBands, PlanarImage>
    let plane: Int
    let isDense: Bool
    let weights: MetricLineWeights

    init(
      _ image: KeyPath<ButteraugliBands, PlanarImage>, _ plane: Int, weight: Double, level: Double,
      isDense: Bool
    ) {
      (self.image, self.plane, self.isDense) = (image, plane, isDense)
      // Lines of 3.75 samples to either side.
      let share = (isDense ? 0.39905817637 : 0.611612573796) / (3.75 * 2 + 1)
      weights = MetricLineWeights(
        both: Float(share * (0.5 * weight).squareRoot() * level),
        outside: Float(share * (Double(Float(0.33)) * weight).squareRoot() * level), level: Float(level))
    }
  }

  private static var bands: [Band] {
    [
      Band(\.rest, 1, weight: 1.10039032555, level: 71.7800275169, isDense: true),
      Band(\.rest, 0, weight: 173.5, level: 5, isDense: true),
      Band(\.high, 1, weight: 18.7237414387, level: 4498534.45232, isDense: false),
      Band(\.high, 0, weight: 6923.99476109, level: 8051.15833247, isDense: false),
      Band(\.middle, 1, weight: 37.0819870399, level: 130262059.556, isDense: false),
      Band(\.middle, 0, weight: 8246.75321353, level: 1009002.70582, isDense: false),
    ]
  }
}

/// Rows and columns of an image or of a tile.
struct Area {
  var rows: Range<Int>
  var columns: Range<Int>
}

extension Area {
  /// A tile with a margin, clipped to the image.
  init(_ rows: Range<Int>, _ columns: Range<Int>, within image: any SampleRows, margin: Int) {
    func wider(_ range: Range<Int>, _ end: Int) -> Range<Int> {
      max(0, range.lowerBound - margin)..<min(end, range.upperBound + margin)
    }
    self.init(rows: wider(rows, image.height), columns: wider(columns, image.width))
  }
}
