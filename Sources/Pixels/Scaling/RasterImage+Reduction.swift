import CPixelKernels
import Foundation

extension RasterImage {
  /// The size with this longest side and the same proportions, each side at least 1, never larger than the image.
  package func size(fitting longestSide: Int) -> (width: Int, height: Int) {
    let longest = max(width, height)
    guard longestSide < longest, longestSide > 0 else { return (width, height) }
    let scale = Double(longestSide) / Double(longest)
    return (
      max(1, Int((Double(width) * scale).rounded())), max(1, Int((Double(height) * scale).rounded()))
    )
  }

  /// The image at a smaller size, each new pixel the mean of the area it covers, in linear light and in the image's own
  /// profile, layout and depth. Alpha weights the colours.
  ///
  /// The area mean corresponds to a coarser sensor: it never rings, and for whole factors it equals `downscaled(by:)`.
  /// Another filter may replace it, and the image may be shifted: a new pixel then shows the content `offset` new
  /// pixels to its right and below, with the outermost pixels repeated. Throws for a size that is empty or larger than
  /// the image, and for an unusable profile.
  package func reduced(
    toWidth newWidth: Int, height newHeight: Int, by filter: ReductionFilter = .area,
    movedBy offset: (x: Double, y: Double) = (0, 0)
  ) throws(PixelError) -> RasterImage {
    guard (newWidth, newHeight) != (width, height) || offset != (0, 0) else { return self }
    var column = try MovedReductions(self, width: newWidth, height: newHeight, by: filter, keepsLight: false)
      .moved(x: offset.x)
    return column.rows(0..<newHeight, y: offset.y)
  }
}

