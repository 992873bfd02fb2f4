import Pixels
import Synchronization

/// The error means of SSIMULACRA2 for one candidate, equal to those of `XYBStage`, but without a prepared reference:
/// both images are read row by row, and memory does not grow with their height.
///
/// The largest scale (three quarters of the work) and the others read the images separately, so that two threads can
/// share the work; the only cost is a second sRGB table lookup.
final class XYBPair: SharedStage {
  private let reference: RasterImage
  private let background: Background
  private let tuning: MetricTuning

  init(reference: RasterImage, background: Background, tuning: MetricTuning) throws(MetricError) {
    (self.reference, self.background, self.tuning) = (reference, background, tuning)
  }

  func compare(_ candidate: RasterImage) throws(MetricError) -> ErrorNorms {
    let sizes = XYBStage.sizes(width: reference.width, height: reference.height)
    let walk = PairWalk(
      images: [reference, candidate], sizes: sizes, background: background, tuning: tuning)
    let smaller = Mutex(Swift.Result<[[Double]], MetricError>.success([]))
    let walkSmaller = { @Sendable in
      let result: Swift.Result<[[Double]], MetricError> = Swift.Result { () throws(MetricError) in
        try walk.smallerScales()
      }
      smaller.withLock { $0 = result }
    }
    let wait = tuning.beside.map { $0(walkSmaller) }
    let largest = try walk.largestScale()
    if let wait { wait() } else { walkSmaller() }
    var norms = ErrorNorms(scaleCount: sizes.count)
    let all = [largest] + (try smaller.withLock { $0 }.get())
    for (sums, size) in zip(all, sizes) { norms.add(sums, pixels: size.width * size.height) }
    return norms
  }
}

private struct PairWalk: Sendable {
  let images: [RasterImage]
  let sizes: [(width: Int, height: Int)]
  let background: Background
  let tuning: MetricTuning

  func largestScale() throws(MetricError) -> [Double] {
    let scale = scale(0, tileWidth: tuning.tileWidth)
    let sources = try sources(segmentWidth: tuning.tileWidth + 2 * RecursiveBlur.halo)
    for tile in tiles(of: scale.width, tileWidth: tuning.tileWidth) {
      scale.start(tile)
      let (columns, offset) = scale.columns
      for y in 0..<scale.height {
        for (side, source) in zip(XYBScale.Side.allCases, sources) {
          source.read(row: y, columns: columns, into: scale.light(side, row: y), at: offset)
        }
        scale.take(row: y)
      }
    }
    return scale.sums
  }

  /// The sums of all scales but the largest. Each scale takes rows from the previous one as soon as they are complete.
  func smallerScales() throws(MetricError) -> [[Double]] {
    guard sizes.count > 1 else { return [] }
    let (width, height) = sizes[0]
    let scales = (1..<sizes.count).map { scale($0, tileWidth: sizes[$0].width) }
    let sources = try sources(segmentWidth: width)
    let light = sources.map { _ in (0..<2).map { _ in RowSegment(width: width) } }
    for y in stride(from: 0, to: height, by: 2) {
      let last = min(y + 1, height - 1)
      for (place, side) in XYBScale.Side.allCases.enumerated() {
        let (source, light, out) = (sources[place], light[place], scales[0].light(side, row: y / 2))
        if source.readHalved(y, last, into: out) { continue }
        for row in y...last { source.read(row: row, columns: 0..<width, into: light[row % 2], at: 0) }
        Halving.halve(light, row: last, width: width, tuning.kernels) { out.plane($0) }
      }
      take(row: y / 2, scales[...])
    }
    return scales.map(\.sums)
  }

  /// Passes a row to a scale and, halved, to the scales after it.
  private func take(row y: Int, _ scales: ArraySlice<XYBScale>) {
    guard let scale = scales.first else { return }
    if let smaller = scales.dropFirst().first, Halving.isDue(after: y, height: scale.height) {
      scale.halve(row: y, into: smaller)
      take(row: y / 2, scales.dropFirst())
    }
    scale.take(row: y)
  }

  private func scale(_ index: Int, tileWidth: Int) -> XYBScale {
    XYBScale(
      width: sizes[index].width, height: sizes[index].height, tileWidth: tileWidth, scale: index,
      of: sizes.count, kernels: tuning.kernels)
  }

  private func sources(segmentWidth: Int) throws(MetricError) -> [LinearRows] {
    var sources: [LinearRows] = []
    for image in images {
      sources.append(
        try LinearRows(
          image, background: background, segmentWidth: segmentWidth, kernels: tuning.kernels))
    }
    return sources
  }
}
