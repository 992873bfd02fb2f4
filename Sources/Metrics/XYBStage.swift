import BenchModel
import CMetricKernels

/// The error means of SSIMULACRA 2: up to six scales of positive XYB, halved in linear light, three error
/// maps per channel.
///
/// Of the reference, XYB is kept at every scale (16 bytes per pixel). A candidate passes tile by tile: its
/// rows are converted, blurred into a ring and compared at once; only its linear light at half size and
/// below (4 bytes per pixel) is stored.
final class XYBStage: SharedStage {
  /// Blur radius: see `recursiveTaps` in the kernels.
  static let radius = 4

  /// One scale of the reference.
  private struct Scale {
    /// X, Y and B − Y.
    let reference: PlanarImage
    /// Where the candidate's linear light goes; none for full size, which is read from its samples.
    let light: PlanarImage?
    /// Whether the SSIM error of a channel counts: where its weights are 0 two of four blurs are spared.
    let needsStructure: [Bool]
  }

  private let background: Background
  private let tuning: MetricTuning
  private let scales: [Scale]
  private let rings: [RowRing]
  private let xyb: RowSegment
  private let scratch: FloatBuffer
  private var segmentWidth: Int { xyb.stride }

  init(reference: RasterImage, background: Background, tuning: MetricTuning) throws(MetricError) {
    self.background = background
    self.tuning = tuning
    let sizes = Self.sizes(width: reference.width, height: reference.height)
    scales = sizes.enumerated().map { index, size in
      Scale(
        reference: PlanarImage(width: size.width, height: size.height, planes: 3),
        light: index == 0 ? nil : PlanarImage(width: size.width, height: size.height, planes: 3),
        needsStructure: (0..<3).map { ErrorNorms.needsStructure(channel: $0, scale: index, of: sizes.count) })
    }
    let width = min(reference.width, tuning.tileWidth)
    rings = (0..<3).map { _ in RowRing(width: width, radius: Self.radius) }
    xyb = RowSegment(width: width + 2 * Self.radius)
    scratch = FloatBuffer(count: 3 * (width + 48))
    try prepare(reference)
  }

  /// The scales that the reference implementation visits: it goes on while the scale before has at least
  /// 8 pixels in both directions.
  static func sizes(width: Int, height: Int) -> [(width: Int, height: Int)] {
    let all = halvings(width: width, height: height, count: SSIMULACRA2Weights.scales)
    let last = all.firstIndex { min($0.width, $0.height) < 8 } ?? all.count - 1
    return Array(all.prefix(last + 1))
  }

  func compare(_ candidate: RasterImage) throws(MetricError) -> ErrorNorms {
    var norms = ErrorNorms(scaleCount: scales.count)
    try eachScale(of: candidate) { index, source, halved in
      var sums = [Double](repeating: 0, count: ErrorNorms.sumsPerScale)
      compare(source, halved: halved, at: scales[index]) { rows, reference, channel, y, tile in
        let first = channel * ErrorNorms.sumsPerChannel
        sums.withUnsafeMutableBufferPointer { all in
          guard let base = all.baseAddress else { return }
          tuning.kernels.errorRow(
            rows, reference, tile.count, rings[channel].stride,
            scales[index].needsStructure[channel] ? 1 : 0, base + first)
        }
      }
      norms.add(sums, pixels: source.width * source.height)
    }
    return norms
  }

  /// The weighted sum of the three maps of every channel, one plane per scale.
  func errorPlanes(_ candidate: RasterImage) throws(MetricError) -> [PlanarImage] {
    var planes: [PlanarImage] = []
    try eachScale(of: candidate) { index, source, halved in
      let plane = PlanarImage(width: source.width, height: source.height, planes: 1)
      compare(source, halved: halved, at: scales[index], structure: true) {
        rows, reference, channel, y, tile in
        let weights = ErrorNorms.mapWeights(channel: channel, scale: index, of: scales.count)
        tuning.kernels.errorPixels(
          rows, reference, tile.count, rings[channel].stride, weights, plane.row(0, y) + tile.lowerBound)
      }
      planes.append(plane)
    }
    return planes
  }

  // MARK: Walking

  /// Calls `body` with the linear light of each scale, and where its half size is to be written.
  private func eachScale(
    of image: RasterImage, _ body: (Int, any RowSource, PlanarImage?) -> Void
  ) throws(MetricError) {
    let full = try LinearRows(
      image, background: background, segmentWidth: segmentWidth, kernels: tuning.kernels)
    for index in scales.indices {
      let source: any RowSource = scales[index].light ?? full
      body(index, source, index + 1 < scales.count ? scales[index + 1].light : nil)
    }
  }

  /// Computes the reference's XYB at every scale.
  private func prepare(_ reference: RasterImage) throws(MetricError) {
    try eachScale(of: reference) { index, source, halved in
      let reader = HalvingReader(source, halved: halved, halo: 0, tuning: tuning)
      let out = scales[index].reference
      for tile in tiles(of: source.width, tileWidth: tuning.tileWidth) {
        for y in 0..<source.height {
          tuning.kernels.xyb(reader.row(y, of: tile).planes(), tile.count, xyb.planes())
          for channel in 0..<3 {
            (out.row(channel, y) + tile.lowerBound).update(from: xyb.plane(channel), count: tile.count)
          }
        }
      }
    }
  }

  /// What happens with a row of error maps: its blurred neighbourhood, the reference's samples, and where.
  private typealias RowConsumer = (
    _ rows: UnsafePointer<UnsafePointer<Float>>, _ reference: UnsafePointer<Float>, _ channel: Int,
    _ y: Int, _ tile: Range<Int>
  ) -> Void

  private func compare(
    _ source: any RowSource, halved: PlanarImage?, at scale: Scale, structure: Bool = false,
    _ consume: RowConsumer
  ) {
    let reader = HalvingReader(source, halved: halved, halo: Self.radius, tuning: tuning)
    for tile in tiles(of: source.width, tileWidth: tuning.tileWidth) {
      let filled = reader.filled(tile)
      for y in 0..<(source.height + Self.radius) {
        if y < source.height {
          let light = reader.row(y, of: tile).planes(from: filled.lowerBound)
          tuning.kernels.xyb(light, filled.count, xyb.planes(from: filled.lowerBound))
          xyb.clearOutside(filled)
        }
        for channel in 0..<3 {
          let ring = rings[channel]
          if y < source.height {
            tuning.kernels.blurRow4(
              scale.reference.row(channel, y) + tile.lowerBound, xyb.plane(channel), tile.count, ring.stride,
              structure || scale.needsStructure[channel] ? 1 : 0, scratch.pointer(at: 0), ring.slot(y))
          }
          let centre = y - Self.radius
          guard centre >= 0 else { continue }
          let reference = scale.reference.row(channel, centre) + tile.lowerBound
          ring.withWindow(around: centre, height: source.height) {
            consume($0, reference, channel, centre, tile)
          }
        }
      }
    }
  }
}
