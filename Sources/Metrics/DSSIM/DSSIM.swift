import CMetricKernels
import Foundation
package import Model
import Pixels

/// DSSIM (Kornel Lesiński), version 3: 0 is no difference. Multi-scale SSIM of L*a*b* with chroma blurred first; each
/// scale counts by the mean distance of its map from a power of the map's mean, so uneven errors weigh more.
///
/// The weights are those of the tool, derived from IW-SSIM's.
struct DSSIM: QualityMetric {
  let traits = MetricTraits.dssim
  let rules = MetricRules(
    tolerance: Tolerance(0.0002, otherVersions: 0.001), codecCompareName: "dssim", takesLight: true,
    isOnRequest: true)

  func prepare(_ comparison: Comparison) throws(MetricError) {
    _ = try comparison.stage(LabStage.self)
  }

  /// 1 / SSIM − 1, from the weighted mean of the scales.
  func score(_ comparison: Comparison) throws(MetricError) -> Double {
    let distance = try comparison.result(of: LabStage.self)
    return distance / max(1 - distance, .ulpOfOne)
  }
}

extension MetricTraits {
  package static let dssim = MetricTraits(
    id: "dssim", column: "dssim", title: "DSSIM", higherIsBetter: false, curveScale: .decibels, decimals: 6,
    minimumSide: 8,
    scale: Scale(targets: [0.0002, 0.001, 0.003, 0.008], headline: 0.003, band: 0.0002...0.008, lowest: 0))
}

/// The distance from 1 of DSSIM's weighted SSIM: up to five scales, each the 2 × 2 means of the previous one in linear
/// light, without an odd last row or column.
///
/// Only the reference's linear light from half size down is kept. Rows pass through both windows, and only 1 − SSIM is
/// stored.
final class LabStage: SharedStage {
  private static let weights = [0.028, 0.197, 0.322, 0.298, 0.155]
  private static let radius = Int(METRIC_DISSIMILARITY_RADIUS)

  private let tuning: MetricTuning
  private let background: Background
  private let reference: LinearRows
  private let sizes: [(width: Int, height: Int)]
  private let left: LabRows
  private let right: LabRows

  init(reference: RasterImage, background: Background, tuning: MetricTuning) throws(MetricError) {
    var sizes = [(width: reference.width, height: reference.height)]
    while let last = sizes.last, sizes.count < Self.weights.count, min(last.width, last.height) >= 8 {
      sizes.append((last.width / 2, last.height / 2))
    }
    (self.tuning, self.background, self.sizes) = (tuning, background, sizes)
    self.reference = try Self.linear(reference, background, tuning)
    left = LabRows(sizes, tuning)
    right = LabRows(sizes, tuning)
  }

  func compare(_ candidate: RasterImage) throws(MetricError) -> Double {
    left.source = reference
    right.source = try Self.linear(candidate, background, tuning)
    var (sum, weights) = (0.0, 0.0)
    for (scale, size) in sizes.enumerated() {
      sum += Self.weights[scale] * distance(scale, size)
      weights += Self.weights[scale]
    }
    return sum / weights
  }

  /// The mean of |m − SSIM| over a scale, with m the mean of SSIM to the power of 2⁻ˢᶜᵃˡᵉ.
  private func distance(_ scale: Int, _ size: (width: Int, height: Int)) -> Double {
    let map = PlanarImage(width: size.width, height: size.height, planes: 1)
    var sum = 0.0
    for tile in tiles(of: size.width, tileWidth: tuning.tileWidth) {
      for step in 0..<(size.height + 2 * Self.radius) {
        let row = step - 2 * Self.radius
        left.take(row: step, of: tile, scale)
        right.take(row: step, of: tile, scale)
        guard row >= 0 else { continue }
        sum += tuning.kernels.dissimilarity(
          left.window(row, of: size.height), right.window(row, of: size.height), tile.count,
          map.row(0, row) + tile.lowerBound)
      }
    }
    let pixels = Double(size.width * size.height)
    // The distance of m from 1, accurate even if it is small.
    let centre = -expm1(log1p(-min(sum / pixels, 1)) / Double(1 << scale))
    let deviation = (0..<size.height).reduce(0) { sum, y in
      sum + tuning.kernels.deviation(map.row(0, y), size.width, Float(centre))
    }
    return deviation / pixels
  }

