import CMetricKernels

/// Walks over one scale of a candidate beside the reference and hands out groups of rows, ready for the error maps. Its
/// buffers serve every scale of every candidate.
final class XYBWalker {
  /// A consumer of the error map rows of a channel from `y` on.
  typealias Consumer = (_ rows: inout MetricErrorRows, _ channel: Int, _ y: Int, _ tile: Range<Int>) -> Void

  /// The blurs of one channel: of the candidate, its square, and its product with the reference.
  private struct Channel {
    let blurs: [RecursiveBlur]
    let reference: ReferenceBlur
  }

  private static let channels = 3
  private let tuning: MetricTuning
  private let channels: [Channel]
  /// The candidate's linear light, a pair of rows.
  private let light: [RowSegment]
  /// XYB of the candidate's latest rows: the group being blurred and the one before.
  private let rows: [RowSegment]
  private let products: [RowSegment]
  private let zeros: RowSegment
  private let discarded: FloatBuffer

  /// The reference's blurs, also used to prepare it.
  var referenceBlurs: [ReferenceBlur] { channels.map(\.reference) }

  init(width: Int, height: Int, tuning: MetricTuning) {
    self.tuning = tuning
    let isTiled = width > tuning.tileWidth
    let width = min(width, tuning.tileWidth)
    channels = (0..<Self.channels).map { _ in
      Channel(
        blurs: (0..<3).map { _ in
          RecursiveBlur(width: width, height: height, isTiled: isTiled, kernels: tuning.kernels)
        },
        reference: ReferenceBlur(width: width, height: height, isTiled: isTiled, tuning: tuning))
    }
    let segment = width + 2 * RecursiveBlur.halo
    light = (0..<2).map { _ in RowSegment(width: segment) }
    rows = (0..<2 * RecursiveBlur.group).map { _ in RowSegment(width: segment) }
    products = (0..<RecursiveBlur.group).map { _ in RowSegment(width: segment) }
    zeros = RowSegment(width: segment)
    discarded = FloatBuffer(count: RecursiveBlur.group * channels[0].blurs[0].stride)
  }

  /// Compares the candidate's linear light with the reference at one scale; `halved` receives the light of the next
  /// one.
  func walk(_ source: any SampleRows, halved: PlanarImage?, beside reference: XYBReference, _ body: Consumer)
  {
    let reader = HalvingReader(source, halved: halved, halo: RecursiveBlur.halo, tuning: tuning)
    for tile in tiles(of: source.width, tileWidth: tuning.tileWidth) {
      for channel in channels {
        for blur in channel.blurs { blur.start(tile) }
        channel.reference.start(tile)
      }
      for first in stride(from: 0, to: source.height + RecursiveBlur.rowsBelow, by: RecursiveBlur.group) {
        if first < source.height {
          readGroup(from: first, reader, tile, height: source.height)
          for channel in channels.indices { blurGroup(from: first, channel, reference, tile) }
        }
        for channel in channels.indices { step(entering: first, channel, reference, tile, body) }
      }
    }
  }

  private func readGroup(from first: Int, _ reader: HalvingReader, _ tile: Range<Int>, height: Int) {
    let filled = reader.filled(tile)
    for y in first..<min(first + RecursiveBlur.group, height) {
      let out = rows[y % rows.count]
      reader.read(row: y, of: tile, into: light[y % 2])
      tuning.kernels.xyb(
        light[y % 2].planes(from: filled.lowerBound), filled.count, out.planes(from: filled.lowerBound))
      out.clearOutside(filled)
    }
  }

  private func blurGroup(from first: Int, _ channel: Int, _ reference: XYBReference, _ tile: Range<Int>) {
    let halo = RecursiveBlur.halo
    let structure = reference.needsStructure[channel]
    var inputs = [[UnsafePointer<Float>]](repeating: [], count: 3)
    for index in 0..<RecursiveBlur.group {
      let y = first + index
      guard y < reference.samples.height else {
        for blur in inputs.indices { inputs[blur].append(UnsafePointer(zeros.plane(0))) }
        continue
      }
      let (a, b) = (reference.samples.row(channel, y) + tile.lowerBound, rows[y % rows.count].plane(channel))
      inputs[0].append(UnsafePointer(b))
      guard structure else { continue }
      let (square, product) = (products[index].plane(0), products[index].plane(1))
      tuning.kernels.multiply(a - halo, b - halo, tile.count + 2 * halo, square - halo, product - halo)
      inputs[1].append(UnsafePointer(square))
      inputs[2].append(UnsafePointer(product))
    }
    for blur in 0..<(structure ? 3 : 1) {
      channels[channel].blurs[blur].blur(
        inputs[blur], group: first / RecursiveBlur.group, tile: tile, width: reference.samples.width)
    }
  }

  private func step(
    entering first: Int, _ channel: Int, _ reference: XYBReference, _ tile: Range<Int>, _ body: Consumer
  ) {
    let structure = reference.needsStructure[channel]
    let (samples, blurs) = (reference.samples, channels[channel].blurs)
    let y = first - RecursiveBlur.rowsBelow
    let moments =
      reference.moments(channel: channel, row: max(y, 0), from: tile.lowerBound)
      ?? channels[channel].reference.step(
        entering: first, of: samples, channel: channel, tile: tile, variance: structure)
    guard y >= 0 else {
      for blur in blurs.prefix(structure ? 3 : 1) {
        var column = blur.column(entering: first, height: samples.height)
        tuning.kernels.recursiveColumns(&column, tile.count, blur.stride, discarded.pointer(at: 0))
      }
      return
    }
    // Rows below the image are neither counted nor read.
    let last = samples.height - 1 - y
    var group = MetricErrorRows(
      a: eachRow { UnsafePointer(samples.row(channel, y + min($0, last)) + tile.lowerBound) },
      b: eachRow { UnsafePointer(rows[(y + $0) % rows.count].plane(channel)) },
      mean: eachRow { moments.mean + min($0, last) * moments.stride },
      variance: eachRow { moments.variance + min($0, last) * moments.stride },
      blurs: (
        blurs[0].column(entering: first, height: samples.height),
        blurs[1].column(entering: first, height: samples.height),
        blurs[2].column(entering: first, height: samples.height)
      ),
      count: tile.count, stride: blurs[0].stride, rows: Int32(min(last + 1, RecursiveBlur.group)),
      structure: structure ? 1 : 0)
    body(&group, channel, y, tile)
  }
}
