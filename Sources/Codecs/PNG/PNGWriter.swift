import CPNGShim
package import CodecKit
package import Pixels

/// Writes PNG files with libpng, reproducibly for the same image and library versions.
///
/// Samples of 9 to 15 bits are scaled to 16, and an sBIT chunk states the significant bits.
package struct PNGWriter: ImageWriter {
  package init() {}

  /// Returns a complete file with the sRGB chunk or the image's ICC profile; light is written with 16 bits and a `cICP`
  /// chunk.
  package func write(_ image: RasterImage) throws(CodecError) -> [UInt8] { try write(image, isFast: false) }

  /// Returns a picture for viewing: light is tone mapped; other pictures stay unchanged, or are converted to sRGB if
  /// libpng refuses the profile, as with some phones.
  package func preview(_ image: RasterImage) throws(CodecError) -> [UInt8] {
    do { return try write(image.forScreen, isFast: true) } catch {
      guard image.profile.iccBytes != nil,
        let plain = RasterImage(
          width: image.width, height: image.height, layout: .rgba, bytes: image.displayPixels())
      else { throw error }
      return try write(image.format.layout.hasAlpha ? plain : plain.droppingAlpha(), isFast: true)
    }
  }

  package func preview(_ picture: IndexedPicture) throws(CodecError) -> [UInt8] {
    var format = try Self.format(picture.width, picture.height, PixelFormat(layout: .gray), isFast: true)
    format.colours = Int32(picture.palette.count / 3)
    return try picture.palette.withUnsafeBufferPointer { palette throws(CodecError) in
      format.palette = palette.baseAddress
      return try Self.encode(picture.indices, format)
    }
  }

  private func write(_ image: RasterImage, isFast: Bool) throws(CodecError) -> [UInt8] {
    var image = image
    if case .light = image.profile { image = image.scaledDepth(to: 16) }
    var format = try Self.format(image.width, image.height, image.format, isFast: isFast)
    if case .light(let light) = image.profile {
      (format.primaries, format.transfer) = (
        Int32(clamping: light.points.primaries), Int32(clamping: light.points.transfer)
      )
    }
    let icc = Self.trimmed(image.profile.iccBytes ?? [])
    switch image.samples {
    case .bytes(let samples): return try Self.encode(samples, format, icc)
    case .words(let samples):
      return try Self.encode(Self.stretched(samples, from: image.format.bitDepth), format, icc)
    }
  }

  private static func format(
    _ width: Int, _ height: Int, _ pixels: PixelFormat, isFast: Bool
  ) throws(CodecError) -> hb_png_format {
    guard let width = UInt32(exactly: width), let height = UInt32(exactly: height) else {
      throw .unsupported("too large for PNG")
    }
    return hb_png_format(
      width: width, height: height, channels: Int32(pixels.layout.channels),
      bit_depth: pixels.bitDepth > 8 ? 16 : 8, significant_bits: Int32(pixels.bitDepth),
      is_fast: isFast ? 1 : 0, palette: nil, colours: 0, primaries: 0, transfer: 0)
  }

  private static func encode(
    _ samples: [some FixedWidthInteger], _ format: hb_png_format, _ icc: [UInt8] = []
  ) throws(CodecError) -> [UInt8] {
    guard let iccSize = UInt32(exactly: icc.count) else { throw .unsupported("too large for PNG") }
    var format = format
    var message = [CChar](repeating: 0, count: Int(HB_PNG_MESSAGE_SIZE))
    var output = hb_png_output()
    let status = samples.withUnsafeBytes {
      hb_png_encode($0.baseAddress, &format, icc, iccSize, &output, &message)
    }
    guard status == HB_PNG_OK else {
      let text = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      throw .library(name: "libpng", message: String(decoding: text, as: UTF8.self))
    }
    defer { hb_png_free_output(&output) }
    return [UInt8](UnsafeBufferPointer(start: output.data, count: output.size))
  }

  /// The profile without trailing bytes: phones write two, which libpng refuses.
  private static func trimmed(_ icc: [UInt8]) -> [UInt8] {
    let header = 128
    guard icc.count > header else { return icc }
    let length = icc[..<4].reduce(0) { $0 << 8 | Int($1) }
    return (header...icc.count).contains(length) ? Array(icc[..<length]) : icc
  }

  /// Repeats the upper bits below, so that the largest sample maps to the largest (annex 12.4 of the standard).
  private static func stretched(_ samples: [UInt16], from bitDepth: Int) -> [UInt16] {
    guard bitDepth < 16 else { return samples }
    return samples.map { $0 << UInt16(16 - bitDepth) | $0 >> UInt16(2 * bitDepth - 16) }
  }
}