  private static func linear(
    _ image: RasterImage, _ background: Background, _ tuning: MetricTuning
  ) throws(MetricError) -> LinearRows {
    try LinearRows(
      image, background: background, segmentWidth: tuning.tileWidth + 4 * radius, kernels: tuning.kernels)
  }
}

/// The latest rows of one image in L*a*b*, and the same with blurred chroma.
private final class LabRows {
  private static let radius = Int(METRIC_DISSIMILARITY_RADIUS)
  /// At least as many rows as a window covers.
  private static let kept = 8

  /// Linear light at full size.
  var source: (any SampleRows)?
  private let kernels: MetricKernels
  private let sizes: [(width: Int, height: Int)]
  /// Linear light from half size down.
  private let lights: [PlanarImage]
  private let linear: [RowSegment]
  private let lab: [RowSegment]
  private let blurred: [RowSegment]

  init(_ sizes: [(width: Int, height: Int)], _ tuning: MetricTuning) {
    (kernels, self.sizes) = (tuning.kernels, sizes)
    lights = sizes.dropFirst().map { PlanarImage(width: $0.width, height: $0.height, planes: 3) }
    let width = min(sizes[0].width, tuning.tileWidth) + 4 * Self.radius
    func rows(_ count: Int) -> [RowSegment] { (0..<count).map { _ in RowSegment(width: width) } }
    (linear, lab, blurred) = (rows(2), rows(Self.kept), rows(Self.kept))
  }

  /// Reads row `y` of a tile, if there is one, and blurs the chroma of the row whose window is then complete.
  func take(row y: Int, of tile: Range<Int>, _ scale: Int) {
    let size = sizes[scale]
    if y < size.height { read(row: y, of: tile, scale) }
    let row = y - Self.radius
    guard (0..<size.height).contains(row) else { return }
    let (rows, out) = (window(lab, row, of: size.height, from: -Self.radius), blurred[row % Self.kept])
    let count = tile.count + 2 * Self.radius
    (out.plane(0) - Self.radius).update(from: rows[Self.radius].plane.0, count: count)
    for plane in 1...2 { kernels.smooth(rows, Int32(plane), count, out.plane(plane) - Self.radius) }
  }

  /// The rows around row `y` with blurred chroma.
  func window(_ y: Int, of height: Int) -> [MetricPlanes] { window(blurred, y, of: height, from: 0) }

  private func window(_ rows: [RowSegment], _ y: Int, of height: Int, from column: Int) -> [MetricPlanes] {
    ((y - Self.radius)...(y + Self.radius)).map { near in
      // An image is mirrored beyond its edges, which here equals repeating the edge twice.
      let row = near < 0 ? -1 - near : near < height ? near : 2 * height - 1 - near
      return rows[row % Self.kept].planes(from: column)
    }
  }

  private func read(row y: Int, of tile: Range<Int>, _ scale: Int) {
    let (light, out, halo) = (linear[y % 2], lab[y % Self.kept], 2 * Self.radius)
    let columns = max(0, tile.lowerBound - halo)..<min(sizes[scale].width, tile.upperBound + halo)
    let filled = (columns.lowerBound - tile.lowerBound)..<(columns.upperBound - tile.lowerBound)
    let source: (any SampleRows)? = scale == 0 ? self.source : lights[scale - 1]
    source?.read(row: y, columns: columns, into: light, at: filled.lowerBound)
    kernels.lab(
      light.planes(from: filled.lowerBound), filled.count, out.planes(from: filled.lowerBound))
    for plane in 0..<3 {
      let cells = out.plane(plane)
      for x in 0..<(filled.lowerBound + halo) {
        cells[filled.lowerBound - 1 - x] = cells[filled.lowerBound + x]
      }
      for x in filled.upperBound..<max(filled.upperBound, tile.count + halo) {
        cells[x] = cells[2 * filled.upperBound - 1 - x]
      }
      if scale < lights.count, !y.isMultiple(of: 2) {
        kernels.halve(
          linear[0].plane(plane), light.plane(plane), tile.count / 2,
          lights[scale].row(plane, y / 2) + tile.lowerBound / 2)
      }
    }
  }
}
