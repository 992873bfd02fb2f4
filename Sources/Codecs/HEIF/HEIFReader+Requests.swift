import CHEIFShim
package import CodecKit
import Pixels

extension HEIFReader {
  /// Gets thumbnails from embedded ones, regions and first pixels from tiles, reduced sizes from libde265's luma and
  /// chroma, and planes if libheif exposes them.
  package func decode(
    _ bytes: [UInt8], _ request: DecodePart, limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels {
    switch request {
    case .full: return try decodeWhole(bytes, request, limits: limits)
    case .scaled(let side):
      return try HEIFReduction(bytes, HEIFFileInfo(bytes, limits), atLeast: side).decode(limits)
    case .ycbcr: return try HEIFPlanes.decode(bytes, limits: limits)
    case .thumbnail(let side):
      return try HEIFThumbnails(bytes, limits: limits).decode(atLeast: side)
    case .region(let region):
      let info = try HEIFFileInfo(bytes, limits)
      let grid: HEIFGrid
      do {
        grid = try HEIFGrid(info)
      } catch .unsupported {
        return try decodeWhole(bytes, request, limits: limits)
      }
      return try pixels(of: region, grid, bytes, info, limits)
    case .firstTile:
      let info = try HEIFFileInfo(bytes, limits)
      let grid = try HEIFGrid(info)
      let first = grid.placement.stored(PixelRegion(x: 0, y: 0, width: 1, height: 1))
      guard let tile = grid.parts(touching: first).first, let region = grid.placement.shown(tile.region)
      else { throw .malformed("no tile contains the first pixel") }
      return try pixels(of: region, grid, bytes, info, limits)
    }
  }

  /// Assembles a region from the tiles it touches, each decoded as a separate file.
  private func pixels(
    of region: PixelRegion, _ grid: HEIFGrid, _ bytes: [UInt8], _ info: HEIFFileInfo, _ limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels {
    guard region.fits(width: info.width, height: info.height) else {
      throw .unsupported("the region is not inside the picture")
    }
    let stored = grid.placement.stored(region)
    var canvas: RasterCanvas?
    var touched = grid.headerBytes
    for part in grid.parts(touching: stored) {
      let file = part.tile.file()
      let tile = try HEIFDecoder(info: HEIFFileInfo(file, maximumPixels: info.maximumPixels))
        .decode(file).raster
      touched += part.tile.byteCount
      if canvas == nil {
        canvas = RasterCanvas(width: stored.width, height: stored.height, like: tile)
      }
      guard let piece = part.region.intersection(stored) else { continue }
      let inTile = PixelRegion(
        x: piece.x - part.region.x, y: piece.y - part.region.y, width: piece.width, height: piece.height)
      guard
        canvas?.paste(tile, from: inTile, x: piece.x - stored.x, y: piece.y - stored.y) == true
      else { throw .malformed("tiles that differ in size or depth") }
    }
    guard let image = canvas?.image else { throw .unsupported("the region does not touch any tile") }
    var result = try Self.upright(image, grid.placement, bytes, info, limits)
    (result.touchedBytes, result.region) = (min(touched, bytes.count), region)
    return result
  }

  /// Converts pixels as stored to upright ones, turned and with colours as the file states.
  static func upright(
    _ stored: RasterImage, _ placement: HEIFPlacement, _ bytes: [UInt8], _ info: HEIFFileInfo,
    _ limits: ReadLimits
  ) throws(CodecError) -> RequestedPixels {
    let image = placement.turns.reduce(stored) { $0.oriented($1) }
    let (profile, note) = try HEIFContext.withPrimaryImage(of: bytes, info) { handle throws(CodecError) in
      try HEIFColour.profile(
        of: HEIFDecoder(info: info).describing(HEIFDecoder.Result(raster: image), by: handle), limits)
    }
    return RequestedPixels(
      .raster(image.tagged(profile)), touchedBytes: bytes.count, notes: note.map { [$0] } ?? [])
  }
}

enum HEIFPlanes {
  /// The first libheif that exposes decoded planes (1.19); earlier ones convert every picture to RGB and, for planes,
  /// back.
  private static let firstVersion: UInt32 = 0x0113_0000

  static func decode(_ bytes: [UInt8], limits: ReadLimits) throws(CodecError) -> RequestedPixels {
    guard LoadedHEIF.versionNumber >= firstVersion else {
      throw .unsupported("libheif before 1.19 converts every picture to RGB")
    }
    let info = try HEIFFileInfo(bytes, limits)
    return try HEIFContext.withPrimaryImage(of: bytes, info) { handle throws(CodecError) in
      let image = try handle.decode(heif_colorspace_undefined, heif_chroma_undefined)
      var planes: [SamplePlane] = []
      for channel in [heif_channel_Y, heif_channel_Cb, heif_channel_Cr] {
        let (width, height) = (image.width(of: channel), image.height(of: channel))
        guard width > 0, height > 0 else { continue }
        let samples = try image.samples(of: channel, rowCount: width, rows: height)
        planes.append(SamplePlane(width: width, height: height, samples: samples))
      }
      guard !planes.isEmpty else { throw .unsupported("the samples are not coded as luma and chroma") }
      return RequestedPixels(.planes(planes), touchedBytes: bytes.count)
    }
  }
}
