import CodecKit
import Pixels

/// A picture that a HEIF file puts together from coded tiles of one size, each of which decodes by itself
/// (ISO/IEC 23008-12, 6.6.2.3).
struct HEIFGrid {
  /// Columns and rows of the canvas, before the picture's transformations.
  let width, height: Int
  /// Columns and rows of a tile.
  let tileWidth, tileHeight: Int
  /// How many tiles there are from left to right.
  let columns: Int
  /// How the canvas becomes the picture.
  let placement: HEIFPlacement
  /// Bytes of the file in front of and around the coded pictures that have to be read to find them.
  let headerBytes: Int

  /// The picture's ICC profile; nil without one.
  let profile: HEIFBox?

  private let tiles: [HEIFTile]

  /// Finds the tiles of a file's primary image. Throws `unsupported` with the reason where it has none, or
  /// where they do not decode apart from each other to just the pixels of the whole.
  init(_ file: [UInt8], info: HEIFFileInfo) throws(CodecError) {
    let boxes = try HEIFBox.list(in: file[...], isTruncationAllowed: true)
    guard let meta = boxes.first("meta") else { throw .malformed("the file has no “meta” box") }
    let items = try HEIFItems(meta: meta)
    guard let primary = items.primary, items.types[primary] == "grid" else {
      throw .unsupported("the picture is not coded in tiles")
    }
    guard info.alpha == .absent, !info.isGray else {
      throw .unsupported("tiles of gray pictures and of pictures with alpha are not taken apart")
    }
    let description = try Self.description(items.data(of: primary, in: file))
    let sources = items.sources(of: primary)
    guard sources.count == description.rows * description.columns, let first = sources.first else {
      throw .malformed("a grid with \(sources.count) instead of its tiles")
    }
    (width, height, columns) = (description.width, description.height, description.columns)
    (tileWidth, tileHeight) = try HEIFTile.size(of: first, in: items)
    guard tileWidth * columns >= width, tileHeight * description.rows >= height else {
      throw .malformed("tiles that do not cover the picture")
    }
    placement = try HEIFPlacement(
      width: width, height: height, properties: items.propertyBoxes[primary] ?? [])
    guard placement.width == info.width, placement.height == info.height else {
      throw .unsupported("its transformations do not give the size that it states")
    }
    profile = (items.propertyBoxes[primary] ?? []).first {
      $0.type == "colr" && !$0.payload.starts(with: "nclx".utf8)
    }
    var tiles: [HEIFTile] = []
    for item in sources {
      let tile = try HEIFTile(item, in: items, file: file)
      guard tile.width == tileWidth, tile.height == tileHeight else {
        throw .unsupported("its tiles differ in size")
      }
      tiles.append(tile)
    }
    self.tiles = tiles
    headerBytes = boxes.filter { $0.type != "mdat" }.reduce(0) { $0 + $1.payload.count + 8 }
  }

  /// Rows, columns and the canvas, from a grid's data.
  private static func description(
    _ data: ArraySlice<UInt8>?
  ) throws(CodecError) -> (rows: Int, columns: Int, width: Int, height: Int) {
    var reader = BoxScanner(data ?? [])
    guard reader.number(1) == 0, let flags = reader.number(1), let rows = reader.number(1),
      let columns = reader.number(1), let width = reader.number(flags & 1 == 1 ? 4 : 2),
      let height = reader.number(flags & 1 == 1 ? 4 : 2), width > 0, height > 0
    else { throw .malformed("the description of the grid is broken") }
    return (rows + 1, columns + 1, width, height)
  }

  /// A tile with what of it is inside the canvas.
  struct Part {
    /// The tile.
    var tile: HEIFTile
    /// Where it lies on the canvas, without the padding of the last column and row.
    var region: PixelRegion
  }

  /// How many tiles there are from top to bottom.
  var rows: Int { tiles.count / columns }

  /// The tile of a column and a row, both inside the grid.
  func tile(column: Int, row: Int) -> HEIFTile { tiles[row * columns + column] }

  /// The tiles that a rectangle of the canvas touches.
  func parts(touching region: PixelRegion) -> [Part] {
    guard region.fits(width: width, height: height) else { return [] }
    var parts: [Part] = []
    for row in (region.y / tileHeight)...((region.maximumY - 1) / tileHeight) {
      for column in (region.x / tileWidth)...((region.maximumX - 1) / tileWidth) {
        let (x, y) = (column * tileWidth, row * tileHeight)
        let inside = PixelRegion(
          x: x, y: y, width: min(tileWidth, width - x), height: min(tileHeight, height - y))
        parts.append(Part(tile: tiles[row * columns + column], region: inside))
      }
    }
    return parts
  }
}
