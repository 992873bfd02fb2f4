import CodecKit
import Pixels

/// Separately decodable tiles of the same size that form a picture (ISO/IEC 23008-12, 6.6.2.3).
struct HEIFGrid {
  /// Size of the canvas, before the picture's transformations.
  let width, height: Int
  let tileWidth, tileHeight: Int
  let columns: Int
  let placement: HEIFPlacement
  let headerBytes: Int

  let profile: HEIFBox?
  /// The box of code points for tiles without one, if the grid has one.
  let colour: [UInt8]?

  private let tiles: [HEIFTile]

  /// Finds the tiles of a file's primary image. Throws `unsupported` with the reason if there are none, or if decoding
  /// them separately would not give exactly the pixels of the whole.
  init(_ info: HEIFFileInfo) throws(CodecError) {
    let (items, primary) = (info.items, info.items.primary)
    guard items.types[primary] == "grid" else { throw .unsupported("the picture is not coded in tiles") }
    guard info.alpha == .absent, !info.isGray else {
      throw .unsupported("the tiles of gray pictures and of pictures with alpha cannot be separated")
    }
    let description = try Self.description(items.data(of: primary))
    let sources = items.sources(of: primary)
    guard sources.count == description.rows *| description.columns, let first = sources.first else {
      throw .malformed("a grid of \(description.columns)×\(description.rows) with \(sources.count) tiles")
    }
    (width, height, columns) = (description.width, description.height, description.columns)
    (tileWidth, tileHeight) = try items.size(of: first)
    guard tileWidth *| columns >= width, tileHeight *| description.rows >= height else {
      throw .malformed("tiles that do not cover the picture")
    }
    placement = try HEIFPlacement(
      width: width, height: height, properties: items.propertyBoxes[primary] ?? [])
    guard placement.width == info.width, placement.height == info.height else {
      throw .unsupported("its transformations do not lead to the size that it states")
    }
    profile = (items.propertyBoxes[primary] ?? []).first { $0.isColour && !$0.hasCodePoints }
    colour = items.tileColour(of: primary, tile: first)
    var tiles: [HEIFTile] = []
    for item in sources {
      let tile = try HEIFTile(item, in: items)
      guard tile.width == tileWidth, tile.height == tileHeight else {
        throw .unsupported("its tiles differ in size")
      }
      tiles.append(tile)
    }
    self.tiles = tiles
    headerBytes = items.headerBytes
  }

  /// Treats a picture coded as a single frame as a grid with one tile.
  init(frame info: HEIFFileInfo) throws(CodecError) {
    let (items, primary) = (info.items, info.items.primary)
    let tile = try HEIFTile(primary, in: items, isAlone: true)
    (width, height, columns) = (tile.width, tile.height, 1)
    (tileWidth, tileHeight) = (width, height)
    placement = try HEIFPlacement(
      width: width, height: height, properties: items.propertyBoxes[primary] ?? [])
    (tiles, profile, headerBytes) = ([tile], tile.profile, items.headerBytes)
    colour = nil
  }

  private static func description(
    _ data: ArraySlice<UInt8>?
  ) throws(CodecError) -> (rows: Int, columns: Int, width: Int, height: Int) {
    let broken = CodecError.malformed("the description of the grid is broken")
    var reader = BoxScanner(data ?? [], fault: broken)
    let (version, flags) = (try reader.number(1), try reader.number(1))
    let (rows, columns) = (try reader.number(1) +| 1, try reader.number(1) +| 1)
    let length = flags & 1 == 1 ? 4 : 2
    let (width, height) = (try reader.number(length), try reader.number(length))
    guard version == 0, width > 0, height > 0 else { throw broken }
    return (rows, columns, width, height)
  }

  struct Part {
    var tile: HEIFTile
    /// The tile's area on the canvas, without the padding of the last column and row.
    var region: PixelRegion
  }

  var rows: Int { tiles.count /| columns }

  /// The tile at a column and row; nil outside the grid.
  func tile(column: Int, row: Int) -> HEIFTile? {
    columns.indices.contains(column) ? tiles.element(row *| columns +| column) : nil
  }

  func parts(touching region: PixelRegion) -> [Part] {
    guard region.fits(width: width, height: height) else { return [] }
    var parts: [Part] = []
    for row in region.maximumY.parts(of: tileHeight).indices(from: region.y /| tileHeight) {
      for column in region.maximumX.parts(of: tileWidth).indices(from: region.x /| tileWidth) {
        let (x, y) = (column *| tileWidth, row *| tileHeight)
        let inside = PixelRegion(
          x: x, y: y, width: min(tileWidth, width -| x), height: min(tileHeight, height -| y))
        if let tile = tile(column: column, row: row) { parts.append(Part(tile: tile, region: inside)) }
      }
    }
    return parts
  }
}

extension HEIFItems {
  /// The colours that a grid states, with the matrix and range of its tiles' own headers, by which decoders have read
  /// the samples so far.
  fileprivate func tileColour(of grid: Int, tile: Int) -> [UInt8]? {
    guard let box = (propertyBoxes[grid] ?? []).first(where: \.hasCodePoints) else { return nil }
    let coded = sampleColour(of: tile, stream(of: tile))
    let matrix = HEIFBoxes.short(coded.matrix ?? 2)
    let range: [UInt8] = [coded.isFullRange == true ? 0x80 : 0]
    return HEIFBoxes.box("colr", [box.payload.prefix(8), matrix[...], range[...]].flatMap { $0 })
  }
}
