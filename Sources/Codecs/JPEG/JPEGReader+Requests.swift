import CJPEGShim
package import CodecKit
import Pixels

extension JPEGReader {
  /// Gets reduced sizes from the inverse DCT, regions by skipping, thumbnails from Exif, and planes as coded.
  package func decode(
    _ bytes: [UInt8], _ request: DecodePart, limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels {
    let markers = try Self.markers(bytes)
    try SourceColour.check(hdr: SourceColour.hdr(icc: markers.icc), limits)
    try PixelLimit.check(width: markers.width, height: markers.height, limits)
    switch request {
    case .full, .firstTile: return try decodeWhole(bytes, request, limits: limits)
    case .ycbcr: return try JPEGDecompressor.planes(of: bytes, limits: limits)
    case .thumbnail: return try thumbnail(markers, bytes, limits)
    case .scaled(let side):
      let longest = max(markers.width, markers.height)
      guard let denominator = [8, 4, 2].first(where: { (longest + $0 - 1) / $0 >= side }) else {
        throw .unsupported("half the picture's size is not enough")
      }
      return try part(of: bytes, markers, limits, denominator: denominator)
    case .region(let region):
      let turned = markers.orientation.swapsSides
      let (width, height) =
        turned ? (markers.height, markers.width) : (markers.width, markers.height)
      guard region.fits(width: width, height: height) else {
        throw .unsupported("the region is not inside the picture")
      }
      let stored = region.stored(as: markers.orientation, width: markers.width, height: markers.height)
      var result = try part(of: bytes, markers, limits, stored)
      result.region = region
      return result
    }
  }

  /// Decodes a rectangle of the stored picture, from a band between restart markers if possible.
  private func part(
    of bytes: [UInt8], _ markers: JPEGMarkers, _ limits: ReadLimits, _ region: PixelRegion
  ) throws(CodecError) -> RequestedPixels {
    guard let band = JPEGBands(bytes, markers)?.band(of: region.y..<region.maximumY) else {
      return try part(of: bytes, markers, limits, region: region)
    }
    var inBand = region
    inBand.y -= band.firstRow
    var result = try part(of: band.bytes, markers, limits, region: inBand)
    result.touchedBytes = min(bytes.count, band.touchedBytes)
    result.notes.append("only the rows between restart markers")
    return result
  }

  private func part(
    of bytes: [UInt8], _ markers: JPEGMarkers, _ limits: ReadLimits, denominator: Int = 1,
    region: PixelRegion? = nil
  ) throws(CodecError) -> RequestedPixels {
    let decoded = try JPEGDecompressor.decode(
      bytes, limits: limits, denominator: denominator, region: region)
    let (image, notes) = try Self.image(decoded, markers, limits)
    return RequestedPixels(
      .raster(image.oriented(markers.orientation)), touchedBytes: decoded.touchedBytes, notes: notes)
  }

  private func thumbnail(
    _ markers: JPEGMarkers, _ bytes: [UInt8], _ limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels {
    guard let thumbnail = markers.thumbnail else { throw .unsupported("there is no embedded thumbnail") }
    let isTurned = markers.orientation.swapsSides
    let profile =
      markers.components == 3 ? try SourceColour.profile(icc: markers.icc, for: .rgb, limits).profile : nil
    let image = try thumbnail.decode(
      width: isTurned ? markers.height : markers.width, height: isTurned ? markers.width : markers.height,
      limits: limits, profile: profile)
    return RequestedPixels(.raster(image), touchedBytes: min(bytes.count, thumbnail.end))
  }
}

extension JPEGDecompressor {
  static func planes(of bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> RequestedPixels {
    try opened(bytes, limits) { decoder, _ throws(CodecError) in
      guard hb_jpeg_is_luma_and_chroma(decoder.handle) != 0 else {
        throw .unsupported("the samples are not coded as luma and chroma")
      }
      let sizes = (0..<hb_jpeg_plane_count(decoder.handle)).map { plane in
        var (width, height): (Int32, Int32) = (0, 0)
        hb_jpeg_plane_size(decoder.handle, plane, &width, &height)
        return (width: Int(width), height: Int(height))
      }
      let total = sizes.reduce(0) { $0 + $1.width * $1.height }
      let samples = try decoder.samples(total) { pixels in
        var next = pixels
        let planes = sizes.map { size in
          defer { next = next.map { $0 + size.width * size.height } }
          return next
        }
        return planes.withUnsafeBufferPointer { hb_jpeg_read_planes(decoder.handle, $0.baseAddress) }
      }
      var start = 0
      let planes = sizes.map { size in
        let count = size.width * size.height
        defer { start += count }
        return SamplePlane(
          width: size.width, height: size.height, samples: .bytes(Array(samples[start..<(start + count)])))
      }
      return RequestedPixels(
        .planes(planes), touchedBytes: bytes.count, notes: try decoder.warning().map { [$0] } ?? [])
    }
  }
}
