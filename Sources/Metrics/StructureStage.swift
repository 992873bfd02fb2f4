import BenchModel
import CMetricKernels

/// The means that SSIM and MS-SSIM are made of, scale by scale: Wang et al. (2004) on BT.601 luma with an
/// 11 × 11 Gaussian window (σ = 1.5), K1 = 0.01, K2 = 0.03, L = 255 and population covariance, over the area
/// where the whole window fits.
final class StructureStage: SharedStage {
  /// The means of one scale.
  struct Means {
    /// Of luminance × contrast × structure, which is SSIM.
    var ssim: Double
    /// Of contrast × structure alone.
    var structure: Double
  }

  /// The most scales that can be asked for.
  static let scales = 5
  private static let radius = 5
  /// (K1·L)² and (K2·L)².
  private static let (c1, c2): (Float, Float) = (2.55 * 2.55, 7.65 * 7.65)

  private let background: Background
  private let tuning: MetricTuning
  private let sizes: [(width: Int, height: Int)]
  private let ring: RowRing
  private let scratch: FloatBuffer
  private let referenceLuma: LumaRows
  /// Luma at scales 1 and up; made when a second scale is asked for.
  private var referenceLevels: [PlanarImage] = []
  private var candidateLevels: [PlanarImage] = []
  private var candidateLuma: LumaRows
  private var means: [Means] = []

  init(reference: RasterImage, background: Background, tuning: MetricTuning) {
    self.background = background
    self.tuning = tuning
    sizes = halvings(width: reference.width, height: reference.height, count: Self.scales)
    let width = min(reference.width, tuning.tileWidth)
    ring = RowRing(width: width, radius: Self.radius)
    scratch = FloatBuffer(count: 3 * (width + 48))
    referenceLuma = LumaRows(
      reference, background: background, segmentWidth: width + 2 * Self.radius, kernels: tuning.kernels)
    candidateLuma = referenceLuma
  }

  /// Makes room for scales beyond the first, and the reference's luma there.
  func prepareScales() {
    guard referenceLevels.isEmpty else { return }
    for size in sizes.dropFirst() {
      referenceLevels.append(PlanarImage(width: size.width, height: size.height, planes: 1))
      candidateLevels.append(PlanarImage(width: size.width, height: size.height, planes: 1))
    }
    var source: any RowSource = referenceLuma
    for level in referenceLevels {
      let reader = HalvingReader(source, halved: level, halo: 0, tuning: tuning)
      for tile in tiles(of: source.width, tileWidth: tuning.tileWidth) {
        for y in 0..<source.height { _ = reader.row(y, of: tile) }
      }
      source = level
    }
  }

  /// Takes the candidate; its means are computed when they are asked for.
  func compare(_ candidate: RasterImage) -> StructureStage {
    means = []
    candidateLuma = LumaRows(
      candidate, background: background,
      segmentWidth: min(candidate.width, tuning.tileWidth) + 2 * Self.radius,
      kernels: tuning.kernels)
    return self
  }

  /// The means at a scale, 0 being full size. The scale must be at least 11 pixels in both directions.
  func means(at scale: Int) -> Means {
    if scale > 0, referenceLevels.isEmpty {
      prepareScales()
      means = []
    }
    while means.count <= scale { means.append(measure(scale: means.count)) }
    return means[scale]
  }

  private func measure(scale: Int) -> Means {
    let reference: any RowSource = scale == 0 ? referenceLuma : referenceLevels[scale - 1]
    let candidate: any RowSource = scale == 0 ? candidateLuma : candidateLevels[scale - 1]
    let next = scale < candidateLevels.count ? candidateLevels[scale] : nil
    let left = HalvingReader(reference, halved: nil, halo: Self.radius, tuning: tuning)
    let right = HalvingReader(candidate, halved: next, halo: Self.radius, tuning: tuning)
    var sums = [0.0, 0.0]
    for tile in tiles(of: reference.width, tileWidth: tuning.tileWidth) {
      measure(tile, of: reference.width, height: reference.height, left, right, into: &sums)
    }
    let size = sizes[scale]
    let area = Double((size.width - 2 * Self.radius) * (size.height - 2 * Self.radius))
    return Means(ssim: sums[0] / area, structure: sums[1] / area)
  }

  private func measure(
    _ tile: Range<Int>, of width: Int, height: Int, _ left: HalvingReader, _ right: HalvingReader,
    into sums: inout [Double]
  ) {
    // The columns of this tile around which the whole window fits.
    let first = max(tile.lowerBound, Self.radius) - tile.lowerBound
    let count = min(tile.upperBound, width - Self.radius) - tile.lowerBound - first
    for y in 0..<height {
      let (a, b) = (left.row(y, of: tile), right.row(y, of: tile))
      guard count > 0 else { continue }
      tuning.kernels.windowRow(
        a.plane(0) + first, b.plane(0) + first, count, ring.stride, scratch.pointer(at: 0), ring.slot(y))
      let centre = y - Self.radius
      guard centre >= Self.radius else { continue }
      ring.withWindow(around: centre) { rows in
        tuning.kernels.windowColumns(
          rows, count, ring.stride, LumaRows.bias, Self.c1, Self.c2, &sums)
      }
    }
  }
}
