import CMetricKernels
import Pixels

/// The error means of SSIMULACRA2: up to six scales of positive XYB, halved in linear light, with three error maps per
/// channel.
///
/// The prepared reference holds XYB at every scale, plus blurs and variances where they count: 32 bytes per pixel, or
/// 24 for large images. A candidate is processed tile by tile, and its rows are converted, blurred and compared
/// immediately; only its linear light at half size and below (4 bytes per pixel) is stored.
final class XYBStage: SharedStage {
  private let background: Background
  private let tuning: MetricTuning
  private var scales: [XYBScale] = []
  /// The linear light of a candidate, or of the reference during preparation, from half size down.
  private let lights: [PlanarImage]
  private var keepsPlanes = false
  /// The weighted sum of the three maps of every channel at the last comparison, one plane per scale; nil unless kept.
  private(set) var planes: [PlanarImage]?

  init(reference: RasterImage, background: Background, tuning: MetricTuning) throws(MetricError) {
    self.background = background
    self.tuning = tuning
    let sizes = Self.sizes(width: reference.width, height: reference.height)
    lights = sizes.dropFirst().map { PlanarImage(width: $0.width, height: $0.height, planes: 3) }
    let full = try Self.fullSize(reference, background, tuning)
    for (scale, size) in sizes.enumerated() {
      let (light, halved) = source(scale, full)
      scales.append(
        XYBScale(
          width: size.width, height: size.height, tileWidth: tuning.tileWidth, scale: scale, of: sizes.count,
          kernels: tuning.kernels, samples: Self.xyb(light, halved: halved, tuning),
          keepsMoments: size.width * size.height <= tuning.mostPixelsKept))
    }
  }

  /// The scales that the reference implementation visits: it continues while the previous scale has at least 8 pixels
  /// in both directions.
  static func sizes(width: Int, height: Int) -> [(width: Int, height: Int)] {
    let all = halvings(width: width, height: height, count: SSIMULACRA2Weights.scales)
    let last = all.firstIndex { min($0.width, $0.height) < 8 } ?? all.count - 1
    return Array(all.prefix(last + 1))
  }

  func compare(_ candidate: RasterImage) throws(MetricError) -> ErrorNorms {
    let full = try Self.fullSize(candidate, background, tuning)
    var norms = ErrorNorms(scaleCount: scales.count)
    var planes: [PlanarImage] = []
    for (index, scale) in scales.enumerated() {
      let (light, halved) = source(index, full)
      if keepsPlanes { planes.append(PlanarImage(width: light.width, height: light.height, planes: 1)) }
      scale.begin(plane: planes.last)
      let reader = HalvingReader(light, halved: halved, halo: RecursiveBlur.halo, tuning: tuning)
      for tile in tiles(of: light.width, tileWidth: tuning.tileWidth) {
        scale.start(tile)
        for y in 0..<light.height {
          reader.read(row: y, of: tile, into: scale.light(.candidate, row: y))
          scale.take(row: y)
        }
      }
      norms.add(scale.sums, pixels: light.width * light.height)
    }
    self.planes = keepsPlanes ? planes : nil
    return norms
  }

  /// Returns the result of `look` on the errors of the last comparison in `body`; nil if it makes no comparison.
  func mapping<Value>(
    _ body: (XYBStage) throws(MetricError) -> Void, _ look: (ErrorRows) -> Value
  ) throws(MetricError) -> Value? {
    (keepsPlanes, planes) = (true, nil)
    defer {
      (keepsPlanes, planes) = (false, nil)
      // Planes of large pictures are not kept for the next comparison.
      for scale in scales { scale.begin(plane: nil) }
    }
    try body(self)
    return planes.flatMap(ErrorRows.init).map(look)
  }

  /// The linear light of a scale, and the plane to write its half size to.
  private func source(_ scale: Int, _ full: LinearRows) -> (light: any SampleRows, halved: PlanarImage?) {
    (scale == 0 ? full : lights[scale - 1], scale < lights.count ? lights[scale] : nil)
  }

  private static func fullSize(
    _ image: RasterImage, _ background: Background, _ tuning: MetricTuning
  ) throws(MetricError) -> LinearRows {
    try LinearRows(
      image, background: background, segmentWidth: tuning.tileWidth + 2 * RecursiveBlur.halo,
      kernels: tuning.kernels)
  }

  private static func xyb(
    _ light: any SampleRows, halved: PlanarImage?, _ tuning: MetricTuning
  ) -> PlanarImage {
    let out = PlanarImage(width: light.width, height: light.height, planes: 3)
    let reader = HalvingReader(light, halved: halved, halo: 0, tuning: tuning)
    let width = min(light.width, tuning.tileWidth)
    let rows = [RowSegment(width: width), RowSegment(width: width)]
    let row = RowSegment(width: width)
    for tile in tiles(of: light.width, tileWidth: tuning.tileWidth) {
      for y in 0..<light.height {
        reader.read(row: y, of: tile, into: rows[y % 2])
        tuning.kernels.xyb(rows[y % 2].planes(), tile.count, row.planes())
        for channel in 0..<out.planes {
          (out.row(channel, y) + tile.lowerBound).update(from: row.plane(channel), count: tile.count)
        }
      }
    }
    return out
  }
}
