import CJPEGShim
package import CodecKit
package import Model
import Pixels

/// Reads JPEG files (ITU-T T.81) with libjpeg: baseline and progressive, gray, colour and CMYK.
///
/// Uses libjpeg's triangle filter for chroma and the accurate DCT, as most decoders do.
package struct JPEGReader: ImageReader {
  package let formats = ["JPEG"]

  package init() {}

  package func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFF, 0xD8, 0xFF]) }

  package func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    Self.header(of: try Self.markers(bytes))
  }

  static func header(of markers: JPEGMarkers) -> ImageHeader {
    ImageHeader(
      format: "jpeg", width: markers.width, height: markers.height, bitDepth: markers.precision,
      layout: markers.components == 1 ? .gray : .rgb, isLossy: true,
      hdr: SourceColour.hdr(icc: markers.icc))
  }

  /// Decodes the file. Missing image data are an error; other damage that libjpeg repairs becomes a note.
  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let markers = try Self.markers(bytes)
    try PixelLimit.check(width: markers.width, height: markers.height, limits)
    let decoded = try JPEGDecompressor.decode(bytes, limits: limits)
    try Self.check(decoded.frame, markers)
    let (image, notes) = try Self.image(decoded, markers, limits)
    return SourceImage(image: image, orientation: markers.orientation, notes: notes)
  }

  static func check(_ frame: JPEGDecompressor.Frame, _ markers: JPEGMarkers) throws(CodecError) {
    guard frame.width == markers.width, frame.height == markers.height else {
      throw .malformed("JPEG with frame headers that disagree")
    }
  }

  /// The header of a file that libjpeg can decode here.
  static func markers(_ bytes: [UInt8]) throws(CodecError) -> JPEGMarkers {
    let markers = try JPEGMarkers(bytes)
    guard markers.height > 0 else { throw .unsupported("JPEG that states its height after the first scan") }
    guard markers.precision == 8 else { throw .unsupported("JPEG with \(markers.precision) bits per sample") }
    return markers
  }

  /// Builds the image from libjpeg's samples, converting CMYK, with the file's profile and notes.
  static func image(
    _ decoded: JPEGDecompressor.Picture, _ markers: JPEGMarkers, _ limits: ReadLimits
  ) throws(CodecError) -> (RasterImage, notes: [String]) {
    let frame = decoded.frame
    let layout: ChannelLayout = frame.channels == 1 ? .gray : .rgb
    var samples = decoded.samples
    let (profile, note): (ColorProfile, String?)
    if frame.channels == 4 {
      (samples, note) = CMYKConversion.rgb(samples, isInverted: frame.isAdobe, icc: markers.icc)
      profile = try SourceColour.profile(.sRGB, limits)
    } else {
      (profile, note) = try SourceColour.profile(icc: markers.icc, for: layout, limits)
    }
    let image = try RasterImage.Samples.bytes(samples).image(
      by: "libjpeg", width: frame.width, height: frame.height, format: PixelFormat(layout: layout),
      profile: profile)
    return (image, [decoded.warning, note].compactMap { $0 })
  }
}

extension JPEGReader {
  /// The decoded samples, a second copy if turned, and, for progressive files, two bytes for each coefficient of the
  /// whole picture, at any size.
  package func predictedMemory(of bytes: [UInt8], for request: DecodePart) throws(CodecError) -> Int? {
    let markers = try Self.markers(bytes)
    let held = markers.isProgressive ? 2 * markers.coefficientCount : 0
    let (width, height) = (markers.width, markers.height)
    let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
    let hasLargePlanes = overflow || pixels >= Self.fewestPixels
    func image(_ width: Int, _ height: Int, rows: Int) -> Int {
      let samples = width * height * markers.components
      // CMYK is converted before it is turned.
      let kept = markers.components == 4 ? width * height * 3 : samples
      let beside = markers.components == 4 || markers.orientation != .up ? kept : 0
      // Coefficients are freed before the samples are needed twice.
      return samples + max(beside, held) + rows + (markers.icc == nil ? 0 : Self.profileBytes)
    }
    switch request {
    case .full: return image(width, height, rows: Self.rowBytes * width)
    case .ycbcr:
      guard hasLargePlanes else { return nil }
      // A single plane is returned directly; several planes are collected in a second buffer.
      let gathered = markers.components == 1 ? 0 : markers.coefficientCount
      return markers.coefficientCount + max(gathered, held) + 2 * Self.rowBytes * width
    case .scaled(let side):
      guard let divisor = [8, 4, 2].first(where: { (max(width, height) + $0 - 1) / $0 >= side }) else {
        return nil
      }
      let (columns, rows) = ((width + divisor - 1) / divisor, (height + divisor - 1) / divisor)
      return image(columns, rows, rows: Self.rowBytes * columns)
    case .region(let region):
      guard hasLargePlanes || held == 0 else { return nil }
      // Buffers span all columns, even if only some are used.
      let rows = markers.components == 1 ? 2 * width + (16 << 10) : 6 * width + (64 << 10)
      return image(region.width, region.height, rows: rows)
    case .thumbnail, .firstTile: return nil
    }
  }

  /// Bytes per column in the decoder's buffers, which hold some rows of samples of every component.
  private static let rowBytes = 24
  /// Memory that Little CMS uses while it inspects a colour profile.
  private static let profileBytes = 112 << 10
  /// The minimum number of pixels for planes that glibc returns to the system at once; smaller ones leave traces in the
  /// heap.
  private static let fewestPixels = 4 * (512 << 10)
}

extension JPEGReader {
  package func rows(of file: FileMapping, limits: ReadLimits) throws(CodecError) -> (any RowReader)? {
    let usual = try? Self.markers(file.head(SourceFile.usualHeadLength))
    // If the usual head has no image data, the file has a longer head or scans of single components.
    let markers =
      if let usual, usual.unitsStart != nil {
        usual
      } else {
        try Self.markers(file.head(SourceFile.headLength))
      }
    try PixelLimit.check(width: markers.width, height: markers.height, limits)
    // For progressive files, libjpeg keeps all coefficients in memory.
    let decoder = try JPEGDecompressor(file.bytes, maximumScans: limits.maximumScans)
    let frame = try decoder.readHeader()
    try PixelLimit.check(width: frame.width, height: frame.height, limits)
    try Self.check(frame, markers)
    // CMYK needs a conversion through its own profile.
    guard frame.channels != 4 else { return nil }
    let channels: ChannelLayout = frame.channels == 1 ? .gray : .rgb
    let (profile, note) = try SourceColour.profile(icc: markers.icc, for: channels, limits)
    let layout = RowLayout(
      width: frame.width, height: frame.height, format: PixelFormat(layout: channels),
      profile: profile, orientation: markers.orientation, notes: [note].compactMap { $0 })
    return DecodedRows(file, Self.header(of: markers), layout, library: "libjpeg") {
      rows throws(CodecError) in
      let samples = try decoder.samples(rows * layout.width * channels.channels) { pixels in
        hb_jpeg_read_rows(decoder.handle, pixels, Int32(clamping: rows))
      }
      return (.bytes(samples), hb_jpeg_bytes_left(decoder.handle), try decoder.warning())
    }
  }
}
