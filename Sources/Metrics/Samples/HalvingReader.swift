import CMetricKernels

/// Reads the rows of one tile after another, with a halo, and writes the half-size image at the same time, so every
/// sample is converted once per scale.
final class HalvingReader {
  private let source: any SampleRows
  private let halved: PlanarImage?
  private let halo: Int
  private let kernels: MetricKernels
  private var above: RowSegment?

  /// Reads `source` in tiles; `halved` receives the smaller image, if wanted.
  init(_ source: any SampleRows, halved: PlanarImage?, halo: Int, tuning: MetricTuning) {
    self.source = source
    self.halved = halved
    self.halo = halo
    kernels = tuning.kernels
  }

  /// The readable columns of the tile and its halo, relative to the tile's first.
  func filled(_ tile: Range<Int>) -> Range<Int> {
    max(-halo, -tile.lowerBound)..<min(tile.count + halo, source.width - tile.lowerBound)
  }

  /// Reads row `y` of a tile into a segment, which must stay untouched until the next row has been read. Rows must be
  /// read in order.
  func read(row y: Int, of tile: Range<Int>, into segment: RowSegment) {
    let filled = filled(tile)
    let columns = (tile.lowerBound + filled.lowerBound)..<(tile.lowerBound + filled.upperBound)
    source.read(row: y, columns: columns, into: segment, at: filled.lowerBound)
    if let halved, Halving.isDue(after: y, height: source.height) {
      let top = y.isMultiple(of: 2) ? segment : above ?? segment
      // Only the last tile is odd, so the cell after it is outside the image.
      Halving.halve(top, segment, width: tile.count, planes: source.planes, kernels) {
        halved.row($0, y / 2) + tile.lowerBound / 2
      }
    }
    above = segment
    segment.clearOutside(filled, planes: source.planes)
  }
}

/// Halves samples row by row: means of 2 × 2, counting the last column or row of an odd size twice.
enum Halving {
  /// True if a half-size row can be made after row `y`.
  static func isDue(after y: Int, height: Int) -> Bool { !y.isMultiple(of: 2) || y == height - 1 }

  /// Halves row `y` of `width` columns and the one above it, which alternate in `rows`.
  static func halve(
    _ rows: [RowSegment], row y: Int, width: Int, _ kernels: MetricKernels,
    into out: (_ plane: Int) -> UnsafeMutablePointer<Float>
  ) {
    halve(rows[0], rows[y % 2], width: width, planes: Int(METRIC_PLANES), kernels, into: out)
  }

  /// Halves `width` columns of two rows. If `width` is odd, the cell after them must be free.
  static func halve(
    _ top: RowSegment, _ bottom: RowSegment, width: Int, planes: Int, _ kernels: MetricKernels,
    into out: (_ plane: Int) -> UnsafeMutablePointer<Float>
  ) {
    for plane in 0..<planes {
      let (top, bottom) = (top.plane(plane), bottom.plane(plane))
      if !width.isMultiple(of: 2) {
        top[width] = top[width - 1]
        bottom[width] = bottom[width - 1]
      }
      kernels.halve(top, bottom, (width + 1) / 2, out(plane))
    }
  }
}
