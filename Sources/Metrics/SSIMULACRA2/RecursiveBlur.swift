import CMetricKernels

/// The Gaussian blur of SSIMULACRA 2 (σ = 1.5) of one channel, tile by tile from left to right and, within a
/// tile, from top to bottom.
///
/// The recursion along the rows never decays, so its state is carried from tile to tile: what comes out is
/// bit for bit the same for every tile width.
final class RecursiveBlur {
  /// How many columns to the left, or rows above, enter with a sample; 4 to the right and below do.
  static let halo = 6
  /// Rows that have to be known below an output.
  static let rowsBelow = 4
  /// Rows that are blurred along themselves together.
  static let group = Int(METRIC_ROWS)

  /// Floats from one row to the next.
  let stride: Int
  private static let ringLength = 16
  private let kernels: MetricKernels
  private let ring: FloatBuffer
  private let zeros: FloatBuffer
  private let rowState: FloatBuffer
  private let columnState: FloatBuffer
  /// Whether rows go on in another tile.
  private let isTiled: Bool

  /// Makes room for tiles of up to `width` columns of images of up to `height` rows. An image that is not tiled has
  /// one tile, all of it.
  init(width: Int, height: Int, isTiled: Bool, kernels: MetricKernels) {
    (self.isTiled, self.kernels) = (isTiled, kernels)
    stride = (width + 15) / 16 * 16
    ring = FloatBuffer(count: stride * Self.ringLength)
    zeros = FloatBuffer(count: stride)
    rowState = FloatBuffer(
      count: (isTiled ? (height + Self.group - 1) / Self.group : 1) * Int(METRIC_ROW_STATE))
    columnState = FloatBuffer(count: 6 * stride)
  }

  /// Starts a tile. The first one of an image must start at column 0.
  func start(_ tile: Range<Int>) {
    columnState.clear()
    if tile.lowerBound == 0 { rowState.clear() }
  }

  /// Blurs a group of rows of an image of `width` columns along themselves: each pointer is to the tile's
  /// first column, with `halo` columns readable around it.
  func blur(_ rows: [UnsafePointer<Float>], group: Int, tile: Range<Int>, width: Int) {
    var out = (0..<Self.group).map { slot(group * Self.group + $0) }
    // The reference takes the first eight columns, and from the seventh before the end on, one by one.
    let columns = MetricColumns(
      from: tile.lowerBound == 0 ? -Self.rowsBelow : 0, to: tile.count, foursFrom: 8 - tile.lowerBound,
      foursTo: width - 7 - tile.lowerBound)
    if !isTiled { rowState.clear() }
    let state = rowState.pointer(at: isTiled ? group * Int(METRIC_ROW_STATE) : 0)
    rows.withUnsafeBufferPointer { rows in
      out.withUnsafeMutableBufferPointer { out in
        guard let rows = rows.baseAddress, let out = out.baseAddress else { return }
        kernels.recursiveRows(rows, out, columns, state)
      }
    }
  }

  /// The steps down the columns in which the group of rows from `first` on enters: the outputs are the rows
  /// of the group before, and none for the first one. Groups have to be taken one by one, up to and including
  /// the one with row `height + 3`.
  func column(entering first: Int, height: Int) -> MetricColumn {
    let above = first - Self.rowsBelow - Self.halo
    return MetricColumn(
      top: eachRow {
        above + $0 >= 0 ? UnsafePointer(slot(above + $0)) : UnsafePointer(zeros.pointer(at: 0))
      },
      bottom: eachRow {
        first + $0 < height ? UnsafePointer(slot(first + $0)) : UnsafePointer(zeros.pointer(at: 0))
      },
      state: columnState.pointer(at: 0))
  }

  private func slot(_ y: Int) -> UnsafeMutablePointer<Float> {
    ring.pointer(at: y % Self.ringLength * stride)
  }
}

/// A value for each row of a group, as the kernels take them.
func eachRow<Value>(_ value: (Int) -> Value) -> (Value, Value, Value, Value) {
  (value(0), value(1), value(2), value(3))
}
