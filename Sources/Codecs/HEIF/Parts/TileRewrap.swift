package import CodecKit
import Pixels

/// The tiles of a HEIC or AVIF grid as separate files, with unchanged coded bytes and without decoding.
///
/// Tiles are counted in the displayed picture. If turning moves the padding of the last stored column or row to the
/// front, `origin` gives its size; padding at the end is cropped off.
package struct TileRewrap {
  /// Size of the displayed picture with padding in front.
  package let width, height: Int
  /// Position of the picture's first pixel.
  package let origin: (x: Int, y: Int)
  /// Side of the square tiles in pixels.
  package let tileSize: Int
  package let columns, rows: Int

  private let grid: HEIFGrid
  private let turns: [Orientation]

  /// Reads the boxes of a file. Throws `unsupported` with the reason if its tiles cannot be separated.
  package init(_ file: [UInt8], maximumPixels: Int) throws(CodecError) {
    grid = try HEIFGrid(HEIFFileInfo(file, maximumPixels: maximumPixels))
    guard grid.tileWidth == grid.tileHeight else {
      throw .unsupported("its tiles have \(grid.tileWidth)×\(grid.tileHeight) pixels and are not square")
    }
    guard TilePyramid.tileSizes.contains(grid.tileWidth) else {
      throw .unsupported("its tiles of \(grid.tileWidth) pixels are too small or too large")
    }
    guard !grid.placement.isCropped else {
      throw .unsupported("it is cropped so that tiles begin before the picture")
    }
    tileSize = grid.tileWidth
    turns = grid.placement.turns
    let shown = PixelRegion(x: 0, y: 0, width: grid.width, height: grid.height)
      .upright(by: turns, width: grid.columns *| grid.tileWidth, height: grid.rows *| grid.tileHeight)
    origin = (shown.x, shown.y)
    (width, height) = (shown.maximumX, shown.maximumY)
    (columns, rows) = turns.swapSides ? (grid.rows, grid.columns) : (grid.columns, grid.rows)
  }

  /// The file of a tile; `column` and `row` count in the displayed picture. Empty outside it.
  package func file(column: Int, row: Int) -> [UInt8] {
    let kept = PixelRegion(
      x: 0, y: 0, width: min(tileSize, width -| column *| tileSize),
      height: min(tileSize, height -| row *| tileSize))
    // Goes from the turned picture back to the stored one, last turn first.
    var (sizes, size) = ([(width: Int, height: Int)](), (width: grid.columns, height: grid.rows))
    for turn in turns {
      sizes.append(size)
      if turn.swapsSides { size = (size.height, size.width) }
    }
    var (place, cut) = (PixelRegion(x: column, y: row, width: 1, height: 1), kept)
    for (turn, size) in zip(turns, sizes).reversed() {
      place = place.stored(as: turn, width: size.width, height: size.height)
      cut = cut.stored(as: turn, width: tileSize, height: tileSize)
    }
    guard let tile = grid.tile(column: place.x, row: place.y) else { return [] }
    return tile.file(
      cut: cut, turns: turns, profile: grid.profile ?? tile.profile, colour: grid.colour)
  }
}

extension PixelRegion {
  /// Maps a rectangle of an image of this size to the image after all turns in order.
  func upright(by turns: [Orientation], width: Int, height: Int) -> PixelRegion {
    var (region, width, height) = (self, width, height)
    for turn in turns {
      region = region.upright(from: turn, width: width, height: height)
      if turn.swapsSides { (width, height) = (height, width) }
    }
    return region
  }
}

extension [Orientation] {
  fileprivate var swapSides: Bool { count { $0.swapsSides } & 1 == 1 }
}

package enum TilePacking {
  /// A grid file from the coded pictures of `files`, row by row, without decoding. Tiles that share turns give a
  /// picture with these turns. Throws with the number of the file at fault, if any, when they do not form a grid.
  /// - Parameter size: Size of the displayed picture in pixels; nil derives it from the visible part of the last stored
  ///   tile.
  package static func file(
    _ files: [[UInt8]], columns: Int, size: (width: Int, height: Int)?
  ) throws(TilePackingError) -> [UInt8] {
    var tiles: [HEIFTile] = []
    for (index, file) in files.enumerated() {
      let tile: HEIFTile
      do { tile = try HEIFTile(file: file) } catch {
        throw TilePackingError(file: index, reason: error.description)
      }
      tiles.append(tile)
      guard tile.turns == tiles.first?.turns else {
        throw TilePackingError(file: index, reason: "it is rotated differently from the first tile")
      }
    }
    do throws(CodecError) {
      return try grid(tiles, columns: columns, size: size).bytes
    } catch {
      throw TilePackingError(file: nil, reason: error.description)
    }
  }

  private static func grid(
    _ tiles: [HEIFTile], columns: Int, size: (width: Int, height: Int)?
  ) throws(CodecError) -> HEIFGridFile {
    guard columns > 0, tiles.count.isMultiple(of: columns), let turns = tiles.first?.turns else {
      throw .unsupported("\(tiles.count) tiles do not fill whole rows of \(columns)")
    }
    let rows = tiles.count /| columns
    let stored = turns.swapSides ? (columns: rows, rows: columns) : (columns: columns, rows: rows)
    let arranged = stored.rows.indices.flatMap { row in
      stored.columns.indices.compactMap { column in
        let place = PixelRegion(x: column, y: row, width: 1, height: 1)
          .upright(by: turns, width: stored.columns, height: stored.rows)
        return tiles.element(place.y *| columns +| place.x)
      }
    }
    guard let corner = arranged.last else { throw .unsupported("there are no tiles") }
    let shown = corner.crop ?? PixelRegion(x: 0, y: 0, width: corner.width, height: corner.height)
    guard shown.x == 0, shown.y == 0 else {
      throw .unsupported("the last tile is cropped at edges other than its right and lower ones")
    }
    let size = turns.swapSides ? size.map { ($0.height, $0.width) } : size
    return try HEIFGridFile(
      arranged, columns: stored.columns,
      width: size?.width ?? (stored.columns -| 1) *| corner.width +| shown.width,
      height: size?.height ?? (stored.rows -| 1) *| corner.height +| shown.height, turns: turns)
  }

  /// A file that crops a coded picture to its upper left `width` × `height` pixels, without the padding.
  package static func cut(_ file: [UInt8], width: Int, height: Int) throws(CodecError) -> [UInt8] {
    let tile = try HEIFTile(file: file)
    return tile.file(
      cut: PixelRegion(x: 0, y: 0, width: width, height: height), turns: [], profile: tile.profile)
  }
}

package struct TilePackingError: Error {
  package var file: Int?
  package var reason: String
}
