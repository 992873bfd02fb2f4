import CMetricKernels

/// What SSIMULACRA 2 knows of one channel of the reference beside its samples: its blur, and the blur of its
/// square less the square of its blur.
struct ReferenceMoments {
  let mean: UnsafePointer<Float>
  let variance: UnsafePointer<Float>
}

/// Computes the moments of one channel, tile by tile.
final class ReferenceBlur {
  private let kernels: MetricKernels
  private let means: RecursiveBlur
  private let squares: RecursiveBlur
  private let scratch: [RowSegment]
  private let meanRow: FloatBuffer
  private let varianceRow: FloatBuffer
  private let zeros: RowSegment

  init(width: Int, height: Int, tuning: MetricTuning) {
    kernels = tuning.kernels
    means = RecursiveBlur(width: width, height: height, kernels: kernels)
    squares = RecursiveBlur(width: width, height: height, kernels: kernels)
    scratch = (0..<RecursiveBlur.group).map { _ in RowSegment(width: width + 2 * RecursiveBlur.halo) }
    zeros = RowSegment(width: width + 2 * RecursiveBlur.halo)
    meanRow = FloatBuffer(count: means.stride)
    varianceRow = FloatBuffer(count: means.stride)
  }

  func start(_ tile: Range<Int>) {
    means.start(tile)
    squares.start(tile)
  }

  /// Takes the moments one row further: `y` enters. The result belongs to row `y − 4` and is good until the
  /// next call.
  func step(
    entering y: Int, of image: PlanarImage, channel: Int, tile: Range<Int>, variance: Bool
  ) -> ReferenceMoments {
    if y < image.height, y.isMultiple(of: RecursiveBlur.group) {
      blurGroup(y / RecursiveBlur.group, of: image, channel: channel, tile: tile, variance: variance)
    }
    var column = means.column(entering: y, height: image.height)
    kernels.recursiveColumns(&column, tile.count, means.stride, meanRow.pointer(at: 0))
    if variance {
      column = squares.column(entering: y, height: image.height)
      kernels.recursiveColumns(&column, tile.count, means.stride, varianceRow.pointer(at: 0))
      kernels.variance(meanRow.pointer(at: 0), tile.count, varianceRow.pointer(at: 0))
    }
    return ReferenceMoments(mean: meanRow.pointer(at: 0), variance: varianceRow.pointer(at: 0))
  }

  private func blurGroup(
    _ group: Int, of image: PlanarImage, channel: Int, tile: Range<Int>, variance: Bool
  ) {
    let rows = (0..<RecursiveBlur.group).map { group * RecursiveBlur.group + $0 }
    let samples = rows.map { y in
      UnsafePointer(y < image.height ? image.row(channel, y) + tile.lowerBound : zeros.plane(0))
    }
    means.blur(samples, group: group, tile: tile, width: image.width)
    guard variance else { return }
    let halo = RecursiveBlur.halo
    for (sample, segment) in zip(samples, scratch) {
      kernels.multiply(
        sample - halo, sample - halo, tile.count + 2 * halo, segment.plane(0) - halo, segment.plane(1) - halo)
    }
    squares.blur(scratch.map { UnsafePointer($0.plane(0)) }, group: group, tile: tile, width: image.width)
  }
}
