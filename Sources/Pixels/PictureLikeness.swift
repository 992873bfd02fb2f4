/// Tests whether two pictures of the same size show the same thing in the same place despite encoding, so that no file
/// is scored against another file's original.
///
/// Two comparisons of small versions, with limits tuned on the encoders' worst qualities; `docs/lab/import.md` has the
/// evidence. The first uses cells of a 64th of the longer side and correlates each cell's difference from its
/// neighbours, which fails for a different, cropped or mirrored picture. The second uses cells of a 256th and fits a
/// shift and a stretch by least squares (Lucas and Kanade, IJCAI 1981), which detects crops of a few pixels.
package struct PictureLikeness: Sendable, Hashable {
  package enum Verdict: Sendable, Hashable {
    case same
    /// Too few pixels for a verdict.
    case tooSmall
    /// A different picture, with its correlation, −1 to 1.
    case other(correlation: Double)
    /// The same picture shifted, cropped or stretched; `pixels` is the displacement at the edge.
    case moved(pixels: Double)
  }

  /// The minimum correlation of the same picture. JPEG at quality 1 of 100 has 0.81; two different pictures have at
  /// most 0.08.
  static let leastCorrelation = 0.7
  /// The largest displacement of the same picture, in 256ths of the longer side.
  static let largestMove = 0.45
  /// The detail, in 255ths, below which only large areas are compared.
  static let leastDetail = 1.0
  /// The deviation, in 255ths, below which areas count as flat.
  static let leastContrast = 2.0
  /// The largest difference between the means of two flat pictures, in 255ths.
  static let largestMeanDifference = 16.0
  /// The minimum longest side, in pixels, that gives enough cells.
  static let smallestSide = 48

  package let verdict: Verdict

  /// Compares two pictures of the same size.
  /// - Throws: `PixelError` if a colour profile is unusable.
  package init(of a: RasterImage, and b: RasterImage) throws(PixelError) {
    let longest = max(a.width, a.height)
    guard longest >= Self.smallestSide, a.width == b.width, a.height == b.height else {
      verdict = .tooSmall
      return
    }
    let side = min(64, longest / 8)
    let (coarseA, coarseB) = (try LumaGrid(a, longestSide: side), try LumaGrid(b, longestSide: side))
    let (detailA, detailB) = (coarseA.detail, coarseB.detail)
    if detailA.deviation < Self.leastDetail {
      verdict = Self.compareAreas(coarseA, coarseB)
      return
    }
    let correlation = detailA.correlation(with: detailB)
    guard correlation >= Self.leastCorrelation else {
      verdict = .other(correlation: correlation)
      return
    }
    let fine = min(256, longest / 3)
    let move = try LumaGrid(a, longestSide: fine).smooth.move(to: LumaGrid(b, longestSide: fine).smooth)
    verdict =
      move <= Self.largestMove
      ? .same : .moved(pixels: move * Double(longest) / Double(fine))
  }

  /// Compares pictures without detail: their large areas must correlate, or be flat and similar.
  private static func compareAreas(_ a: LumaGrid, _ b: LumaGrid) -> Verdict {
    if a.deviation < leastContrast {
      return abs(a.mean - b.mean) <= largestMeanDifference && b.deviation < 2 * leastContrast
        ? .same : .other(correlation: 0)
    }
    let correlation = a.correlation(with: b)
    return correlation >= leastCorrelation ? .same : .other(correlation: correlation)
  }
}

extension PictureLikeness {
  /// The turn or mirroring that makes a picture match another one; nil if none does, or none is needed. Compares the
  /// eight orientations with the first comparison above, as far as the sizes allow.
  /// - Throws: `PixelError` if a colour profile is unusable.
  package static func turn(
    of picture: RasterImage, toFit original: RasterImage
  ) throws(PixelError) -> Orientation? {
    let longest = max(original.width, original.height)
    let sizes = Set([[picture.width, picture.height], [picture.height, picture.width]])
    guard longest >= smallestSide, sizes.contains([original.width, original.height]) else { return nil }
    let side = min(64, longest / 8)
    var (known, tried) = (
      try LumaGrid(original, longestSide: side), try LumaGrid(picture, longestSide: side)
    )
    if known.detail.deviation >= leastDetail { (known, tried) = (known.detail, tried.detail) }
    var best: (orientation: Orientation, correlation: Double)?
    for orientation in Orientation.allCases {
      let size = orientation.swapsSides ? [picture.height, picture.width] : [picture.width, picture.height]
      let grid = tried.oriented(orientation)
      guard size == [original.width, original.height],
        (grid.width, grid.height) == (known.width, known.height)
      else { continue }
      let correlation = known.correlation(with: grid)
      if correlation > best?.correlation ?? leastCorrelation { best = (orientation, correlation) }
    }
    return best?.orientation == .up ? nil : best?.orientation
  }
}

/// A small version of a picture as luma from 0 to 255.
struct LumaGrid: Sendable, Hashable {
  let width: Int
  let height: Int
  let values: [Double]

  var mean: Double { values.reduce(0, +) / Double(values.count) }

  var deviation: Double {
    let mean = mean
    return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
  }

  var detail: LumaGrid { filtered { center, sum, _ in center - sum / 9 } }

