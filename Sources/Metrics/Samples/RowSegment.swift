import CMetricKernels

/// Part of a row in up to three planes, with margins for filters: the unit that kernels work on.
final class RowSegment {
  /// The number of cells before the first column of the tile.
  static let margin = 16

  /// The number of floats from one plane to the next.
  let stride: Int
  private let buffer: FloatBuffer

  init(width: Int) {
    stride = (width + 15) / 16 * 16 + 3 * Self.margin
    buffer = FloatBuffer(count: stride * Int(METRIC_PLANES))
  }

  /// The cell of the tile's first column.
  func plane(_ index: Int) -> UnsafeMutablePointer<Float> {
    buffer.pointer(at: index * stride + Self.margin)
  }

  /// All planes, from `offset` columns after the tile's first (before it if negative).
  func planes(from offset: Int = 0) -> MetricPlanes {
    MetricPlanes(plane: (plane(0) + offset, plane(1) + offset, plane(2) + offset))
  }

  /// Zeroes the cells within a margin's width outside `filled`, whose columns are relative to the tile's first.
  func clearOutside(_ filled: Range<Int>, planes: Int = Int(METRIC_PLANES)) {
    for index in 0..<planes {
      let start = plane(index)
      (start - Self.margin).update(repeating: 0, count: Self.margin + min(filled.lowerBound, 0))
      (start + filled.upperBound).update(repeating: 0, count: Self.margin)
    }
  }
}

/// Splits columns into tiles of a multiple of four, which keeps pairs and groups of four together. The last tile takes
/// the rest.
func tiles(of width: Int, tileWidth: Int) -> [Range<Int>] {
  let step = max(16, tileWidth / 4 * 4)
  return stride(from: 0, to: width, by: step).map { $0..<min($0 + step, width) }
}
