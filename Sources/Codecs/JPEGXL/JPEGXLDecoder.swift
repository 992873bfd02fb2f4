import CJXLShim
package import CodecKit
package import Model
import Pixels

struct JPEGXLDecoder: ~Copyable {
  typealias Picture = (image: RasterImage, notes: [String])

  private let handle: OpaquePointer

  /// Opens a file whose bytes outlive the decoder.
  private init(_ bytes: UnsafeBufferPointer<UInt8>) throws(CodecError) {
    guard let handle = hb_jxl_open(bytes.baseAddress, bytes.count) else {
      throw .library(name: "libjxl", message: "cannot start a decoder")
    }
    self.handle = handle
  }

  deinit { hb_jxl_close(handle) }

  /// Decodes a file's first frame within the limits, with its orientation applied.
  static func decode(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> Picture {
    try OpenedLibrary.jpegXL.need()
    return try bytes.withUnsafeBufferPointer { buffer throws(CodecError) in
      try JPEGXLDecoder(buffer).picture(limits)
    }
  }

  /// The file's own ICC profile, regardless of libjxl's output; nil if libjxl cannot make one.
  static func originalProfile(of bytes: [UInt8]) throws(CodecError) -> [UInt8]? {
    try OpenedLibrary.jpegXL.need()
    return try bytes.withUnsafeBufferPointer { buffer throws(CodecError) in
      let decoder = try JPEGXLDecoder(buffer)
      var header = hb_jxl_header()
      try decoder.check(hb_jxl_read_header(decoder.handle, &header))
      guard header.original_icc_size > 0 else { return nil }
      return try decoder.profile(size: header.original_icc_size, isOriginal: true)
    }
  }

  private borrowing func picture(_ limits: ReadLimits) throws(CodecError) -> Picture {
    var header = hb_jxl_header()
    try check(hb_jxl_read_header(handle, &header))
    let (width, height) = (Int(header.width), Int(header.height))
    try PixelLimit.check(width: width, height: height, limits)
    guard header.is_animated == 0 else { throw .unsupported("animated JPEG XL") }
    let layout: ChannelLayout =
      switch (header.colours, header.alpha_bits) {
      case (1, 0): .gray
      case (1, _): .grayAlpha
      case (_, 0): .rgb
      default: .rgba
      }
    let depth = header.is_float == 0 ? min(max(Int(header.bits), 8), 16) : 16
    var notes: [String] = []
    if header.is_float != 0 || header.bits > 16 { notes.append("samples reduced to 16 bits") }
    let profile = try profile(header)
    var status = HB_JXL_OK
    let channels = layout.channels
    let samples = RasterImage.Samples(width * height * channels, isWide: depth > 8) { target, bytes in
      status = hb_jxl_read(handle, UInt32(channels), depth > 8 ? 1 : 0, target, bytes)
      return status == HB_JXL_OK
    }
    try check(status)
    let format = PixelFormat(layout: layout, bitDepth: depth > 8 ? 16 : 8)
    let image = try samples.image(
      by: "libjxl", width: width, height: height, format: format, profile: profile)
    return (image.scaledDepth(to: depth), notes)
  }

  private borrowing func profile(_ header: hb_jxl_header) throws(CodecError) -> ColorProfile {
    let points = CodePoints(
      primaries: header.primaries == 11 ? 12 : Int(header.primaries), transfer: Int(header.transfer))
    if let points = SourceColour.hdr(points), let light = try SourceColour.profile(points, for: .rgb) {
      return light
    }
    guard header.is_sRGB == 0, header.icc_size > 0 else { return .sRGB }
    return .icc(try profile(size: header.icc_size, isOriginal: false))
  }

  private borrowing func profile(size: Int, isOriginal: Bool) throws(CodecError) -> [UInt8] {
    guard size <= 64 << 20 else { throw .limitExceeded("profile of \(size) bytes") }
    var icc = [UInt8](repeating: 0, count: size)
    try check(hb_jxl_read_icc(handle, isOriginal ? 1 : 0, &icc, icc.count))
    return icc
  }

  private borrowing func check(_ status: hb_jxl_status) throws(CodecError) {
    switch status {
    case HB_JXL_OK: return
    case HB_JXL_TRUNCATED: throw .malformed("truncated JPEG XL")
    case HB_JXL_OUT_OF_MEMORY: throw .library(name: "libjxl", message: "out of memory")
    default: throw .malformed("broken JPEG XL")
    }
  }
}

/// Reads still JPEG XL files, as bare codestreams or with boxes.
package struct JPEGXLReader: ImageReader {
  package init() {}

  package func recognises(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0x0A]) || bytes.starts(with: JPEGXLHeader.signature)
  }

  /// The codestream comes after boxes of any length.
  package var mayEndWithHeader: Bool { true }

  package func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let header = try Self.header(bytes)
    let layout: ChannelLayout = header.isGray ? (header.hasAlpha ? .grayAlpha : .gray) : .rgb
    return ImageHeader(
      format: "jxl", width: header.width, height: header.height, bitDepth: min(header.bitDepth, 16),
      layout: layout == .rgb && header.hasAlpha ? .rgba : layout, isLossy: header.isLossy,
      hdr: header.codePoints)
  }

  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let header = try Self.header(bytes)
    try SourceColour.check(hdr: header.codePoints, limits)
    try PixelLimit.check(width: header.width, height: header.height, limits)
    // XYB samples may come in colours other than the file's stated ones.
    if header.hasProfile, let icc = try JPEGXLDecoder.originalProfile(of: bytes) {
      _ = try SourceColour.profile(icc: icc, for: header.isGray ? .gray : .rgb, limits)
    }
    let picture = try JPEGXLDecoder.decode(bytes, limits: limits)
    let isTurned = header.orientation >= 5
    guard picture.image.width == (isTurned ? header.height : header.width),
      picture.image.height == (isTurned ? header.width : header.height)
    else { throw .malformed("JPEG XL with headers that disagree") }
    var notes = picture.notes
    if header.orientation != 1 { notes.append("orientation \(header.orientation) applied by libjxl") }
    let image = picture.image
    if case .light = image.profile {
      return SourceImage(image: image.tagged(try SourceColour.profile(image.profile, limits)), notes: notes)
    }
    let (profile, note) = try SourceColour.profile(
      icc: image.profile.iccBytes, for: image.format.layout, limits)
    return SourceImage(image: image.tagged(profile), notes: notes + (note.map { [$0] } ?? []))
  }

  private static func header(_ bytes: [UInt8]) throws(CodecError) -> JPEGXLHeader {
    let header = try JPEGXLHeader(bytes)
    guard !header.isAnimated else { throw .unsupported("animated JPEG XL") }
    guard !header.hasBlack else { throw .unsupported("JPEG XL with a fourth ink") }
    return header
  }
}