/// Weighting of the samples under a smaller pixel.
package enum ReductionFilter: Sendable, Hashable {
  /// Weighted by the area shared with the new pixel.
  case area
  /// A Lanczos window of three lobes, sharper, with halos at edges.
  case lanczos

  /// The weights of one new sample, for old samples from `first` on.
  struct Taps {
    var first: Int
    var weights: [Float]
  }

  /// The weights of every new sample, shifted by `offset` new samples; each set sums to 1. The outermost samples are
  /// repeated beyond the image.
  func taps(from old: Int, to new: Int, offset: Double = 0) -> [Taps] {
    let scale = Double(old) / Double(new)
    return (0..<new).map { index in
      let start = (Double(index) + offset) * scale
      let (middle, end) = (start + scale / 2, start + scale)
      let reach = self == .area ? scale / 2 : 3 * scale
      let wanted = Int((middle - reach).rounded(.down))..<Int((middle + reach).rounded(.up))
      let first = min(max(wanted.lowerBound, 0), old - 1)
      let last = min(max(wanted.upperBound, first + 1), old)
      var weights = [Double](repeating: 0, count: last - first)
      for sample in wanted {
        let weight =
          switch self {
          case .area: max(0, min(end, Double(sample + 1)) - max(start, Double(sample)))
          case .lanczos: Self.lanczos((Double(sample) + 0.5 - middle) / scale)
          }
        weights[min(max(sample, first), last - 1) - first] += weight
      }
      let sum = weights.reduce(0, +)
      return Taps(first: first, weights: weights.map { Float($0 / sum) })
    }
  }

  /// Returns sinc(x) · sinc(x / 3) inside three lobes.
  private static func lanczos(_ x: Double) -> Double {
    guard abs(x) < 3 else { return 0 }
    guard abs(x) > 1e-9 else { return 1 }
    let angle = Double.pi * x
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}

/// Rows of light reduced in width. Unless `keepsAll`, only the rows for the next new row are kept.
struct RowWindow {
  private let light: LinearLight
  private let across: [hb_taps]
  private let weights: [Float]
  private let keepsAll: Bool
  private var rows: [Int: [[Float]]] = [:]

  init(_ light: LinearLight, _ across: [ReductionFilter.Taps], keepsAll: Bool = false) {
    self.light = light
    self.across = across.map { hb_taps(first: UInt32($0.first), count: UInt32($0.weights.count)) }
    weights = across.flatMap(\.weights)
    self.keepsAll = keepsAll
  }

  /// Returns a new row, the weighted mean of old rows. Rows above the first of these are released.
  mutating func mean(of taps: ReductionFilter.Taps) -> LinearLight.Row {
    if !keepsAll { rows = rows.filter { $0.key >= taps.first } }
    let hasAlpha = light.image.format.layout.hasAlpha
    var sums = [[Float]](
      repeating: [Float](repeating: 0, count: across.count), count: hasAlpha ? 4 : 3)
    for (offset, weight) in taps.weights.enumerated() where weight != 0 {
      let row = reducedRow(taps.first + offset)
      for plane in sums.indices {
        sums[plane].withUnsafeMutableBufferPointer { sums in
          row[plane].withUnsafeBufferPointer { row in
            for x in sums.indices { sums[x] += weight * row[x] }
          }
        }
      }
    }
    guard hasAlpha else {
      return LinearLight.Row(planes: sums, alpha: [Float](repeating: 1, count: across.count))
    }
    return LinearLight.Row(weighted: Array(sums.prefix(3)), alpha: sums[3]) { min(max($0, 0), 1) }
  }

  /// The colours weighted by alpha, and alpha itself, each reduced in width.
  private mutating func reducedRow(_ y: Int) -> [[Float]] {
    if let known = rows[y] { return known }
    let row = light.row(y)
    let reduced =
      light.image.format.layout.hasAlpha
      ? row.planes.map { plane in reduce(zip(plane, row.alpha).map { $0 * $1 }) } + [reduce(row.alpha)]
      : row.planes.map(reduce)
    rows[y] = reduced
    return reduced
  }

  private func reduce(_ plane: [Float]) -> [Float] {
    [Float](unsafeUninitializedCapacity: across.count) { sums, count in
      count = across.count
      if let sums = sums.baseAddress { hb_weighted_sums(weights, across, count, plane, sums) }
    }
  }
}

/// Reductions of an image to one size, shifted by fractions of a new pixel, that share its light and reduced rows.
package struct MovedReductions {
  private let light: LinearLight
  private let encoder: LightEncoder
  private let filter: ReductionFilter
  private let width, height: Int
  private let keepsLight: Bool

  /// Prepares to reduce an image to `width` × `height`; takes 16 bytes per pixel of the image if it keeps the image's
  /// light.
  ///
  /// Throws for a size that is empty or larger than the image, and for an unusable profile.
  package init(
    _ image: RasterImage, width: Int, height: Int, by filter: ReductionFilter, keepsLight: Bool = true
  ) throws(PixelError) {
    guard (1...image.width).contains(width), (1...image.height).contains(height) else {
      throw PixelError(
        "cannot reduce \(image.width) × \(image.height) pixels to \(width) × \(height): only a smaller size is possible"
      )
    }
    light = keepsLight ? try LinearLight(image).kept() : try LinearLight(image)
    encoder = try LightEncoder(like: image)
    (self.width, self.height, self.filter, self.keepsLight) = (width, height, filter, keepsLight)
  }

  /// The reductions shifted by `x` new pixels to the right.
  package func moved(x: Double) -> Column {
    let across = filter.taps(from: light.image.width, to: width, offset: x)
    return Column(reductions: self, window: RowWindow(light, across, keepsAll: keepsLight))
  }

  /// Reductions with different vertical shifts that share the rows reduced in width.
  package struct Column {
    fileprivate let reductions: MovedReductions
    fileprivate var window: RowWindow
    fileprivate var down: [Double: [ReductionFilter.Taps]] = [:]

    /// Some rows of the reduction, shifted down by `y` new pixels, as in `reduced(…, movedBy:)`.
    package mutating func rows(_ rows: Range<Int>, y: Double) -> RasterImage {
      let image = reductions.light.image
      let taps =
        down[y] ?? reductions.filter.taps(from: image.height, to: reductions.height, offset: y)
      down[y] = taps
      return image.encoded(width: reductions.width, rows: rows.count) {
        reductions.encoder.encode(window.mean(of: taps[rows.lowerBound + $0]))
      }
    }
  }
}
