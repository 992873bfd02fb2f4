import CMetricKernels

/// One scale of two images, compared row by row from the first row of a tile to the last: write a row's linear light
/// into `light`, then call `take`. The reference is either prepared for many candidates, or comes with the candidate
/// and is not kept.
final class XYBScale {
  /// The two images, by their array index.
  enum Side: Int, CaseIterable {
    case reference, candidate
  }

  private struct Channel {
    /// Blurs of the candidate and, if the SSIM error counts, of its square and its product with the reference.
    let candidate: [RecursiveBlur]
    /// Blurs of the reference and, if the SSIM error counts, of its square; empty once `moments` are kept.
    var reference: [RecursiveBlur]
    /// The reference's blur, and the blur of its square minus the square of its blur. To save memory, channels without
    /// an SSIM error that counts, and all channels of large images, compute them again for every candidate.
    var moments: (mean: PlanarImage, variance: PlanarImage)?
    /// Weights of the error maps, for `plane`.
    let weights: [Float]
    /// True if the SSIM error counts. Zero weights save two of three blurs.
    var needsStructure: Bool { candidate.count > 1 }
  }

  let width: Int
  let height: Int
  /// Sums of the error maps so far, in the form that `ErrorNorms` expects.
  private(set) var sums = [Double](repeating: 0, count: ErrorNorms.sumsPerScale)

  /// X, Y and B − Y of a prepared reference; nil if the reference's light comes with the candidate's.
  private let samples: PlanarImage?
  private let kernels: MetricKernels
  private var channels: [Channel] = []
  /// Receives the weighted sum of the three maps of every channel.
  private var plane: PlanarImage?
  private let sides: [Side]
  private let lights: [[RowSegment]]
  /// XYB of the latest rows: the group being blurred and the previous one.
  private let rows: [[RowSegment]]
  /// The squares of both images and their product, for each row of a group.
  private let products: [RowSegment]
  private let zeros: RowSegment
  /// The number of floats from one row of a group to the next.
  private let stride: Int
  private let means: FloatBuffer
  private let variances: FloatBuffer
  private var tile = 0..<0
  private var filled = 0..<0

  /// - Parameter keepsMoments: True to compute the prepared reference's blurs only once.
  init(
    width: Int, height: Int, tileWidth: Int, scale: Int, of scaleCount: Int, kernels: MetricKernels,
    samples: PlanarImage? = nil, keepsMoments: Bool = false
  ) {
    (self.width, self.height, self.kernels, self.samples) = (width, height, kernels, samples)
    let ownWidth = min(width, tileWidth)
    let sides = samples == nil ? Side.allCases : [.candidate]
    func segments(_ count: Int) -> [RowSegment] {
      (0..<count).map { _ in RowSegment(width: ownWidth + 2 * RecursiveBlur.halo) }
    }
    func blurs(_ count: Int) -> [RecursiveBlur] {
      (0..<count).map { _ in
        RecursiveBlur(width: ownWidth, height: height, isTiled: width > ownWidth, kernels: kernels)
      }
    }
    self.sides = sides
    lights = Side.allCases.map { segments(sides.contains($0) ? 2 : 0) }
    rows = Side.allCases.map { segments(sides.contains($0) ? 2 * RecursiveBlur.group : 0) }
    products = segments(RecursiveBlur.group)
    zeros = segments(1)[0]
    let all = (0..<SSIMULACRA2Weights.channels).map { channel in
      let needsStructure = ErrorNorms.needsStructure(channel: channel, scale: scale, of: scaleCount)
      return Channel(
        candidate: blurs(needsStructure ? 3 : 1), reference: blurs(needsStructure ? 2 : 1),
        weights: ErrorNorms.mapWeights(channel: channel, scale: scale, of: scaleCount))
    }
    stride = all[0].candidate[0].stride
    means = FloatBuffer(count: RecursiveBlur.group * stride)
    variances = FloatBuffer(count: RecursiveBlur.group * stride)
    channels = all
    if keepsMoments { keepMoments(tileWidth: tileWidth) }
    start(0..<ownWidth)
  }

