import CodecKit
import Pixels

/// Converts a TIFF picture's stored samples to a raster's: palette, inversion, scaling, alpha and CMYK.
struct TIFFSamples {
  private let picture: TIFFPicture
  /// The raster's value for each stored value of up to 8 bits, for colour and for alpha.
  private let colours, alphas: [UInt8]
  /// Red, green and blue of each index.
  private let palette: [UInt8]
  private let icc: [UInt8]?

  init(_ picture: TIFFPicture) throws(CodecError) {
    self.picture = picture
    let maximum = (1 << min(picture.bits, 8)) - 1
    alphas = (0...maximum).map { UInt8($0 * 255 / maximum) }
    colours = picture.isInverted ? alphas.reversed() : alphas
    if case .palette = picture.colour { palette = try Self.palette(of: picture) } else { palette = [] }
    if case .cmyk = picture.colour { icc = picture.icc } else { icc = nil }
  }

  /// A note on the conversion of CMYK; nil for other colours.
  var note: String? {
    guard case .cmyk = picture.colour else { return nil }
    let note = CMYKConversion.rgb([0, 0, 0, 0], isInverted: false, icc: icc).note
    return picture.bits > 8 ? "\(note); 16 bits reduced to 8" : note
  }

  func raster(_ stored: RasterImage.Samples) -> RasterImage.Samples {
    var samples = stored
    // Indices of a palette cannot be multiplied by alpha, whatever the file says.
    if case .premultiplied = picture.alpha, palette.isEmpty { samples = unpremultiplied(samples) }
    switch (picture.colour, samples) {
    case (.palette, .bytes(let indices)): return .bytes(coloured(indices))
    case (.cmyk, .bytes(let inks)): return .bytes(rgb(inks))
    case (.cmyk, .words(let inks)): return .bytes(rgb(inks.map { UInt8((UInt32($0) + 128) / 257) }))
    case (_, .bytes(let values)) where picture.bits < 8 || picture.isInverted:
      return .bytes(stretched(values))
    case (_, .words(let values)) where picture.isInverted: return .words(inverted(values))
    default: return samples
    }
  }

  private var channels: Int { picture.keptSamples.count }

  /// Divides colours by alpha, at the stored depth: round(c · max / α), at most max; 0 where α is 0.
  private func unpremultiplied(_ samples: RasterImage.Samples) -> RasterImage.Samples {
    func divided<Sample: FixedWidthInteger>(_ samples: [Sample]) -> [Sample] {
      let (channels, maximum) = (channels, (1 << picture.bits) - 1)
      var result = samples
      for pixel in stride(from: 0, to: samples.count - channels + 1, by: channels) {
        let alpha = Int(samples[pixel + channels - 1])
        guard alpha < maximum else { continue }
        for index in pixel..<(pixel + channels - 1) {
          let colour = alpha == 0 ? 0 : (Int(samples[index]) * maximum + alpha / 2) / alpha
          result[index] = Sample(truncatingIfNeeded: min(colour, maximum))
        }
      }
      return result
    }
    return switch samples {
    case .bytes(let bytes): .bytes(divided(bytes))
    case .words(let words): .words(divided(words))
    }
  }

  private func stretched(_ values: [UInt8]) -> [UInt8] {
    mapped(values, { colours[Int($0)] }, alpha: { alphas[Int($0)] })
  }

  private func inverted(_ values: [UInt16]) -> [UInt16] {
    let maximum = UInt16(picture.format.maximum)
    return mapped(values, { maximum - $0 }, alpha: { $0 })
  }

  private func mapped<Sample>(
    _ values: [Sample], _ colour: (Sample) -> Sample, alpha: (Sample) -> Sample
  ) -> [Sample] {
    guard picture.alpha != nil else { return values.map(colour) }
    let last = channels - 1
    return values.enumerated().map { $0 % channels == last ? alpha($1) : colour($1) }
  }

  /// Colours of indices, with alpha; indices beyond the palette's end are black.
  private func coloured(_ indices: [UInt8]) -> [UInt8] {
    let (channels, kept) = (channels, picture.alpha == nil ? 3 : 4)
    let pixels = indices.count / channels
    return [UInt8](unsafeUninitializedCapacity: pixels * kept) { target, count in
      for pixel in 0..<pixels {
        let colour = 3 * Int(indices[pixel * channels])
        for step in 0..<3 { target[pixel * kept + step] = palette[colour + step] }
        if kept == 4 { target[pixel * 4 + 3] = alphas[Int(indices[pixel * channels + 1])] }
      }
      count = pixels * kept
    }
  }

  private func rgb(_ samples: [UInt8]) -> [UInt8] {
    guard picture.alpha != nil else {
      return CMYKConversion.rgb(samples, isInverted: false, icc: icc).samples
    }
    let inks = samples.indices.lazy.filter { $0 % 5 < 4 }.map { samples[$0] }
    let colours = CMYKConversion.rgb(Array(inks), isInverted: false, icc: icc).samples
    let pixels = colours.count / 3
    return [UInt8](unsafeUninitializedCapacity: pixels * 4) { target, count in
      for pixel in 0..<pixels {
        for step in 0..<3 { target[pixel * 4 + step] = colours[pixel * 3 + step] }
        target[pixel * 4 + 3] = samples[pixel * 5 + 4]
      }
      count = pixels * 4
    }
  }

  /// The palette of 8-bit colours. Entries have 16 bits; old programs wrote 8.
  private static func palette(of picture: TIFFPicture) throws(CodecError) -> [UInt8] {
    let count = 1 << picture.bits
    let entries = picture.directory.numbers(.colourMap, most: 3 * count)
    guard entries.count == 3 * count else { throw .malformed("palette TIFF without its palette") }
    let isNarrow = entries.allSatisfy { $0 < 256 }
    let isShifted = entries.allSatisfy { $0 % 256 == 0 }
    return (0..<count).flatMap { index in
      [0, count, 2 * count].map { plane in
        let value = entries[plane + index]
        return UInt8(isNarrow ? value : isShifted ? value / 256 : (value * 255 + 32_767) / 65_535)
      }
    }
  }
}

extension TIFFPicture {
  var isInverted: Bool { if case .gray(whiteIsZero: true) = colour { true } else { false } }
}
