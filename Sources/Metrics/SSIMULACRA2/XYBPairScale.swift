import CMetricKernels

/// One scale of two images that are compared once: their rows pass by, and nothing of them is kept.
///
/// A row's linear light is put into `light`, then `take` is called, from the first row of a tile to the last.
final class XYBPairScale {
  /// The two images, by their place in arrays.
  enum Side: Int, CaseIterable {
    case reference, candidate
  }

  /// The blurs of one channel.
  private struct Channel {
    /// Of the candidate and, where the SSIM error counts, of its square and its product with the reference.
    let candidate: [RecursiveBlur]
    /// Of the reference and, where the SSIM error counts, of its square.
    let reference: [RecursiveBlur]
    /// Whether the SSIM error counts.
    var needsStructure: Bool { reference.count > 1 }
  }

  let width: Int
  let height: Int
  /// Sums of the error maps so far, as `ErrorNorms` takes them.
  private(set) var sums = [Double](repeating: 0, count: ErrorNorms.sumsPerScale)

  private let kernels: MetricKernels
  private let channels: [Channel]
  /// Linear light of the latest two rows of both images.
  private let lights: [[RowSegment]]
  /// XYB of the latest rows of both: the group that is being blurred and the one before.
  private let rows: [[RowSegment]]
  /// For each row of a group the squares of both images and their product.
  private let products: [RowSegment]
  private let zeros: RowSegment
  private let means: FloatBuffer
  private let variances: FloatBuffer
  private let discarded: FloatBuffer
  private var tile = 0..<0
  private var filled = 0..<0

  /// Makes room for tiles of up to `tileWidth` columns of one of `scaleCount` scales.
  init(width: Int, height: Int, tileWidth: Int, scale: Int, of scaleCount: Int, kernels: MetricKernels) {
    (self.width, self.height, self.kernels) = (width, height, kernels)
    let tileWidth = min(width, tileWidth)
    let isTiled = width > tileWidth
    func blurs(_ count: Int) -> [RecursiveBlur] {
      (0..<count).map { _ in
        RecursiveBlur(width: tileWidth, height: height, isTiled: isTiled, kernels: kernels)
      }
    }
    channels = (0..<SSIMULACRA2Weights.channels).map { channel in
      let needsStructure = ErrorNorms.needsStructure(channel: channel, scale: scale, of: scaleCount)
      return Channel(candidate: blurs(needsStructure ? 3 : 1), reference: blurs(needsStructure ? 2 : 1))
    }
    func segments(_ count: Int) -> [RowSegment] {
      (0..<count).map { _ in RowSegment(width: tileWidth + 2 * RecursiveBlur.halo) }
    }
    lights = Side.allCases.map { _ in segments(2) }
    rows = Side.allCases.map { _ in segments(2 * RecursiveBlur.group) }
    products = segments(RecursiveBlur.group)
    zeros = segments(1)[0]
    let stride = channels[0].reference[0].stride
    means = FloatBuffer(count: RecursiveBlur.group * stride)
    variances = FloatBuffer(count: RecursiveBlur.group * stride)
    discarded = FloatBuffer(count: RecursiveBlur.group * stride)
    start(0..<tileWidth)
  }

  /// Starts a tile. Tiles have to follow each other from left to right.
  func start(_ tile: Range<Int>) {
    self.tile = tile
    filled =
      max(
        -RecursiveBlur.halo, -tile.lowerBound)..<min(tile.count + RecursiveBlur.halo, width - tile.lowerBound)
    for channel in channels {
      for blur in channel.candidate + channel.reference { blur.start(tile) }
    }
  }

  /// The columns of the image that a row of the tile takes, and where the first of them goes.
  var columns: (all: Range<Int>, offset: Int) {
    ((tile.lowerBound + filled.lowerBound)..<(tile.lowerBound + filled.upperBound), filled.lowerBound)
  }

  /// Where the linear light of a row belongs, which stays until the row after the next.
  func light(_ side: Side, row y: Int) -> RowSegment { lights[side.rawValue][y % 2] }

