import CMetricKernels

/// One scale of two images that are compared once, row by row, with nothing kept. Write a row's linear light into
/// `light`, then call `take`, from the first row of a tile to the last.
final class XYBPairScale {
  /// The two images, by their array index.
  enum Side: Int, CaseIterable {
    case reference, candidate
  }

  private struct Channel {
    /// Of the candidate and, where the SSIM error counts, of its square and its product with the reference.
    let candidate: [RecursiveBlur]
    /// Of the reference and, where the SSIM error counts, of its square.
    let reference: [RecursiveBlur]
    /// True if the SSIM error counts.
    var needsStructure: Bool { reference.count > 1 }
  }

  let width: Int
  let height: Int
  /// Sums of the error maps so far, as `ErrorNorms` takes them.
  private(set) var sums = [Double](repeating: 0, count: ErrorNorms.sumsPerScale)

  private let kernels: MetricKernels
  private let channels: [Channel]
  private let lights: [[RowSegment]]
  /// XYB of the latest rows of both: the group being blurred and the one before.
  private let rows: [[RowSegment]]
  /// The squares of both images and their product, for each row of a group.
  private let products: [RowSegment]
  private let zeros: RowSegment
  private let means: FloatBuffer
  private let variances: FloatBuffer
  private let discarded: FloatBuffer
  private var tile = 0..<0
  private var filled = 0..<0

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

  /// Starts a tile. Tiles must follow each other from left to right.
  func start(_ tile: Range<Int>) {
    self.tile = tile
    filled =
      max(
        -RecursiveBlur.halo, -tile.lowerBound)..<min(tile.count + RecursiveBlur.halo, width - tile.lowerBound)
    for channel in channels {
      for blur in channel.candidate + channel.reference { blur.start(tile) }
    }
  }

  /// The image columns that a row of the tile takes, and the offset of the first.
  var columns: (all: Range<Int>, offset: Int) {
    ((tile.lowerBound + filled.lowerBound)..<(tile.lowerBound + filled.upperBound), filled.lowerBound)
  }

  /// The place for the linear light of a row, kept until the row after the next.
  func light(_ side: Side, row y: Int) -> RowSegment { lights[side.rawValue][y % 2] }

  /// Takes a row of both images, with its light already in place.
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

  func halve(row y: Int, into smaller: XYBPairScale) {
    for side in Side.allCases {
      let out = smaller.light(side, row: y / 2)
      Halving.halve(lights[side.rawValue], row: y, width: width, kernels) { out.plane($0) }
    }
  }

  private func row(_ side: Side, _ channel: Int, _ y: Int) -> UnsafePointer<Float> {
    UnsafePointer(rows[side.rawValue][y % (2 * RecursiveBlur.group)].plane(channel))
  }

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

  /// Advances one channel by one group of rows: the one from `first` on enters, and the errors of the previous group
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
    // Rows below the image are neither counted nor read.
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
