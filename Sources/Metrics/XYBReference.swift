import CMetricKernels

/// The reference at one scale of SSIMULACRA 2.
struct XYBReference {
  /// X, Y and B − Y.
  let samples: PlanarImage
  /// Whether the SSIM error of each channel counts. Where its weights are 0, two of three blurs are spared.
  let needsStructure: [Bool]
  /// The blur of each channel, and its variance where the SSIM error counts. Empty when they are computed
  /// again for every candidate, which saves memory.
  private(set) var means: [PlanarImage] = []
  private(set) var variances: [PlanarImage?] = []

  /// Takes the samples; `blurs`, one per channel, are used to compute what is kept.
  init(
    _ samples: PlanarImage, needsStructure: [Bool], keepsMoments: Bool, blurs: [ReferenceBlur], tileWidth: Int
  ) {
    self.samples = samples
    self.needsStructure = needsStructure
    guard keepsMoments else { return }
    for channel in 0..<samples.planes {
      let mean = PlanarImage(width: samples.width, height: samples.height, planes: 1)
      let variance =
        needsStructure[channel] ? PlanarImage(width: samples.width, height: samples.height, planes: 1) : nil
      fill(mean, variance, channel: channel, with: blurs[channel], tileWidth: tileWidth)
      means.append(mean)
      variances.append(variance)
    }
  }

  /// The kept moments of a row, or nil when none are kept.
  func moments(channel: Int, row y: Int, from column: Int) -> ReferenceMoments? {
    guard !means.isEmpty else { return nil }
    let mean = UnsafePointer(means[channel].row(0, y) + column)
    return ReferenceMoments(
      mean: mean, variance: variances[channel].map { UnsafePointer($0.row(0, y) + column) } ?? mean)
  }

  private func fill(
    _ mean: PlanarImage, _ variance: PlanarImage?, channel: Int, with blur: ReferenceBlur, tileWidth: Int
  ) {
    for tile in tiles(of: samples.width, tileWidth: tileWidth) {
      blur.start(tile)
      for y in 0..<(samples.height + RecursiveBlur.rowsBelow) {
        let moments = blur.step(
          entering: y, of: samples, channel: channel, tile: tile, variance: variance != nil)
        let centre = y - RecursiveBlur.rowsBelow
        guard centre >= 0 else { continue }
        (mean.row(0, centre) + tile.lowerBound).update(from: moments.mean, count: tile.count)
        if let variance {
          (variance.row(0, centre) + tile.lowerBound).update(from: moments.variance, count: tile.count)
        }
      }
    }
  }
}
