import CMetricKernels

/// The Gaussian blur of SSIMULACRA2 (σ = 1.5) of one channel, tile by tile from left to right and, within a tile, from
/// top to bottom. The recursion along rows never decays, so its state is carried from tile to tile: the output is
/// bit-identical for every tile width.
final class RecursiveBlur {
  /// The number of columns to the left, or rows above, that contribute to a sample; 4 contribute from the right and
  /// below.
  static let halo = 6
  /// The number of rows that must be known below an output.
  static let rowsBelow = 4
  /// The number of rows that are blurred horizontally together.
  static let group = Int(METRIC_ROWS)

  /// The number of floats from one row to the next.
  let stride: Int
  private static let ringLength = 16
  private let kernels: MetricKernels
  private let ring: FloatBuffer
  private let zeros: FloatBuffer
  private let rowState: FloatBuffer
  private let columnState: FloatBuffer
  private let isTiled: Bool

  /// Allocates for tiles of up to `width` columns of images of up to `height` rows. An untiled image is a single tile.
  init(width: Int, height: Int, isTiled: Bool, kernels: MetricKernels) {
    (self.isTiled, self.kernels) = (isTiled, kernels)
    stride = (width + 15) / 16 * 16
    ring = FloatBuffer(count: stride * Self.ringLength)
    zeros = FloatBuffer(count: stride)
    rowState = FloatBuffer(
      count: (isTiled ? (height + Self.group - 1) / Self.group : 1) * Int(METRIC_ROW_STATE))
    columnState = FloatBuffer(count: 6 * stride)
  }

  /// Starts a tile. The first tile of an image must start at column 0.
  func start(_ tile: Range<Int>) {
    columnState.clear()
    if tile.lowerBound == 0 { rowState.clear() }
  }

  /// Blurs a group of rows horizontally. Each pointer is to the tile's first column, with `halo` columns readable
  /// around it; `width` is the image's.
  func blur(_ rows: [UnsafePointer<Float>], group: Int, tile: Range<Int>, width: Int) {
    var out = (0..<Self.group).map { slot(group * Self.group + $0) }
    // The reference implementation processes the first eight columns, and those from the seventh before the end on, one
    // by one.
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

  /// The vertical steps in which the group of rows from `first` on enters; the outputs are the rows of the previous
  /// group, or none for the first. Groups must be processed one by one, up to and including the one with row `height +
  /// 3`.
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

/// A value for each row of a group, in the form that the kernels expect.
func eachRow<Value>(_ value: (Int) -> Value) -> (Value, Value, Value, Value) {
  (value(0), value(1), value(2), value(3))
}
