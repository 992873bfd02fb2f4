package import CodecKit
package import Model
import Pixels

/// Reads HEIC and AVIF files: the primary image, cropped, rotated and mirrored as the file states.
package struct HEIFReader: ImageReader {
  package init() {}

  private static let brands: Set<FourCC> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1", "avif", "avis",
  ]

  package func recognises(_ bytes: [UInt8]) -> Bool {
    var reader = BoxScanner(bytes.prefix(64))
    guard let size = reader.number(4), size >= 8 || size == 0, reader.code() == "ftyp",
      let major = reader.code()
    else { return false }
    if Self.brands.contains(major) { return true }
    guard reader.number(4) != nil else { return false }
    while reader.position < size || size == 0, let brand = reader.code() {
      if Self.brands.contains(brand) { return true }
    }
    return false
  }

  /// The boxes that describe the images may come last.
  package var mayEndWithHeader: Bool { true }

  package func header(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let info = try HEIFFileInfo(bytes, maximumPixels: .max)
    return ImageHeader(
      format: info.format, width: info.width, height: info.height, bitDepth: info.bitDepth,
      layout: info.layout, isLossy: true)
  }

  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let info = try HEIFFileInfo(bytes, maximumPixels: limits.maximumPixels)
    let decoded = try HEIFDecoder(info: info, maximumPixels: limits.maximumPixels).decode(bytes)
    let (profile, note) = try HEIFColour.profile(of: decoded)
    return SourceImage(
      image: decoded.raster.tagged(profile), notes: decoded.notes + (note.map { [$0] } ?? []))
  }
}
