import Foundation

extension GainMap {
  /// Makes the map that turns `base`, an sRGB picture, into the light of `original` on a display with enough headroom.
  ///
  /// ISO 21496-1 with gamma 1 and its usual offsets. A sample is the mean gain, in stops, over its area of the base,
  /// coded in 8 bits between the smallest and the largest gain. The headroom is that of the brightest light.
  /// - Parameter channels: 1 for the gain of luminance, 3 for one gain per primary.
  package init(
    from base: RasterImage, to original: RasterImage, width: Int, height: Int, channels: Int
  ) throws(PixelError) {
    guard base.width == original.width, base.height == original.height,
      (1...base.width).contains(width), (1...base.height).contains(height)
    else { throw PixelError("a gain map cannot have this size") }
    let gains = MeanGains(
      from: try LinearLight(base), to: try LinearLight(original), width: width, height: height,
      channels: channels)
    var described: [GainMapMetadata.Channel] = []
    var samples = [UInt8](repeating: 0, count: gains.values.count)
    for channel in 0..<channels {
      let places = stride(from: channel, to: samples.count, by: channels)
      let (least, most) = places.reduce((Float.infinity, -Float.infinity)) {
        (min($0.0, gains.values[$1]), max($0.1, gains.values[$1]))
      }
      let scale = most > least ? 255 / (most - least) : 0
      for place in places { samples[place] = UInt8(((gains.values[place] - least) * scale).rounded()) }
      var values = GainMapMetadata.Channel()
      (values.minimum, values.maximum) = (Double(least), Double(most))
      described.append(values)
    }
    let layout: ChannelLayout = channels == 1 ? .gray : .rgb
    guard let image = RasterImage(width: width, height: height, layout: layout, bytes: samples) else {
      throw PixelError("a gain map has 1 or 3 channels")
    }
    // A picture without highlights still needs a headroom above the base's.
    let headroom = max(Double(log2(gains.brightest)), 1.0 / 64)
    self.init(
      try GainMapMetadata(.iso, channels: described, baseHeadroom: 0, alternateHeadroom: headroom),
      image: image)
  }
}

/// Mean gains from one light to another, in stops.
private struct MeanGains {
  private static let offset = Float(GainMapMetadata.Channel().baseOffset)

  /// Interleaved channels, row by row.
  private(set) var values: [Float]
  /// The largest linear value of the brighter light, at least 1.
  private(set) var brightest: Float = 1

  init(from low: LinearLight, to high: LinearLight, width: Int, height: Int, channels: Int) {
    values = [Float](repeating: 0, count: width * height * channels)
    let size = (width: low.image.width, height: low.image.height)
    let columns = (0..<size.width).map { $0 * width / size.width }
    let columnCounts = columns.reduce(into: [Float](repeating: 0, count: width)) { $0[$1] += 1 }
    var rowCounts = [Float](repeating: 0, count: height)
    for y in 0..<size.height {
      let (dark, bright) = (low.row(y).gainPlanes(channels), high.row(y).gainPlanes(channels))
      let row = y * height / size.height
      rowCounts[row] += 1
      for channel in 0..<channels {
        brightest = max(brightest, bright[channel].max() ?? 1)
        for x in 0..<size.width {
          let ratio = (max(bright[channel][x], 0) + Self.offset) / (max(dark[channel][x], 0) + Self.offset)
          values[(row * width + columns[x]) * channels + channel] += log2(ratio)
        }
      }
    }
    for place in values.indices {
      let pixel = place / channels
      values[place] /= columnCounts[pixel % width] * rowCounts[pixel / width]
    }
  }
}

extension LinearLight.Row {
  /// The planes of all primaries, or of luminance only.
  fileprivate func gainPlanes(_ channels: Int) -> [[Float]] {
    guard channels == 1 else { return planes }
    return [
      planes[0].indices.map { 0.2126 * planes[0][$0] + 0.7152 * planes[1][$0] + 0.0722 * planes[2][$0] }
    ]
  }
}
