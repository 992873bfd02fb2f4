package import CodecKit
package import Model
import Pixels

/// Reads still JPEG XL files, as bare codestreams or with boxes.
package struct JPEGXLReader: ImageReader {
  package init() {}

  package func recognises(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0x0A]) || bytes.starts(with: JPEGXLHeader.signature)
  }

  /// The codestream comes after boxes of any length.
  package var mayEndWithHeader: Bool { true }

  package func header(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let header = try Self.header(bytes)
    let layout: ChannelLayout = header.isGray ? (header.hasAlpha ? .grayAlpha : .gray) : .rgb
    return ImageHeader(
      format: "jxl", width: header.width, height: header.height, bitDepth: min(header.bitDepth, 16),
      layout: layout == .rgb && header.hasAlpha ? .rgba : layout, isLossy: header.isLossy)
  }

  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let header = try Self.header(bytes)
    try PixelLimit.check(width: header.width, height: header.height, limits)
    // XYB samples may come in colours other than the file's stated ones.
    if header.hasProfile, let icc = try JPEGXLDecoder.originalProfile(of: bytes) {
      _ = try SourceColour.profile(icc: icc, for: header.isGray ? .gray : .rgb)
    }
    let picture = try JPEGXLDecoder.decode(bytes, limits: limits)
    let isTurned = header.orientation >= 5
    guard picture.image.width == (isTurned ? header.height : header.width),
      picture.image.height == (isTurned ? header.width : header.height)
    else { throw .malformed("JPEG XL with headers that disagree") }
    var notes = picture.notes
    if header.orientation != 1 { notes.append("orientation \(header.orientation) applied by libjxl") }
    let (profile, note) = try SourceColour.profile(
      icc: picture.image.profile.iccBytes, for: picture.image.format.layout)
    return SourceImage(image: picture.image.tagged(profile), notes: notes + (note.map { [$0] } ?? []))
  }

  private static func header(_ bytes: [UInt8]) throws(CodecError) -> JPEGXLHeader {
    let header = try JPEGXLHeader(bytes)
    guard !header.isAnimated else { throw .unsupported("animated JPEG XL") }
    try SourceColour.check(header.codePoints)
    guard !header.hasBlack else { throw .unsupported("JPEG XL with a fourth ink") }
    return header
  }
}
