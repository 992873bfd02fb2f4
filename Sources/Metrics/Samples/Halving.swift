import CMetricKernels

/// Halves samples row by row: means of 2 × 2, with the last column or row of an odd size counted twice.
enum Halving {
  /// True if a row of half size can be made after row `y`.
  static func isDue(after y: Int, height: Int) -> Bool { !y.isMultiple(of: 2) || y == height - 1 }

  /// Halves row `y` of `width` columns and the one above it, which alternate in `rows`.
  static func halve(
    _ rows: [RowSegment], row y: Int, width: Int, _ kernels: MetricKernels,
    into out: (_ plane: Int) -> UnsafeMutablePointer<Float>
  ) {
    halve(rows[0], rows[y % 2], width: width, planes: Int(METRIC_PLANES), kernels, into: out)
  }

  /// Halves `width` columns of two rows. If `width` is odd, the cell behind them must be free.
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
