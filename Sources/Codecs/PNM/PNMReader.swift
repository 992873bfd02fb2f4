package import CodecKit
package import Model
import Pixels

/// Reads Netpbm files in pure Swift: PBM, PGM and PPM as text and binary, and PAM.
package struct PNMReader: ImageReader {
  package init() {}

  /// Increase the version when the code's speed changes.
  package var libraries: [String: [LibraryVersion]] {
    ["pnm": [LibraryVersion(name: "heicbench’s PNM reader", version: "1")]]
  }

  package func recognises(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 2, bytes[0] == UInt8(ascii: "P"), (0x31...0x37).contains(bytes[1]) else {
      return false
    }
    return PNMScanner.isBlank(bytes[2]) || bytes[2] == UInt8(ascii: "#")
  }

  package func header(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let header = try PNMHeader(bytes)
    return ImageHeader(
      format: "pnm", width: header.width, height: header.height, bitDepth: header.storedBits,
      layout: header.layout, isLossy: false)
  }

  /// Decodes the file's first image. Takes samples as sRGB, as other programs do, although the standard says BT.709.
  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let header = try PNMHeader(bytes)
    try PixelLimit.check(width: header.width, height: header.height, limits)
    let samples = try PNMSamples.read(bytes, header)
    let format = PixelFormat(layout: header.layout, bitDepth: header.bitDepth)
    guard
      let image = RasterImage(width: header.width, height: header.height, format: format, samples: samples)
    else { throw .malformed("PNM with an unexpected number of samples") }
    let note = "samples of 0 to \(header.maximum) stretched to \(header.bitDepth) bits"
    return SourceImage(image: image, notes: header.fillsItsBits ? [] : [note])
  }
}