  /// Starts with another candidate; `plane`, filled with zeros, receives its errors.
  func begin(plane: PlanarImage?) {
    self.plane = plane
    for index in sums.indices { sums[index] = 0 }
  }

  /// Starts a tile. Tiles must follow each other from left to right.
  func start(_ tile: Range<Int>) {
    self.tile = tile
    let right = min(tile.count + RecursiveBlur.halo, width - tile.lowerBound)
    filled = max(-RecursiveBlur.halo, -tile.lowerBound)..<right
    for channel in channels {
      for blur in channel.candidate + channel.reference { blur.start(tile) }
    }
  }

  /// The image columns that a row of the tile reads, and the offset of the first.
  var columns: (all: Range<Int>, offset: Int) {
    ((tile.lowerBound + filled.lowerBound)..<(tile.lowerBound + filled.upperBound), filled.lowerBound)
  }

  /// The place for the linear light of a row, kept until the row after the next.
  func light(_ side: Side, row y: Int) -> RowSegment { lights[side.rawValue][y % 2] }

  /// Processes a row whose light has been written.
  func take(row y: Int) {
    for side in sides {
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

  func halve(row y: Int, into smaller: XYBScale) {
    for side in sides {
      let out = smaller.light(side, row: y / 2)
      Halving.halve(lights[side.rawValue], row: y, width: width, kernels) { out.plane($0) }
    }
  }

  /// A row of the tile; the last row also serves as the rows below a prepared image.
  private func row(_ side: Side, _ channel: Int, _ y: Int) -> UnsafePointer<Float> {
    if side == .reference, let samples {
      return UnsafePointer(samples.row(channel, min(y, height - 1)) + tile.lowerBound)
    }
    return UnsafePointer(rows[side.rawValue][y % (2 * RecursiveBlur.group)].plane(channel))
  }

  /// Blurs a group of rows horizontally; with a prepared reference, only the candidate's rows.
  private func blurGroup(from first: Int, _ channel: Int, beside side: Side = .candidate) {
    let (candidate, reference) = (channels[channel].candidate, channels[channel].reference)
    let (count, zeros, halo) = (
      min(RecursiveBlur.group, height - first), UnsafePointer(zeros.plane(0)), RecursiveBlur.halo
    )
    func blur(_ blur: RecursiveBlur, _ row: (Int) -> UnsafePointer<Float>) {
      let group = (0..<RecursiveBlur.group).map { $0 < count ? row($0) : zeros }
      blur.blur(group, group: first / RecursiveBlur.group, tile: tile, width: width)
    }
    if let own = reference.first { blur(own) { row(.reference, channel, first + $0) } }
    if side == .candidate { blur(candidate[0]) { row(.candidate, channel, first + $0) } }
    guard channels[channel].needsStructure else { return }
    for index in 0..<count {
      let (a, b) = (row(.reference, channel, first + index) - halo, row(side, channel, first + index) - halo)
      let (out, columns) = (products[index].planes(from: -halo), tile.count + 2 * halo)
      if reference.isEmpty {
        kernels.multiply(a, b, columns, out.plane.1, out.plane.2)
      } else {
        kernels.products(a, b, columns, out)
      }
    }
    func blurProducts(_ own: RecursiveBlur, _ plane: Int) {
      blur(own) { UnsafePointer(products[$0].plane(plane)) }
    }
    if reference.count > 1 { blurProducts(reference[1], 0) }
    guard side == .candidate else { return }
    for plane in 1...2 { blurProducts(candidate[plane], plane) }
  }

  private func advance(
    _ blur: RecursiveBlur, entering first: Int, _ out: FloatBuffer
  ) -> UnsafeMutablePointer<Float> {
    var column = blur.column(entering: first, height: height)
    kernels.recursiveColumns(&column, tile.count, stride, out.pointer(at: 0))
    return out.pointer(at: 0)
  }

  /// The reference's mean and variance of the previous group of rows, valid until the next call.
  private func moments(
    entering first: Int, _ channel: Int
  ) -> (mean: UnsafeMutablePointer<Float>, variance: UnsafeMutablePointer<Float>) {
    let reference = channels[channel].reference
    let mean = advance(reference[0], entering: first, means)
    guard reference.count > 1 else { return (mean, variances.pointer(at: 0)) }
    let variance = advance(reference[1], entering: first, variances)
    for row in 0..<RecursiveBlur.group {
      kernels.variance(mean + row * stride, tile.count, variance + row * stride)
    }
    return (mean, variance)
  }

  private func keepMoments(tileWidth: Int) {
    for channel in channels.indices where channels[channel].needsStructure {
      let kept = (
        mean: PlanarImage(width: width, height: height, planes: 1),
        variance: PlanarImage(width: width, height: height, planes: 1)
      )
      for tile in tiles(of: width, tileWidth: tileWidth) {
        start(tile)
        for first in Swift.stride(from: 0, to: height + RecursiveBlur.rowsBelow, by: RecursiveBlur.group) {
          if first < height { blurGroup(from: first, channel, beside: .reference) }
          let (mean, variance) = moments(entering: first, channel)
          for row in 0..<RecursiveBlur.group {
            let y = first - RecursiveBlur.rowsBelow + row
            guard (0..<height).contains(y) else { continue }
            (kept.mean.row(0, y) + tile.lowerBound).update(from: mean + row * stride, count: tile.count)
            (kept.variance.row(0, y) + tile.lowerBound).update(
              from: variance + row * stride, count: tile.count)
          }
        }
      }
      (channels[channel].moments, channels[channel].reference) = (kept, [])
    }
  }

  /// Advances one channel by one group of rows: the group from `first` on enters, and the errors of the previous group
  /// are summed.
  private func step(entering first: Int, _ channel: Int) {
    let own = channels[channel]
    let (y, last) = (first - RecursiveBlur.rowsBelow, height - 1 - first + RecursiveBlur.rowsBelow)
    let buffers = own.moments == nil ? moments(entering: first, channel) : nil
    guard y >= 0 else {
      for blur in own.candidate { _ = advance(blur, entering: first, variances) }
      return
    }
    func moment(_ buffer: UnsafeMutablePointer<Float>?, _ kept: PlanarImage?, _ row: Int) -> UnsafePointer<
      Float
    > {
      if let kept { return UnsafePointer(kept.row(0, y + min(row, last)) + tile.lowerBound) }
      return UnsafePointer((buffer ?? variances.pointer(at: 0)) + row * stride)
    }
    let blurs = (0..<3).map {
      own.candidate[min($0, own.candidate.count - 1)].column(entering: first, height: height)
    }
    // Rows below the image are neither counted nor read.
    var group = MetricErrorRows(
      a: eachRow { row(.reference, channel, y + $0) }, b: eachRow { row(.candidate, channel, y + $0) },
      mean: eachRow { moment(buffers?.mean, own.moments?.mean, $0) },
      variance: eachRow { moment(buffers?.variance, own.moments?.variance, $0) },
      blurs: (blurs[0], blurs[1], blurs[2]), count: tile.count, stride: stride,
      rows: Int32(min(last + 1, RecursiveBlur.group)), structure: own.needsStructure ? 1 : 0)
    sums.withUnsafeMutableBufferPointer { sums in
      guard let base = sums.baseAddress else { return }
      let sums = base + channel * ErrorNorms.sumsPerChannel
      guard let plane else { return kernels.errorSums(&group, sums) }
      let out = (0..<Int(group.rows)).map { plane.row(0, y + $0) + tile.lowerBound }
      kernels.errorSumsAndPixels(&group, sums, own.weights, out)
    }
  }
}
