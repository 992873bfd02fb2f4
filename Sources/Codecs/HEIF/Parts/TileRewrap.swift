package import CodecKit
import Pixels

/// The tiles of a HEIC or AVIF grid as files of their own: the coded bytes as they are, nothing decoded.
///
/// The tiles lie in the picture as it is shown. Where it is turned, the padding of the last stored column or row
/// comes to lie before the first shown one, and `origin` says how much of it there is; padding behind the picture is
/// cut off.
package struct TileRewrap {
  /// Pixels from left to right and from top to bottom, padding in front included.
  package let width, height: Int
  /// The first pixel of the picture.
  package let origin: (x: Int, y: Int)
  /// Pixels of a tile's side.
  package let tileSize: Int
  /// Tiles.
  package let columns, rows: Int

  private let grid: HEIFGrid
  private let turns: [Orientation]

  /// Reads the boxes of a file. Throws `unsupported` with the reason where its tiles cannot be had apart.
  package init(_ file: [UInt8], maximumPixels: Int) throws(CodecError) {
    grid = try HEIFGrid(file, info: HEIFFileInfo(file, maximumPixels: maximumPixels))
    guard grid.tileWidth == grid.tileHeight else {
      throw .unsupported("its tiles have \(grid.tileWidth)×\(grid.tileHeight) pixels and are not square")
    }
    guard TilePyramid.tileSizes.contains(grid.tileWidth) else {
      throw .unsupported("its tiles of \(grid.tileWidth) pixels are too small or too large")
    }
    guard !grid.placement.isCropped else {
      throw .unsupported("it is cropped, so that tiles begin before it")
    }
    tileSize = grid.tileWidth
    turns = grid.placement.turns
    let shown = PixelRegion(x: 0, y: 0, width: grid.width, height: grid.height)
      .upright(by: turns, width: grid.columns * grid.tileWidth, height: grid.rows * grid.tileHeight)
    origin = (shown.x, shown.y)
    (width, height) = (shown.maximumX, shown.maximumY)
    (columns, rows) = turns.swapSides ? (grid.rows, grid.columns) : (grid.columns, grid.rows)
  }

  /// The file of a tile, counted as shown; column and row have to be inside.
  package func file(column: Int, row: Int) -> [UInt8] {
    let kept = PixelRegion(
      x: 0, y: 0, width: min(tileSize, width - column * tileSize),
      height: min(tileSize, height - row * tileSize))
    // From the turned picture back to the stored one, the last turn first.
    var sizes = [(width: grid.columns, height: grid.rows)]
    for turn in turns {
      let last = sizes[sizes.count - 1]
      sizes.append(turn.swapsSides ? (last.height, last.width) : last)
    }
    var (place, cut) = (PixelRegion(x: column, y: row, width: 1, height: 1), kept)
    for (turn, size) in zip(turns, sizes).reversed() {
      place = place.stored(as: turn, width: size.width, height: size.height)
      cut = cut.stored(as: turn, width: tileSize, height: tileSize)
    }
    let tile = grid.tile(column: place.x, row: place.y)
    return tile.file(cut: cut, turns: turns, profile: grid.profile ?? tile.profile)
  }
}

extension PixelRegion {
  /// Where it lies in an image of so many columns and rows once that has been turned, one turn after the other.
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
  /// Whether columns are rows after all of these turns.
  fileprivate var swapSides: Bool { count { $0.swapsSides } % 2 == 1 }
}

/// Tiles in files of their own that become one picture.
package enum TilePacking {
  /// One grid file of the coded pictures of `files`, row by row; nothing is decoded. Tiles that are all turned in the same
  /// way become a picture that is.
  ///
  /// - Parameter size: Pixels of the picture as it is shown; nil takes what the tile that is stored last shows.
  /// Throws with the number of the file at fault, or none, where they are no grid.
  package static func file(
    _ files: [[UInt8]], columns: Int, size: (width: Int, height: Int)?
  ) throws(TilePackingError) -> [UInt8] {
    var tiles: [HEIFTile] = []
    for (index, file) in files.enumerated() {
      do { tiles.append(try HEIFTile(file: file)) } catch {
        throw TilePackingError(file: index, reason: error.description)
      }
      guard tiles[index].turns == tiles[0].turns else {
        throw TilePackingError(file: index, reason: "it is turned in another way than the first tile")
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
      throw .unsupported("\(tiles.count) tiles are no whole rows of \(columns)")
    }
    let rows = tiles.count / columns
    let stored = turns.swapSides ? (columns: rows, rows: columns) : (columns: columns, rows: rows)
    let arranged = tiles.indices.map { index in
      let place = PixelRegion(x: index % stored.columns, y: index / stored.columns, width: 1, height: 1)
        .upright(by: turns, width: stored.columns, height: stored.rows)
      return tiles[place.y * columns + place.x]
    }
    let corner = arranged[arranged.count - 1]
    let shown = corner.crop ?? PixelRegion(x: 0, y: 0, width: corner.width, height: corner.height)
    guard shown.x == 0, shown.y == 0 else {
      throw .unsupported("the last tile is not cut at its right and lower edge alone")
    }
    let size = turns.swapSides ? size.map { ($0.height, $0.width) } : size
    return try HEIFGridFile(
      arranged, columns: stored.columns,
      width: size?.width ?? (stored.columns - 1) * corner.width + shown.width,
      height: size?.height ?? (stored.rows - 1) * corner.height + shown.height, turns: turns)
  }

  /// A coded picture whose right and lower edge are padding, as a file that shows what is left without it.
  package static func cut(_ file: [UInt8], width: Int, height: Int) throws(CodecError) -> [UInt8] {
    let tile = try HEIFTile(file: file)
    return tile.file(
      cut: PixelRegion(x: 0, y: 0, width: width, height: height), turns: [], profile: tile.profile)
  }
}

/// Why tiles are no grid.
package struct TilePackingError: Error {
  /// Which of the files; nil where it is none by itself.
  package var file: Int?
  /// The reason, without the file's name.
  package var reason: String
}
