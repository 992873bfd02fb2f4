import CHEIFShim
import CodecKit
import Pixels

/// A HEIC picture at a half, a quarter or an eighth of its size: each pixel is the mean of a square in Y′CbCr, computed
/// tile by tile as libde265 decodes them.
///
/// HEVC's loop filters are skipped. Intra prediction works on samples before them (H.265, 8.4.4.2), so their effect
/// stays within a few pixels of a block's edge.
struct HEIFReduction {
  private let bytes: [UInt8]
  private let info: HEIFFileInfo
  private let grid: HEIFGrid
  /// The part of the grid that is shown.
  private let visible: PixelRegion
  /// The side of a square, in pixels.
  private let side: Int

  /// Throws `unsupported` with the reason for pictures that cannot be reduced like this.
  init(_ bytes: [UInt8], _ info: HEIFFileInfo, atLeast longestSide: Int) throws(CodecError) {
    guard info.format == "heic", info.bitDepth == 8, info.alpha == .absent, !info.isGray else {
      throw .unsupported("only 8-bit colour HEIC without alpha can be reduced while decoding")
    }
    let isGrid = info.items.types[info.items.primary] == "grid"
    let grid = try isGrid ? HEIFGrid(info) : HEIFGrid(frame: info)
    visible = grid.placement.visiblePart
    guard visible.x == 0, visible.y == 0 else {
      throw .unsupported("a picture that is cropped on the left or at the top is decoded whole")
    }
    let longest = max(info.width, info.height)
    // The larger the squares are relative to the wanted size, the more means of light differ from means of encoded
    // values.
    let side = [8, 4, 2].first { side in
      longest / side >= (side > 2 ? 2 * longestSide : longestSide)
        && (grid.columns == 1 || grid.tileWidth.isMultiple(of: side))
        && (grid.rows == 1 || grid.tileHeight.isMultiple(of: side))
    }
    guard let side else { throw .unsupported("half the picture's size is not enough") }
    (self.bytes, self.info, self.grid, self.side) = (bytes, info, grid, side)
  }

  func decode(_ limits: ReadLimits) throws(CodecError) -> RequestedPixels {
    let decoder = try HEVCDecoder()
    let (width, height) = ((visible.width + side - 1) / side, (visible.height + side - 1) / side)
    var samples = [UInt8](repeating: 0, count: width * height * 3)
    var gaps = HEVCGaps()
    for part in grid.parts(touching: visible) {
      guard let shown = part.region.intersection(visible) else { continue }
      let colour = try decoder.decode(part.tile, &gaps)
      decoder.means(
        of: side, width: shown.width, height: shown.height, colour, &samples,
        from: (shown.y / side * width + shown.x / side) * 3, stride: width * 3)
    }
    try gaps.check()
    let format = PixelFormat(layout: .rgb, bitDepth: 8)
    guard let image = RasterImage(width: width, height: height, format: format, samples: .bytes(samples))
    else { throw .malformed("a picture without pixels") }
    return try HEIFReader.upright(image, grid.placement, bytes, info, limits)
  }
}

/// The libde265 that libheif has loaded.
private struct HEVCDecoder: ~Copyable {
  struct Colour {
    /// Shares of red and blue in luma.
    var kr, kb: Float
    var isFullRange: Bool
  }

  private let decoder: OpaquePointer

  init() throws(CodecError) {
    try OpenedLibrary.heif.need()
    guard let opened = LoadedLibrary("libde265").flatMap({ hb_de265_open($0.path) }) else {
      throw .unsupported("this libheif has not loaded a libde265 that provides luma and chroma")
    }
    decoder = opened
  }

  deinit { hb_de265_close(decoder) }

  /// Decodes a tile, for `means`, and adds its missing blocks to `gaps`.
  borrowing func decode(_ tile: HEIFTile, _ gaps: inout HEVCGaps) throws(CodecError) -> Colour {
    for unit in try tile.units() {
      let status = unit.withUnsafeBufferPointer { hb_de265_push(decoder, $0.baseAddress, $0.count) }
      guard status == 0 else { throw .malformed("libde265 rejects a tile") }
    }
    var picture = hb_de265_picture()
    switch hb_de265_decode(decoder, &picture) {
    case 0: break
    case -1: throw .unsupported("its tiles are not coded in 4:2:0")
    default: throw .malformed("damaged: libde265 cannot decode part of the picture")
    }
    gaps.add(picture.gaps)
    // It is larger at most by padding: see `HEIFStream`.
    guard Int(picture.width) >= tile.width, Int(picture.height) >= tile.height else {
      throw .malformed("a tile that is smaller than it states")
    }
    var (matrix, isFullRange) = (Int(picture.matrix), picture.is_full_range != 0)
    if let box = tile.colour {
      var reader = BoxScanner(box.payload.dropFirst(8), fault: box.broken)
      (matrix, isFullRange) = (try reader.number(2), try reader.number(1) & 128 != 0)
    }
    guard let (kr, kb) = Self.shares[matrix] else {
      throw .unsupported("pictures with colour matrix \(matrix) cannot be reduced while decoding")
    }
    return Colour(kr: kr, kb: kb, isFullRange: isFullRange)
  }

  /// Writes the means of squares in the first `width` columns and `height` rows of the last tile.
  borrowing func means(
    of side: Int, width: Int, height: Int, _ colour: Colour, _ samples: inout [UInt8], from start: Int,
    stride: Int
  ) {
    samples.withUnsafeMutableBufferPointer { target in
      guard let base = target.baseAddress else { return }
      hb_de265_means(
        decoder, side, width, height, colour.kr, colour.kb, colour.isFullRange ? 1 : 0, base + start, stride)
    }
  }

  /// Shares of red and blue in luma by matrix coefficients (H.273, table 4); unstated ones are treated as BT.601's, as
  /// in libheif.
  private static let shares: [Int: (Float, Float)] = [
    1: (0.2126, 0.0722), 2: (0.299, 0.114), 4: (0.30, 0.11), 5: (0.299, 0.114), 6: (0.299, 0.114),
    7: (0.212, 0.087), 9: (0.2627, 0.0593), 10: (0.2627, 0.0593),
  ]
}

extension HEIFTile {
  /// The NAL units of the decoder configuration (ISO/IEC 14496-15, 8.3.3.1) and of the tile.
  fileprivate func units() throws(CodecError) -> [ArraySlice<UInt8>] {
    var units: [ArraySlice<UInt8>] = []
    var reader = BoxScanner(configuration.payload.dropFirst(21), fault: configuration.broken)
    let lengthBytes = try reader.number(1) & 3 + 1
    // libheif assumes four bytes, so with another length both would see different units.
    guard lengthBytes == 4 else {
      throw .unsupported("its units state their lengths in \(lengthBytes) bytes")
    }
    for _ in 0..<(try reader.number(1)) {
      try reader.take(1)
      for _ in 0..<(try reader.number(2)) { units.append(try reader.take(reader.number(2))) }
    }
    reader = BoxScanner(data, fault: .malformed("a tile ends early"))
    while reader.remaining > 0 { units.append(try reader.take(reader.number(lengthBytes))) }
    return units
  }
}
