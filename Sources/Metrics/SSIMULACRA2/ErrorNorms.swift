/// The means and 4-norms of SSIMULACRA2's error maps, from the finest scale to the coarsest.
struct ErrorNorms {
  /// Three maps, each summed plainly and to the 4th power.
  static let sumsPerChannel = 6
  static let sumsPerScale = SSIMULACRA2Weights.channels * sumsPerChannel

  private let scaleCount: Int
  private var scales: [[Double]] = []

  init(scaleCount: Int) { self.scaleCount = scaleCount }

  /// Adds a scale: per channel the sums of SSIM error, ringing and blurring, each followed by that of its 4th power.
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

  /// The sum of the two weights of each map, which is how much an error there matters.
  static func mapWeights(channel: Int, scale: Int, of scaleCount: Int) -> [Float] {
    (0..<SSIMULACRA2Weights.maps).map { map in
      let weights = (0..<2).map {
        SSIMULACRA2Weights.weight(channel: channel, scale: scale, norm: $0, map: map, scaleCount: scaleCount)
      }
      return Float(weights.reduce(0, +))
    }
  }
}

/// A temporary view of the errors that SSIMULACRA2 sees, which the next comparison overwrites: one value per pixel of
/// the full-size image, never negative, 0 for no error.
///
/// The value is the sum over scales, channels and maps of the local error times the two weights of that map's norms,
/// with coarser scales repeated over the pixels they cover. The mean is not a score, but each error is proportional to
/// its weight in the score: show a map relative to its largest value or to that of another map.
package struct ErrorRows {
  private let full: PlanarImage

  /// Adds up planes that halve in size, starting at full size; nil without planes. Each plane is overwritten by its sum
  /// with the coarser ones.
  init?(_ planes: [PlanarImage]) {
    guard let full = planes.first else { return nil }
    for (coarse, fine) in zip(planes.dropFirst(), planes).reversed() { Self.add(coarse, to: fine) }
    self.full = full
  }

  package var width: Int { full.width }
  package var height: Int { full.height }

  /// The values of a row; the pointer must not outlive the view.
  package subscript(y: Int) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: full.row(0, y), count: full.width)
  }

  /// Adds each value of a plane to the up to four pixels it covers in a plane of twice the size.
  private static func add(_ coarse: PlanarImage, to fine: PlanarImage) {
    for y in 0..<fine.height {
      let (from, to) = (coarse.row(0, y / 2), fine.row(0, y))
      for x in 0..<fine.width / 2 {
        to[2 * x] += from[x]
        to[2 * x + 1] += from[x]
      }
      if fine.width % 2 == 1 { to[fine.width - 1] += from[fine.width / 2] }
    }
  }
}
