import CMetricKernels

/// The blur of a group of rows of one reference channel, and the blur of its square minus the square of its blur.
struct ReferenceMoments {
  let mean: UnsafePointer<Float>
  let variance: UnsafePointer<Float>
  /// Floats from one row to the next.
  let stride: Int
}

final class ReferenceBlur {
  private let kernels: MetricKernels
  private let means: RecursiveBlur
  private let squares: RecursiveBlur
  private let scratch: [RowSegment]
  private let meanRows: FloatBuffer
  private let varianceRows: FloatBuffer
  private let zeros: RowSegment

  init(width: Int, height: Int, isTiled: Bool, tuning: MetricTuning) {
    kernels = tuning.kernels
    means = RecursiveBlur(width: width, height: height, isTiled: isTiled, kernels: kernels)
    squares = RecursiveBlur(width: width, height: height, isTiled: isTiled, kernels: kernels)
    scratch = (0..<RecursiveBlur.group).map { _ in RowSegment(width: width + 2 * RecursiveBlur.halo) }
    zeros = RowSegment(width: width + 2 * RecursiveBlur.halo)
    meanRows = FloatBuffer(count: RecursiveBlur.group * means.stride)
    varianceRows = FloatBuffer(count: RecursiveBlur.group * means.stride)
  }

  func start(_ tile: Range<Int>) {
    means.start(tile)
    squares.start(tile)
  }

  /// Advances by one group of rows: the one from `first` on enters. The result is for the previous group and valid
  /// until the next call.
  func step(
    entering first: Int, of image: PlanarImage, channel: Int, tile: Range<Int>, variance: Bool
  ) -> ReferenceMoments {
    if first < image.height {
      blurGroup(first / RecursiveBlur.group, of: image, channel: channel, tile: tile, variance: variance)
    }
    let (mean, square) = (meanRows.pointer(at: 0), varianceRows.pointer(at: 0))
    var column = means.column(entering: first, height: image.height)
    kernels.recursiveColumns(&column, tile.count, means.stride, mean)
    if variance {
      column = squares.column(entering: first, height: image.height)
      kernels.recursiveColumns(&column, tile.count, means.stride, square)
      for row in 0..<RecursiveBlur.group {
        kernels.variance(mean + row * means.stride, tile.count, square + row * means.stride)
      }
    }
    return ReferenceMoments(mean: mean, variance: square, stride: means.stride)
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
