import Pixels

/// Alpha that differs in size from its picture, interpolated between the centres of its samples.
enum ScaledAlpha {
  /// A colour or gray picture with the luma of another picture as its alpha.
  static func add(_ alpha: RasterImage, to image: RasterImage) -> RasterImage? {
    let layout: ChannelLayout = image.format.layout.isGray ? .grayAlpha : .rgba
    let (across, down) = (
      Steps(alpha.width, image.width), Steps(alpha.height, image.height)
    )
    let step = alpha.format.layout.channels
    let plane: [Double] =
      switch alpha.samples {
      case .bytes(let bytes): stride(from: 0, to: bytes.count, by: step).map { Double(bytes[$0]) }
      case .words(let words): stride(from: 0, to: words.count, by: step).map { Double(words[$0]) }
      }
    let scale = Double(image.format.maximum) / Double(alpha.format.maximum)
    func value(_ x: Int, _ y: Int) -> Double {
      let (upper, lower) = (down.first[y] * alpha.width, down.second[y] * alpha.width)
      let (left, right, share) = (across.first[x], across.second[x], across.share[x])
      let above = plane[upper + left] * (1 - share) + plane[upper + right] * share
      let below = plane[lower + left] * (1 - share) + plane[lower + right] * share
      return ((above * (1 - down.share[y]) + below * down.share[y]) * scale).rounded()
    }
    func joined<Sample: FixedWidthInteger & UnsignedInteger>(_ samples: [Sample]) -> [Sample] {
      let channels = layout.channels - 1
      var joined: [Sample] = []
      joined.reserveCapacity(image.width * image.height * layout.channels)
      for y in 0..<image.height {
        for x in 0..<image.width {
          let start = (y * image.width + x) * channels
          joined += samples[start..<(start + channels)]
          joined.append(Sample(value(x, y)))
        }
      }
      return joined
    }
    let samples: RasterImage.Samples =
      switch image.samples {
      case .bytes(let bytes): .bytes(joined(bytes))
      case .words(let words): .words(joined(words))
      }
    return RasterImage(
      width: image.width, height: image.height,
      format: PixelFormat(layout: layout, bitDepth: image.format.bitDepth), profile: image.profile,
      samples: samples)
  }

  /// For each of `wanted` positions, the two nearest of `count` samples and the share of the second.
  private struct Steps {
    var first: [Int] = []
    var second: [Int] = []
    var share: [Double] = []

    init(_ count: Int, _ wanted: Int) {
      for index in 0..<wanted {
        let place = (Double(index) + 0.5) * Double(count) / Double(wanted) - 0.5
        let whole = min(max(Int(place.rounded(.down)), 0), count - 1)
        first.append(whole)
        second.append(min(whole + 1, count - 1))
        share.append(min(max(place - Double(whole), 0), 1))
      }
    }
  }
}
