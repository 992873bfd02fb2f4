import CMetricKernels
import Pixels

/// The colour under transparent pixels.
enum Background: Int32, CaseIterable, Sendable {
  case black = 0
  case white = 1
}

/// Reads the samples of an image as opaque ones, whatever its layout and depth. Straight alpha is composited in encoded
/// values at 16 bits, as in browsers and libjxl's tool.
final class SampleReader {
  enum Run {
    case bytes(UnsafePointer<UInt8>)
    case words(UnsafePointer<UInt16>)
  }

  let image: RasterImage
  /// Channels of an opaque pixel: 1 or 3.
  let colours: Int
  let maximum: Int
  private let background: Background
  private var flattened: [UInt16] = []

  init(_ image: RasterImage, background: Background) {
    self.image = image
    self.background = background
    colours = image.format.layout.isGray ? 1 : 3
    maximum = image.format.layout.hasAlpha ? 65535 : image.format.maximum
  }

  /// Passes on the samples of `columns` of row `y`. The pointer is valid only inside `body`.
  func withRun(row y: Int, columns: Range<Int>, _ body: (Run) -> Void) {
    let start = (y * image.width + columns.lowerBound) * image.format.layout.channels
    switch image.samples {
    case .bytes(let samples):
      samples.withUnsafeBufferPointer { all in
        guard let base = all.baseAddress else { return }
        guard image.format.layout.hasAlpha else { return body(.bytes(base + start)) }
        flatten(columns.count, body) {
          metric_flatten8(base + start, columns.count, Int32(colours), background.rawValue, $0)
        }
      }
    case .words(let samples):
      samples.withUnsafeBufferPointer { all in
        guard let base = all.baseAddress else { return }
        guard image.format.layout.hasAlpha else { return body(.words(base + start)) }
        let full = UInt32(image.format.maximum)
        flatten(columns.count, body) {
          metric_flatten16(base + start, columns.count, Int32(colours), full, background.rawValue, $0)
        }
      }
    }
  }

  private func flatten(
    _ pixels: Int, _ body: (Run) -> Void, _ fill: (UnsafeMutablePointer<UInt16>) -> Void
  ) {
    let needed = pixels * colours
    if flattened.count < needed { flattened = [UInt16](repeating: 0, count: needed) }
    flattened.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      fill(base)
      body(.words(UnsafePointer(base)))
    }
  }
}

protocol SampleRows {
  var width: Int { get }
  var height: Int { get }
  /// 1 to 3.
  var planes: Int { get }

  /// Fills the planes of `segment`, from `offset` columns after its start, with `columns` of row `y`.
  func read(row y: Int, columns: Range<Int>, into segment: RowSegment, at offset: Int)
}

extension PlanarImage: SampleRows {
  func read(row y: Int, columns: Range<Int>, into segment: RowSegment, at offset: Int) {
    for index in 0..<planes {
      let from = row(index, y) + columns.lowerBound
      (segment.plane(index) + offset).update(from: from, count: columns.count)
    }
  }
}

/// Rows of an image; gray fills all three planes.
protocol ImageRows: SampleRows {
  var samples: SampleReader { get }
}

extension ImageRows {
  var width: Int { samples.image.width }
  var height: Int { samples.image.height }
  var planes: Int { 3 }
}

/// Rows of an image as planes of encoded values on an 8-bit scale (0 to 255), whatever the depth.
final class EncodedRows: ImageRows {
  let samples: SampleReader
  private let kernels: MetricKernels
  private let scale: Float

  init(_ image: RasterImage, background: Background, full: Float = 255, kernels: MetricKernels) {
    samples = SampleReader(image, background: background)
    self.kernels = kernels
    scale = full / Float(samples.maximum)
  }

  func read(row y: Int, columns: Range<Int>, into segment: RowSegment, at offset: Int) {
    let out = segment.planes(from: offset)
    let colours = Int32(samples.colours)
    samples.withRun(row: y, columns: columns) { run in
      switch run {
      case .bytes(let bytes): kernels.widen8(bytes, columns.count, colours, scale, out)
      case .words(let words): kernels.widen16(words, columns.count, colours, scale, out)
      }
    }
  }
}
