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
