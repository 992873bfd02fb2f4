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
  private var parity: Int32 = 0

  /// Makes room for tiles of up to `width` columns of images of up to `height` rows.
  init(width: Int, height: Int, kernels: MetricKernels) {
    self.kernels = kernels
    stride = (width + 15) / 16 * 16
    ring = FloatBuffer(count: stride * Self.ringLength)
    zeros = FloatBuffer(count: stride)
    rowState = FloatBuffer(count: (height + 3) / 4 * Int(METRIC_ROW_STATE))
    columnState = FloatBuffer(count: 6 * stride)
  }

  /// Starts a tile. The first one of an image must start at column 0.
  func start(_ tile: Range<Int>) {
    parity = 0
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
    let state = rowState.pointer(at: group * Int(METRIC_ROW_STATE))
    rows.withUnsafeBufferPointer { rows in
      out.withUnsafeMutableBufferPointer { out in
        guard let rows = rows.baseAddress, let out = out.baseAddress else { return }
        kernels.recursiveRows(rows, out, columns, state)
      }
    }
  }

  /// The step down the columns in which row `y` enters: its output is row `y − 4`, and none while that is
  /// negative. Steps have to be taken one by one, up to and including `height + 3`.
  func column(entering y: Int, height: Int) -> MetricColumn {
    defer { parity = 1 - parity }
    let above = y - Self.rowsBelow - Self.halo
    return MetricColumn(
      top: above >= 0 ? slot(above) : zeros.pointer(at: 0),
      bottom: y < height ? slot(y) : zeros.pointer(at: 0),
      state: columnState.pointer(at: 0), parity: parity)
  }

  private func slot(_ y: Int) -> UnsafeMutablePointer<Float> {
    ring.pointer(at: y % Self.ringLength * stride)
  }
}
