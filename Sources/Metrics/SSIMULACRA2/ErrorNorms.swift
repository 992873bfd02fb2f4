/// The means and 4-norms of SSIMULACRA 2's error maps, from the finest scale to the coarsest.
struct ErrorNorms {
  /// Three maps, each as it is and to the 4th power.
  static let sumsPerChannel = 6
  static let sumsPerScale = SSIMULACRA2Weights.channels * sumsPerChannel

  private let scaleCount: Int
  private var scales: [[Double]] = []

  init(scaleCount: Int) { self.scaleCount = scaleCount }

  /// Adds a scale: per channel the sums of SSIM error, its 4th power, ringing, 4th, blurring, 4th.
  mutating func add(_ sums: [Double], pixels: Int) {
    scales.append(
      sums.enumerated().map { index, sum in
        let mean = sum / Double(pixels)
        return index.isMultiple(of: 2) ? mean : mean.squareRoot().squareRoot()
      })
  }

  var weightedSum: Double {
    var total = 0.0
    for (scale, norms) in scales.enumerated() {
      for (index, norm) in norms.enumerated() {
        let (channel, rest) = index.quotientAndRemainder(dividingBy: Self.sumsPerChannel)
        total +=
          norm
          * SSIMULACRA2Weights.weight(
            channel: channel, scale: scale, norm: rest % 2, map: rest / 2, scaleCount: scaleCount)
      }
    }
    return total
  }

  /// True if a norm of the SSIM error map has a weight other than 0.
  static func needsStructure(channel: Int, scale: Int, of scaleCount: Int) -> Bool {
    mapWeights(channel: channel, scale: scale, of: scaleCount)[0] != 0
  }

  /// The sum of the two weights of each map: how much an error there matters.
  static func mapWeights(channel: Int, scale: Int, of scaleCount: Int) -> [Float] {
    (0..<SSIMULACRA2Weights.maps).map { map in
      let weights = (0..<2).map {
        SSIMULACRA2Weights.weight(channel: channel, scale: scale, norm: $0, map: map, scaleCount: scaleCount)
      }
      return Float(weights.reduce(0, +))
    }
  }
}
