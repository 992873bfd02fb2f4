import CMetricKernels
import Pixels

/// The means behind SSIM and MS-SSIM, scale by scale: Wang et al. (2004) on BT.601 luma with an 11 × 11 Gaussian window
/// (σ = 1.5), K1 = 0.01, K2 = 0.03, L = 255 and population covariance, over the area where the whole window fits.
final class StructureStage: SharedStage {
  static let takesEncodedValues = true
  struct Means {
    /// The mean of luminance × contrast × structure, which is SSIM.
    var ssim: Double
    /// The mean of contrast × structure only.
    var structure: Double
  }

  static let scales = 5
  private static let radius = Int(METRIC_WINDOW_RADIUS)
  /// (K1·L)² and (K2·L)².
  private static let (c1, c2): (Float, Float) = (2.55 * 2.55, 7.65 * 7.65)

  private let background: Background
  private let tuning: MetricTuning
  private let sizes: [(width: Int, height: Int)]
  /// The latest rows of the reference and of the candidate.
  private let left: LumaRing
  private let right: LumaRing
  private let referenceLuma: LumaRows
  /// Luma at scales 1 and up; created when a second scale is first needed.
  private var referenceLevels: [PlanarImage] = []
  private var candidateLevels: [PlanarImage] = []
  private var candidateLuma: LumaRows
  private var means: [Means] = []

  init(reference: RasterImage, background: Background, tuning: MetricTuning) {
    self.background = background
    self.tuning = tuning
    sizes = halvings(width: reference.width, height: reference.height, count: Self.scales)
    let width = min(reference.width, tuning.tileWidth)
    left = LumaRing(width: width + 2 * Self.radius)
    right = LumaRing(width: width + 2 * Self.radius)
    referenceLuma = LumaRows(
      reference, background: background, segmentWidth: width + 2 * Self.radius, kernels: tuning.kernels)
    candidateLuma = referenceLuma
  }

  /// Allocates scales beyond the first and computes the reference's luma there.
  func prepareScales() {
    guard referenceLevels.isEmpty else { return }
    for size in sizes.dropFirst() {
      referenceLevels.append(PlanarImage(width: size.width, height: size.height, planes: 1))
      candidateLevels.append(PlanarImage(width: size.width, height: size.height, planes: 1))
    }
    var source: any SampleRows = referenceLuma
    for level in referenceLevels {
      let reader = HalvingReader(source, halved: level, halo: 0, tuning: tuning)
      for tile in tiles(of: source.width, tileWidth: tuning.tileWidth) {
        for y in 0..<source.height { reader.read(row: y, of: tile, into: left.segment(y)) }
      }
      source = level
    }
  }

  /// Sets the candidate; its means are computed on demand.
  func compare(_ candidate: RasterImage) -> StructureStage {
    means = []
    candidateLuma = LumaRows(
      candidate, background: background,
      segmentWidth: min(candidate.width, tuning.tileWidth) + 2 * Self.radius,
      kernels: tuning.kernels)
    return self
  }

  /// The means at a scale; 0 is full size. The scale must be at least 11 pixels in both directions.
  func means(at scale: Int) -> Means {
    if scale > 0, referenceLevels.isEmpty {
      prepareScales()
      means = []
    }
    while means.count <= scale { means.append(measure(scale: means.count)) }
    return means[scale]
  }

  private func measure(scale: Int) -> Means {
    let reference: any SampleRows = scale == 0 ? referenceLuma : referenceLevels[scale - 1]
    let candidate: any SampleRows = scale == 0 ? candidateLuma : candidateLevels[scale - 1]
    let next = scale < candidateLevels.count ? candidateLevels[scale] : nil
    let readers = (
      HalvingReader(reference, halved: nil, halo: Self.radius, tuning: tuning),
      HalvingReader(candidate, halved: next, halo: Self.radius, tuning: tuning)
    )
    var sums = [0.0, 0.0]
    for tile in tiles(of: reference.width, tileWidth: tuning.tileWidth) {
      measure(tile, of: sizes[scale], readers.0, readers.1, into: &sums)
    }
    let size = sizes[scale]
    let area = Double((size.width - 2 * Self.radius) * (size.height - 2 * Self.radius))
    return Means(ssim: sums[0] / area, structure: sums[1] / area)
  }

  private func measure(
    _ tile: Range<Int>, of size: (width: Int, height: Int), _ reference: HalvingReader,
    _ candidate: HalvingReader, into sums: inout [Double]
  ) {
    // The columns of this tile around which the whole window fits.
    let first = max(tile.lowerBound, Self.radius) - tile.lowerBound
    let count = min(tile.upperBound, size.width - Self.radius) - tile.lowerBound - first
    for y in 0..<size.height {
      reference.read(row: y, of: tile, into: left.segment(y))
      candidate.read(row: y, of: tile, into: right.segment(y))
      // Windows are processed four rows at a time, with the remainder at the bottom.
      let complete = y + 1 - 2 * Self.radius
      let isLast = y + 1 == size.height
      guard count > 0, complete > 0, complete.isMultiple(of: LumaRing.outputs) || isLast else { continue }
      let outputs = (complete - 1) % LumaRing.outputs + 1
      let top = complete - outputs
      left.withWindow(from: top, last: y, column: first) { a in
        right.withWindow(from: top, last: y, column: first) { b in
          tuning.kernels.structureRows(a, b, count, Int32(outputs), LumaRows.bias, Self.c1, Self.c2, &sums)
        }
      }
    }
  }
}
