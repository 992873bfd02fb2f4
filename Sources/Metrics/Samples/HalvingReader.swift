import CMetricKernels

/// Reads the rows of one tile after the other, with a halo, and writes the half-size image on the way: every sample is
/// converted once per scale.
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
      // Only the last tile is odd, so the cell behind it is outside the image.
      Halving.halve(top, segment, width: tile.count, planes: source.planes, kernels) {
        halved.row($0, y / 2) + tile.lowerBound / 2
      }
    }
    above = segment
    segment.clearOutside(filled, planes: source.planes)
  }
}