  /// Takes a row of both images, whose light is there.
  func take(row y: Int) {
    for side in Side.allCases {
      let out = rows[side.rawValue][y % (2 * RecursiveBlur.group)]
      kernels.xyb(
        light(side, row: y).planes(from: filled.lowerBound), filled.count,
        out.planes(from: filled.lowerBound))
      out.clearOutside(filled)
    }
    let first = y / RecursiveBlur.group * RecursiveBlur.group
    guard y == first + RecursiveBlur.group - 1 || y == height - 1 else { return }
    for channel in channels.indices {
      blurGroup(from: first, channel)
      step(entering: first, channel)
    }
    guard y == height - 1 else { return }
    for channel in channels.indices { step(entering: first + RecursiveBlur.group, channel) }
  }

  /// Halves the light of a row and the one above it for the next scale.
  func halve(row y: Int, into smaller: XYBPairScale) {
    for side in Side.allCases {
      let out = smaller.light(side, row: y / 2)
      Halving.halve(lights[side.rawValue], row: y, width: width, kernels) { out.plane($0) }
    }
  }

  private func row(_ side: Side, _ channel: Int, _ y: Int) -> UnsafePointer<Float> {
    UnsafePointer(rows[side.rawValue][y % (2 * RecursiveBlur.group)].plane(channel))
  }

  /// Blurs a group of rows of one channel along themselves.
  private func blurGroup(from first: Int, _ channel: Int) {
    let blurs = channels[channel]
    let zeros = UnsafePointer(zeros.plane(0))
    func blur(_ blur: RecursiveBlur, _ row: (Int) -> UnsafePointer<Float>) {
      let group = (0..<RecursiveBlur.group).map { first + $0 < height ? row($0) : zeros }
      blur.blur(group, group: first / RecursiveBlur.group, tile: tile, width: width)
    }
    blur(blurs.candidate[0]) { row(.candidate, channel, first + $0) }
    blur(blurs.reference[0]) { row(.reference, channel, first + $0) }
    guard blurs.needsStructure else { return }
    let halo = RecursiveBlur.halo
    for index in 0..<min(RecursiveBlur.group, height - first) {
      kernels.products(
        row(.reference, channel, first + index) - halo, row(.candidate, channel, first + index) - halo,
        tile.count + 2 * halo, products[index].planes(from: -halo))
    }
    blur(blurs.reference[1]) { UnsafePointer(products[$0].plane(0)) }
    blur(blurs.candidate[1]) { UnsafePointer(products[$0].plane(1)) }
    blur(blurs.candidate[2]) { UnsafePointer(products[$0].plane(2)) }
  }

  /// Takes one channel one group of rows further: the one from `first` on enters, and the errors of the group before
  /// are summed.
  private func step(entering first: Int, _ channel: Int) {
    let (candidate, reference) = (channels[channel].candidate, channels[channel].reference)
    let (y, stride) = (first - RecursiveBlur.group, candidate[0].stride)
    func advance(_ blur: RecursiveBlur, _ out: FloatBuffer) -> UnsafeMutablePointer<Float> {
      var column = blur.column(entering: first, height: height)
      kernels.recursiveColumns(&column, tile.count, stride, out.pointer(at: 0))
      return out.pointer(at: 0)
    }
    let mean = advance(reference[0], means)
    let variance = reference.count > 1 ? advance(reference[1], variances) : variances.pointer(at: 0)
    guard y >= 0 else {
      for blur in candidate { _ = advance(blur, discarded) }
      return
    }
    // Rows below the image do not count and are not read.
    let last = height - 1 - y
    let count = min(last + 1, RecursiveBlur.group)
    for row in 0..<(reference.count > 1 ? count : 0) {
      kernels.variance(mean + row * stride, tile.count, variance + row * stride)
    }
    let blurs = (0..<3).map {
      candidate[min($0, candidate.count - 1)].column(entering: first, height: height)
    }
    var group = MetricErrorRows(
      a: eachRow { row(.reference, channel, y + $0) }, b: eachRow { row(.candidate, channel, y + $0) },
      mean: eachRow { UnsafePointer(mean + $0 * stride) },
      variance: eachRow { UnsafePointer(variance + $0 * stride) }, blurs: (blurs[0], blurs[1], blurs[2]),
      count: tile.count, stride: stride, rows: Int32(count), structure: reference.count > 1 ? 1 : 0)
    sums.withUnsafeMutableBufferPointer { sums in
      guard let base = sums.baseAddress else { return }
      kernels.errorSums(&group, base + channel * ErrorNorms.sumsPerChannel)
    }
  }
}
