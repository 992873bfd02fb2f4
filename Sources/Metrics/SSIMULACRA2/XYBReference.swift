import CMetricKernels

/// The reference at one scale of SSIMULACRA 2.
struct XYBReference {
  /// X, Y and B − Y.
  let samples: PlanarImage
  /// True for channels whose SSIM error counts. Zero weights spare two of three blurs.
  let needsStructure: [Bool]
  /// The blur and variance of each channel whose SSIM error counts. To save memory, the others (one more blur each) and
  /// all channels of large images are computed again for every candidate.
  private var moments: [(mean: PlanarImage, variance: PlanarImage)?] = []

  /// Takes the samples; `blurs`, one per channel, compute the moments to keep.
  init(
    _ samples: PlanarImage, needsStructure: [Bool], keepsMoments: Bool, blurs: [ReferenceBlur], tileWidth: Int
  ) {
    self.samples = samples
    self.needsStructure = needsStructure
    moments = needsStructure.map { isNeeded in
      guard keepsMoments, isNeeded else { return nil }
      return (
        PlanarImage(width: samples.width, height: samples.height, planes: 1),
        PlanarImage(width: samples.width, height: samples.height, planes: 1)
      )
    }
    for channel in moments.indices { fill(channel, with: blurs[channel], tileWidth: tileWidth) }
  }

  /// The kept moments from a row on; nil if none are kept.
  func moments(channel: Int, row y: Int, from column: Int) -> ReferenceMoments? {
    guard let kept = moments[channel] else { return nil }
    return ReferenceMoments(
      mean: UnsafePointer(kept.mean.row(0, y) + column),
      variance: UnsafePointer(kept.variance.row(0, y) + column), stride: kept.mean.stride)
  }

  private func fill(_ channel: Int, with blur: ReferenceBlur, tileWidth: Int) {
    guard let kept = moments[channel] else { return }
    for tile in tiles(of: samples.width, tileWidth: tileWidth) {
      blur.start(tile)
      for first in stride(from: 0, to: samples.height + RecursiveBlur.rowsBelow, by: RecursiveBlur.group) {
        let moments = blur.step(entering: first, of: samples, channel: channel, tile: tile, variance: true)
        for row in 0..<RecursiveBlur.group {
          let y = first - RecursiveBlur.rowsBelow + row
          guard (0..<samples.height).contains(y) else { continue }
          let at = row * moments.stride
          (kept.mean.row(0, y) + tile.lowerBound).update(from: moments.mean + at, count: tile.count)
          (kept.variance.row(0, y) + tile.lowerBound).update(from: moments.variance + at, count: tile.count)
        }
      }
    }
  }
}
