import CMetricKernels
import Foundation
import Pixels

/// The distances of Butteraugli at full size, with those at half size mixed in.
///
/// Only the reference's linear light at half size is kept. Images are processed in tiles with a margin as wide as the
/// combined reach of all filters, so distances do not depend on the tiles.
final class ButteraugliStage: SharedStage {
  struct Result {
    var largest: Double
    var norm: Double
  }

  /// The maximum number of rows and columns of a tile, chosen so that its planes stay in the third-level cache.
  private static let side = 512

  private let tuning: MetricTuning
  private let background: Background
  private let reference: LinearRows
  private let halfReference: PlanarImage?
  private let halfCandidate: PlanarImage?
  private let halfDistances: PlanarImage?
  private let tile: ButteraugliTile

  init(reference: RasterImage, background: Background, tuning: MetricTuning) throws(MetricError) {
    (self.tuning, self.background) = (tuning, background)
    self.reference = try Self.linear(reference, background, tuning)
    let half = halvings(width: reference.width, height: reference.height, count: 2)[1]
    // The half size is compared only if it has at least eight pixels itself.
    let isHalved = min(half.width, half.height) >= 8
    func light(_ planes: Int) -> PlanarImage? {
      isHalved ? PlanarImage(width: half.width, height: half.height, planes: planes) : nil
    }
    (halfReference, halfCandidate, halfDistances) = (light(3), light(3), light(1))
    tile = ButteraugliTile(
      width: min(reference.width, Self.columns(tuning)), height: min(reference.height, Self.side),
      kernels: tuning.kernels)
    if let halfReference { halve(self.reference, into: halfReference) }
  }

  func compare(_ candidate: RasterImage) throws(MetricError) -> Result {
    let candidate = try Self.linear(candidate, background, tuning)
    if let halfReference, let halfCandidate, let halfDistances {
      halve(candidate, into: halfCandidate)
      walk(halfReference, halfCandidate) { y, columns, distances in
        (halfDistances.row(0, y) + columns.lowerBound).update(from: distances, count: columns.count)
      }
    }
    var sums = [0.0, 0.0, 0.0, 0.0]
    walk(reference, candidate) { y, columns, distances in
      if let halfDistances {
        tuning.kernels.addRepeated(
          halfDistances.row(0, y / 2) + columns.lowerBound / 2, columns.count, distances)
      }
      tuning.kernels.normSums(distances, columns.count, &sums)
    }
    let pixels = Double(reference.width * reference.height)
    let norms = zip(sums.dropFirst(), [3.0, 6, 12]).map { sum, power in pow(sum / pixels, 1 / power) }
    return Result(largest: sums[0], norm: norms.reduce(0, +) / 3)
  }

  /// Passes on the distances, row by row of each tile, in a buffer that may be changed.
  private func walk(
    _ a: any SampleRows, _ b: any SampleRows,
    _ take: (_ y: Int, _ columns: Range<Int>, _ distances: UnsafeMutablePointer<Float>) -> Void
  ) {
    for rows in tiles(of: a.height, tileWidth: Self.side) {
      for columns in tiles(of: a.width, tileWidth: Self.columns(tuning)) {
        tile.compare(a, b, rows, columns) { y, distances in take(y, columns, distances) }
      }
    }
  }

  private func halve(_ source: any SampleRows, into half: PlanarImage) {
    let width = min(source.width, tuning.tileWidth / 4 * 4 + 16)
    let reader = HalvingReader(source, halved: half, halo: 0, tuning: tuning)
    let rows = [RowSegment(width: width), RowSegment(width: width)]
    for columns in tiles(of: source.width, tileWidth: tuning.tileWidth) {
      for y in 0..<source.height { reader.read(row: y, of: columns, into: rows[y % 2]) }
    }
  }

  private static func columns(_ tuning: MetricTuning) -> Int { min(side, tuning.tileWidth) }

  private static func linear(
    _ image: RasterImage, _ background: Background, _ tuning: MetricTuning
  ) throws(MetricError) -> LinearRows {
    try LinearRows(
      image, background: background,
      segmentWidth: max(tuning.tileWidth + 16, columns(tuning) + 2 * ButteraugliTile.reach),
      kernels: tuning.kernels)
  }
}