  /// The cells blurred by 1-2-1 in both directions.
  var smooth: LumaGrid { filtered { _, _, weighted in weighted / 16 } }

  /// A cell; the outermost cells are repeated beyond the edges.
  private subscript(_ x: Int, _ y: Int) -> Double {
    values[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)]
  }

  private func filtered(_ combine: (_ center: Double, _ sum: Double, _ weighted: Double) -> Double)
    -> LumaGrid
  {
    var result: [Double] = []
    result.reserveCapacity(values.count)
    for y in 0..<height {
      for x in 0..<width {
        var (sum, weighted) = (0.0, 0.0)
        for dy in -1...1 {
          for dx in -1...1 {
            let value = self[x + dx, y + dy]
            sum += value
            weighted += value * Double((2 - abs(dx)) * (2 - abs(dy)))
          }
        }
        result.append(combine(self[x, y], sum, weighted))
      }
    }
    return LumaGrid(width: width, height: height, values: result)
  }

  /// The upright cells of a picture stored in `orientation`.
  func oriented(_ orientation: Orientation) -> LumaGrid {
    let (w, h) = orientation.swapsSides ? (height, width) : (width, height)
    let turned = (0..<w * h).map { index in
      let place = orientation.stored(index % w, index / w, width: width, height: height)
      return values[place.y * width + place.x]
    }
    return LumaGrid(width: w, height: h, values: turned)
  }

  /// Pearson's correlation; 0 if either is flat.
  func correlation(with other: LumaGrid) -> Double {
    let (meanA, meanB) = (mean, other.mean)
    var (ab, aa, bb) = (0.0, 0.0, 0.0)
    for (a, b) in zip(values, other.values) {
      ab += (a - meanA) * (b - meanB)
      aa += (a - meanA) * (a - meanA)
      bb += (b - meanB) * (b - meanB)
    }
    let scale = (aa * bb).squareRoot()
    return scale > 0 ? ab / scale : 0
  }

  /// The largest displacement of the edge, in cells along one axis, under the shift and stretch that turn this grid
  /// into `other`. Brightness and contrast are fitted too, so that they do not look like a displacement.
  func move(to other: LumaGrid) -> Double {
    guard width > 2, height > 2 else { return 0 }
    var normal = [[Double]](repeating: [Double](repeating: 0, count: 7), count: 6)
    let mean = (self.mean + other.mean) / 2
    for y in 1..<height - 1 {
      for x in 1..<width - 1 {
        // The gradient of the mean of both, which treats them symmetrically.
        let gx = (self[x + 1, y] - self[x - 1, y] + other[x + 1, y] - other[x - 1, y]) / 4
        let gy = (self[x, y + 1] - self[x, y - 1] + other[x, y + 1] - other[x, y - 1]) / 4
        let (u, v) = (
          2 * Double(x) / Double(width - 1) - 1, 2 * Double(y) / Double(height - 1) - 1
        )
        let row = [
          gx, gx * u, gy, gy * v, (self[x, y] + other[x, y]) / 2 - mean, 1, other[x, y] - self[x, y],
        ]
        for i in 0..<6 { for j in 0..<7 { normal[i][j] += row[i] * row[j] } }
      }
    }
    let count = Double((width - 2) * (height - 2))
    for i in 0..<6 {
      for j in 0..<7 { normal[i][j] /= count }
      // A ridge term makes directions without detail count as not moved.
      normal[i][i] += Self.ridge
    }
    let solution = Self.solve(normal)
    return max(abs(solution[0]) + abs(solution[1]), abs(solution[2]) + abs(solution[3]))
  }

  private static let ridge = 0.05

  /// Gaussian elimination for a positive definite system with the right-hand side in the last column.
  private static func solve(_ system: [[Double]]) -> [Double] {
    var rows = system
    let count = rows.count
    for pivot in 0..<count {
      for row in pivot + 1..<count {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    var solution = [Double](repeating: 0, count: count)
    for row in (0..<count).reversed() {
      let known = (row + 1..<count).reduce(0) { $0 + rows[row][$1] * solution[$1] }
      solution[row] = (rows[row][count] - known) / rows[row][row]
    }
    return solution
  }
}

extension LumaGrid {
  /// Reduces a picture to cells, over white if it has alpha.
  init(_ image: RasterImage, longestSide: Int) throws(PixelError) {
    let opaque = image.format.layout.hasAlpha ? image.flattened(on: [255, 255, 255]) : image
    let size = opaque.size(fitting: longestSide)
    let small = try opaque.reduced(toWidth: size.width, height: size.height)
    let scale = 255 / Double(small.format.maximum)
    let samples: [Double] =
      switch small.samples {
      case .bytes(let bytes): bytes.map { Double($0) * scale }
      case .words(let words): words.map { Double($0) * scale }
      }
    let channels = small.format.layout.channels
    var luma: [Double] = []
    for start in stride(from: 0, to: samples.count, by: channels) {
      guard channels >= 3 else {
        luma.append(samples[start])
        continue
      }
      // The luma weights of ITU-R BT.709.
      luma.append(0.2126 * samples[start] + 0.7152 * samples[start + 1] + 0.0722 * samples[start + 2])
    }
    self.init(width: small.width, height: small.height, values: luma)
  }
}
