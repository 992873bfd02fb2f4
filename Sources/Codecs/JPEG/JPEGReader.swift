package import CodecKit
package import Model
import Pixels

/// Reads JPEG files (ITU-T T.81) with libjpeg: baseline and progressive, gray, colour and CMYK.
///
/// Uses libjpeg's triangle filter for chroma and the accurate DCT, as most decoders do.
package struct JPEGReader: ImageReader {
  package init() {}

  package func recognises(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFF, 0xD8, 0xFF]) }

  package func header(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    Self.header(of: try Self.markers(bytes))
  }

  static func header(of markers: JPEGMarkers) -> ImageHeader {
    ImageHeader(
      format: "jpeg", width: markers.width, height: markers.height, bitDepth: markers.precision,
      layout: markers.components == 1 ? .gray : .rgb, isLossy: true)
  }

  /// Decodes the file; missing image data are an error, other damage that libjpeg repairs is noted.
  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let markers = try Self.markers(bytes)
    try PixelLimit.check(width: markers.width, height: markers.height, limits)
    let (frame, samples, warning) = try JPEGDecompressor.decode(bytes, limits: limits)
    guard frame.width == markers.width, frame.height == markers.height else {
      throw .malformed("JPEG with frame headers that disagree")
    }
    var notes = warning.map { [$0] } ?? []
    let image = try Self.image(frame, markers, samples, &notes)
    return SourceImage(image: image, orientation: markers.orientation, notes: notes)
  }

  /// The header of a file that libjpeg can decode here.
  static func markers(_ bytes: [UInt8]) throws(CodecError) -> JPEGMarkers {
    let markers = try JPEGMarkers(bytes)
    guard markers.height > 0 else { throw .unsupported("JPEG that tells its height after the first scan") }
    guard markers.precision == 8 else { throw .unsupported("JPEG with \(markers.precision) bits per sample") }
    try SourceColour.check(icc: markers.icc)
    return markers
  }

  /// Builds the image from libjpeg's samples, CMYK converted, with the file's profile.
  static func image(
    _ frame: JPEGDecompressor.Frame, _ markers: JPEGMarkers, _ samples: [UInt8], _ notes: inout [String]
  ) throws(CodecError) -> RasterImage {
    guard frame.channels == 4 else {
      let layout: ChannelLayout = frame.channels == 1 ? .gray : .rgb
      let (profile, note) = try profile(of: markers, for: layout)
      notes += note.map { [$0] } ?? []
      return try image(frame, layout, profile, samples)
    }
    let converted = CMYKConversion.rgb(samples, isInverted: frame.isAdobe, icc: markers.icc)
    notes.append(converted.note)
    return try image(frame, .rgb, .sRGB, converted.samples)
  }

  static func profile(
    of markers: JPEGMarkers, for layout: ChannelLayout
  ) throws(CodecError) -> (profile: ColorProfile, note: String?) {
    guard let icc = markers.icc else { return (.sRGB, nil) }
    return try SourceColour.profile(icc: icc, for: layout)
  }

  private static func image(
    _ frame: JPEGDecompressor.Frame, _ layout: ChannelLayout, _ profile: ColorProfile, _ samples: [UInt8]
  ) throws(CodecError) -> RasterImage {
    guard
      let image = RasterImage(
        width: frame.width, height: frame.height, layout: layout, profile: profile, bytes: samples)
    else { throw .library(name: "libjpeg", message: "unexpected number of samples") }
    return image
  }
}
