import Pixels

enum GrayPixels {
  /// Gray samples tripled, with alpha kept; colour samples unchanged.
  static func expanded(_ samples: [UInt8], _ layout: ChannelLayout) -> [UInt8] {
    guard layout.isGray else { return samples }
    let (old, new) = (layout.channels, layout.channels + 2)
    let pixels = samples.count / old
    return [UInt8](unsafeUninitializedCapacity: pixels * new) { target, count in
      for pixel in 0..<pixels {
        for channel in 0..<3 { target[pixel * new + channel] = samples[pixel * old] }
        if old == 2 { target[pixel * new + 3] = samples[pixel * old + 1] }
      }
      count = pixels * new
    }
  }
}
