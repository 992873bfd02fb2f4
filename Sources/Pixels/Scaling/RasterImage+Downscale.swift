extension RasterImage {
  /// The means of `n × n` pixels in linear light, in the image's own profile, layout and depth. Columns and rows that
  /// do not fill a whole box are dropped. Alpha weights the colours.
  ///
  /// Used for `--downscale`, where it removes the artefacts of a lossy source. Throws unless `n` is at least 1 and at
  /// most the shorter side, and for an unusable colour profile.
  package func downscaled(by n: Int) throws(PixelError) -> RasterImage {
    guard n >= 1, n <= min(width, height) else {
      throw PixelError(
        "cannot downscale \(width) × \(height) pixels by \(n): 1 to \(min(width, height)) is possible")
    }
    guard n > 1 else { return self }
    let light = try LinearLight(self)
    let encoder = try LightEncoder(like: self)
    return encoded(width: width / n, rows: height / n) { y in
      var sums = BoxSums(width: width / n, n: n)
      for row in (y * n)..<((y + 1) * n) { sums.add(light.row(row)) }
      return encoder.encode(sums.means)
    }
  }

  func encoded(width: Int, rows count: Int, _ row: (Int) -> [UInt16]) -> RasterImage {
    let samples = Samples(format, width: width, rows: count, row)
    return RasterImage(unchecked: self, width: width, height: count, format: format, samples: samples)
  }
}

extension RasterImage.Samples {
  /// Joins the samples of rows.
  init(_ format: PixelFormat, width: Int, rows count: Int, _ row: (Int) -> [UInt16]) {
    func joined<Sample: FixedWidthInteger>() -> [Sample] {
      var samples: [Sample] = []
      samples.reserveCapacity(width * count * format.layout.channels)
      for y in 0..<count { samples += row(y).lazy.map { Sample(truncatingIfNeeded: $0) } }
      return samples
    }
    self = format.bitDepth == 8 ? .bytes(joined()) : .words(joined())
  }
}

/// Sums of boxes of `n` × `n` pixels. The last column of a row is repeated beyond the edge.
struct BoxSums {
  private let width, n: Int
  private var planes: [[Float]]
  private var coverage: [Float]

  init(width: Int, n: Int) {
    (self.width, self.n) = (width, n)
    planes = [[Float]](repeating: [Float](repeating: 0, count: width), count: 3)
    coverage = [Float](repeating: 0, count: width)
  }

  mutating func add(_ row: LinearLight.Row) {
    let last = row.alpha.count - 1
    for cell in 0..<width {
      for x in (cell * n)..<((cell + 1) * n) { coverage[cell] += row.alpha[min(x, last)] }
    }
    for index in planes.indices {
      for cell in 0..<width {
        for x in (cell * n)..<((cell + 1) * n) {
          planes[index][cell] += row.alpha[min(x, last)] * row.planes[index][min(x, last)]
        }
      }
    }
  }

  /// The boxes' means, with colours weighted by alpha.
  var means: LinearLight.Row {
    LinearLight.Row(weighted: planes, alpha: coverage) { $0 / Float(n * n) }
  }
}

extension LinearLight.Row {
  /// Creates a row from colours weighted by alpha; `coverage` converts the weights to alpha.
  init(weighted planes: [[Float]], alpha: [Float], coverage: (Float) -> Float) {
    self.planes = planes.map { plane in
      plane.indices.map { alpha[$0] > 0 ? plane[$0] / alpha[$0] : plane[$0] }
    }
    self.alpha = alpha.map(coverage)
  }
}

extension RasterImage {
  /// Nearest-neighbour subsampling: the middle of every `factor × factor` pixels. Almost free, and good enough for
  /// thumbnails but not for measuring. `factor` is clamped to 1 and the shorter side.
  package func subsampled(by factor: Int) -> RasterImage {
    let factor = max(1, min(factor, min(width, height)))
    guard factor > 1 else { return self }
    let subsampling = Subsampling(
      factor: factor, rowLength: self.width, width: width / factor, height: height / factor,
      channels: format.layout.channels)
    return transformed(subsampling, width: subsampling.width, height: subsampling.height)
  }
}

private struct Subsampling: SampleTransform {
  let factor, rowLength, width, height, channels: Int

  func apply<Sample>(_ samples: [Sample]) -> [Sample] {
    var result: [Sample] = []
    result.reserveCapacity(width * height * channels)
    for y in 0..<height {
      for x in 0..<width {
        let pixel = (y * factor + factor / 2) * rowLength + x * factor + factor / 2
        result += samples[(pixel * channels)..<((pixel + 1) * channels)]
      }
    }
    return result
  }
}
