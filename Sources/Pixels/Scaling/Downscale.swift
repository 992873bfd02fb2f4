extension RasterImage {
  /// Means of `n × n` pixels in linear light, in the image's own profile, layout and depth. Columns and rows that fill
  /// no whole box are dropped. Alpha weights the colours.
  ///
  /// As `--downscale` it removes the artefacts of a lossy source. Throws `invalidArgument` unless `n` is at least 1 and
  /// at most the shorter side, and `profile` for an unusable colour profile.
  package func downscaled(by n: Int) throws(PixelError) -> RasterImage {
    guard n >= 1, n <= min(width, height) else {
      throw .invalidArgument(
        "cannot downscale \(width) × \(height) pixels by \(n): 1 to \(min(width, height)) is possible")
    }
    guard n > 1 else { return self }
    let light = try LinearLight(self)
    let encoder = try LightEncoder(like: self)
    var samples: [UInt16] = []
    samples.reserveCapacity(width / n * (height / n) * format.layout.channels)
    for y in 0..<(height / n) {
      var sums = BoxSums(width: width / n, n: n)
      for row in (y * n)..<((y + 1) * n) { sums.add(light.row(row)) }
      samples += encoder.encode(sums.means)
    }
    let small: Samples =
      format.bitDepth == 8 ? .bytes(samples.map { UInt8(truncatingIfNeeded: $0) }) : .words(samples)
    return RasterImage(unchecked: self, width: width / n, height: height / n, format: format, samples: small)
  }
}

private struct BoxSums {
  private let width, n: Int
  private var planes: [[Float]]
  private var coverage: [Float]

  init(width: Int, n: Int) {
    self.width = width
    self.n = n
    planes = [[Float]](repeating: [Float](repeating: 0, count: width), count: 3)
    coverage = [Float](repeating: 0, count: width)
  }

  mutating func add(_ row: LinearLight.Row) {
    for x in 0..<(width * n) { coverage[x / n] += row.alpha[x] }
    for index in planes.indices {
      for x in 0..<(width * n) { planes[index][x / n] += row.alpha[x] * row.planes[index][x] }
    }
  }

  var means: LinearLight.Row {
    let colours = planes.map { plane in
      plane.indices.map { coverage[$0] > 0 ? plane[$0] / coverage[$0] : plane[$0] }
    }
    return LinearLight.Row(planes: colours, alpha: coverage.map { $0 / Float(n * n) })
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
