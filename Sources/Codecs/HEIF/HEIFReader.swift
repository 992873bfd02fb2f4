package import CodecKit
package import Model
import Pixels

/// Reads HEIC and AVIF files: the primary image, cropped, rotated and mirrored as the file states.
package struct HEIFReader: ImageReader {
  package let formats = ["HEIC", "AVIF"]

  package init() {}

  private static let brands: Set<FourCC> = [
    "heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs", "mif1", "mif2", "msf1", "avif", "avis",
  ]

  package func recognises(_ bytes: [UInt8]) -> Bool {
    var reader = BoxScanner(bytes.prefix(64))
    guard let size = try? reader.number(4), size >= 8 || size == 0, (try? reader.code()) == "ftyp",
      let major = try? reader.code()
    else { return false }
    if Self.brands.contains(major) { return true }
    guard (try? reader.number(4)) != nil else { return false }
    while reader.position < size || size == 0, let brand = try? reader.code() {
      if Self.brands.contains(brand) { return true }
    }
    return false
  }

  /// The boxes that describe the images may be at the end of the file.
  package var mayEndWithHeader: Bool { true }

  package func mayHaveGainMap(_ bytes: [UInt8]) -> Bool { true }

  package func anyHeader(of bytes: [UInt8]) throws(CodecError) -> ImageHeader {
    let info = try HEIFFileInfo(bytes, maximumPixels: .max)
    return ImageHeader(
      format: info.format, width: info.width, height: info.height, bitDepth: info.bitDepth,
      layout: info.layout, isLossy: true, hdr: info.hdr)
  }

  package func read(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> SourceImage {
    let info = try HEIFFileInfo(bytes, limits)
    let decoded = try HEIFDecoder(info: info).decode(bytes)
    let (profile, note) = try HEIFColour.profile(of: decoded, limits)
    return SourceImage(
      image: decoded.raster.tagged(profile), notes: [decoded.notes, note.map { [$0] } ?? []].flatMap { $0 })
  }
}

extension HEIFReader {
  /// Measured for libheif 1.15, in bytes per pixel: planar and interleaved RGB at the same time, and remains of the
  /// decoder's planes.
  package func predictedMemory(of bytes: [UInt8], for request: DecodePart) throws(CodecError) -> Int? {
    let info = try HEIFFileInfo(bytes, maximumPixels: .max)
    guard info.alpha == .absent, !info.isGray else { return nil }
    let isWide = info.bitDepth > 8
    let grid = try? HEIFGrid(info)
    switch request {
    case .full: return whole(info, grid)
    case .region(let region):
      guard let grid else { return whole(info, nil) }
      guard info.width *| info.height >= Self.fewestPixels else { return nil }
      let tile = grid.tileWidth *| grid.tileHeight *| (isWide ? 18 : 9)
      // The boxes of all tiles are read, even if few are decoded.
      return tile +| region.width *| region.height *| (isWide ? 12 : 6) +| 1_400 *| grid.rows *| grid.columns
    case .ycbcr, .scaled, .thumbnail, .firstTile: return nil
    }
  }

  /// The minimum number of pixels for a prediction: heap fragmentation changed the memory of pictures of 3 megapixels
  /// by 15 % and more between runs.
  private static let fewestPixels = 5_000_000

  private func whole(_ info: HEIFFileInfo, _ grid: HEIFGrid?) -> Int? {
    let pixels = info.width *| info.height
    guard info.bitDepth == 8, pixels >= Self.fewestPixels else { return nil }
    if let grid { return 6 *| pixels +| 44 *| grid.tileWidth *| grid.tileHeight / 10 }
    // Decoder memory besides planes depends on the stream: fast AVIF encodes need 6.9 bytes per pixel, slow ones 8.2.
    return info.format == "heic" ? 6 *| pixels +| (5 << 20) : 73 *| pixels / 10 +| 2_726_298
  }
}
