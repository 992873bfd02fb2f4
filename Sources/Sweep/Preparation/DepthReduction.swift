import BenchModel

/// Brings samples to fewer bits: to the nearest value of the smaller scale, so that black stays black and
/// white stays white.
enum DepthReduction {
  /// The image with samples of `bitDepth` bits, fewer than it has now; nil when samples and size disagree.
  static func apply(to image: RasterImage, bitDepth: Int) -> RasterImage? {
    guard case .words(let words) = image.samples, (8..<image.format.bitDepth).contains(bitDepth) else {
      return nil
    }
    let format = PixelFormat(layout: image.format.layout, bitDepth: bitDepth)
    let scale = Scale(from: UInt32(image.format.maximum), to: UInt32(format.maximum))
    let samples: RasterImage.Samples =
      bitDepth == 8 ? .bytes(scale.reduced(words)) : .words(scale.reduced(words))
    return RasterImage(
      width: image.width, height: image.height, format: format, profile: image.profile, samples: samples)
  }

  /// round(v · to / from) in integers. The largest product, 65535 · 32767 + 32767, fits 32 bits.
  private struct Scale {
    let from, to: UInt32

    func reduced<Sample: FixedWidthInteger & UnsignedInteger>(_ words: [UInt16]) -> [Sample] {
      // One division for each of the 65,536 values and not for each sample.
      let table = (0...UInt32(UInt16.max)).map { value in
        Sample(truncatingIfNeeded: (min(value, from) * to + from / 2) / from)
      }
      var reduced = [Sample](repeating: 0, count: words.count)
      for index in words.indices { reduced[index] = table[Int(words[index])] }
      return reduced
    }
  }
}
