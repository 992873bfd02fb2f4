import CJXLShim
package import CodecKit
package import Model
import Pixels

struct JPEGXLDecoder: ~Copyable {
  typealias Picture = (image: RasterImage, notes: [String])

  private let handle: OpaquePointer

  /// Opens a file; its bytes must outlive the decoder.
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
      try decoder.check(hb_jxl_read_header(decoder.handle, &header), isHeader: true)
      return header.icc_size > 0 ? try decoder.icc(header) : nil
    }
  }

  private borrowing func picture(_ limits: ReadLimits) throws(CodecError) -> Picture {
    var header = hb_jxl_header()
    try check(hb_jxl_read_header(handle, &header), isHeader: true)
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
    var own: ColorProfile?
    if header.has_space != 0 { own = try Self.profile(header.space, layout) }
    let icc: [UInt8]? = header.icc_size > 0 && (own == nil || header.is_light != 0) ? try icc(header) : nil
    let format = PixelFormat(layout: layout, bitDepth: depth)
    guard header.is_light != 0, let icc else {
      let image = try stored(width, height, format)
      return (image.tagged(own ?? icc.map { .icc($0) } ?? .sRGB), notes)
    }
    let converted = try converted(width, height, format, icc)
    // The profile is the one that the encoder used, which is not always the intended one.
    let isExact = converted.image.profile == .icc(icc)
    let image = isExact ? own.map(converted.image.tagged) ?? converted.image : converted.image
    return (image, notes + [converted.note].compactMap(\.self))
  }

  /// The samples as they were coded.
  private borrowing func stored(
    _ width: Int, _ height: Int, _ format: PixelFormat
  ) throws(CodecError) -> RasterImage {
    var status = HB_JXL_OK
    let (channels, isWide) = (format.layout.channels, format.bitDepth > 8)
    let samples = RasterImage.Samples(width * height * channels, isWide: isWide) { target, bytes in
      status = hb_jxl_read(handle, UInt32(channels), isWide ? 1 : 0, target, bytes)
      return status == HB_JXL_OK
    }
    try check(status)
    let whole = PixelFormat(layout: format.layout, bitDepth: isWide ? 16 : 8)
    return try samples.image(by: "libjxl", width: width, height: height, format: whole)
      .scaledDepth(to: format.bitDepth)
  }

  /// The meaning of colours that are stated without a profile; nil for unknown colours.
  private static func profile(
    _ colours: hb_jxl_colours, _ layout: ChannelLayout
  ) throws(CodecError) -> ColorProfile? {
    func point(_ xy: (Double, Double)) -> Chromaticity { Chromaticity(xy.0, xy.1) }
    var primaries = Chromaticities.bt709
    if colours.is_gray == 0 {
      primaries = Chromaticities(
        red: point(colours.red), green: point(colours.green), blue: point(colours.blue),
        white: point(colours.white))
    }
    let powers = 65_535
    let transfer =
      Int(colours.transfer) == powers
      ? TransferFunction(gamma: colours.gamma) : TransferFunction(codePoint: Int(colours.transfer))
    guard let transfer else { return nil }
    return try SourceColour.profile(primaries: primaries, transfer: transfer, for: layout)
  }

  /// Decodes to light, which libjxl clips to sRGB's colours in integers, and converts it to the profile that the file
  /// states.
  private borrowing func converted(
    _ width: Int, _ height: Int, _ format: PixelFormat, _ icc: [UInt8]
  ) throws(CodecError) -> (image: RasterImage, note: String?) {
    var status = HB_JXL_OK
    let (channels, samples) = (format.layout.channels, width * height * format.layout.channels)
    let light = [Float](unsafeUninitializedCapacity: samples) { buffer, count in
      status = hb_jxl_read_light(
        handle, UInt32(channels), buffer.baseAddress, samples * MemoryLayout<Float>.size)
      count = status == HB_JXL_OK ? samples : 0
    }
    try check(status)
    let (profile, note) = ColorProfiles.profile(icc: icc, for: format.layout)
    if let image = RasterImage(light: light, width: width, height: height, format: format, profile: profile) {
      return (image, note)
    }
    // Scanner profiles convert in one direction only.
    let wide = PixelFormat(layout: format.layout, bitDepth: 16)
    guard let linear = ColorProfiles.profile(primaries: .bt2020, transfer: .linear, for: format.layout),
      let image = RasterImage(light: light, width: width, height: height, format: wide, profile: linear)
    else { throw .library(name: "libjxl", message: "unexpected number of samples") }
    return (image, "decoded in linear BT.2020: the ICC profile converts only from its colours, not to them")
  }

  private borrowing func icc(_ header: hb_jxl_header) throws(CodecError) -> [UInt8] {
    let size = header.icc_size
    guard size <= 64 << 20 else { throw .limitExceeded("profile of \(size) bytes") }
    var icc = [UInt8](repeating: 0, count: size)
    try check(hb_jxl_read_icc(handle, &icc, icc.count))
    return icc
  }

  /// - Parameter isHeader: True for a header that `JPEGXLHeader` read without a fault, so a failure is not damage.
  private borrowing func check(_ status: hb_jxl_status, isHeader: Bool = false) throws(CodecError) {
    switch status {
    case HB_JXL_OK: return
    case HB_JXL_TRUNCATED: throw .malformed("truncated JPEG XL")
    case HB_JXL_OUT_OF_MEMORY: throw .library(name: "libjxl", message: "out of memory")
    default:
      let installed = "the installed libjxl \((try? OpenedLibrary.jpegXL.version.get())?.version ?? "")"
      guard isHeader else {
        throw .malformed("\(installed) cannot decode it: it is damaged, or needs a newer libjxl")
      }
      throw .unsupported("needs a newer libjxl: \(installed) refuses its header, although it is valid")
    }
  }
}

/// Reads still JPEG XL files, as bare codestreams or with boxes.
package struct JPEGXLReader: ImageReader {
  package let formats = ["JPEG XL"]

  package init() {}

  package func recognises(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0x0A]) || bytes.starts(with: JPEGXLHeader.signature)
  }

  /// The codestream may come after boxes of any length.
  package var mayEndWithHeader: Bool { true }

  package func mayHaveGainMap(_ bytes: [UInt8]) -> Bool { true }

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
    // XYB samples may be decoded to colours other than those that the file states.
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
