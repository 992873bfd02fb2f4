import CodecKit
import Pixels

/// Writer of a HEIF file that assembles separately coded tiles into one picture (ISO/IEC 23008-12, 6.6.2.3).
struct HEIFGridFile {
  /// The maximum number of tiles across and down: each number has one byte.
  static let maximumTiles = 256

  private let tiles: [HEIFTile]
  private let columns: Int
  private let width, height: Int
  private let turns: [Orientation]

  /// Assembles tiles, row by row, into a picture of `width` × `height` stored pixels, to which viewers apply `turns`.
  ///
  /// Throws `unsupported` with the reason if they do not form a grid: not columns times rows, different in size, coding
  /// or colours, not covering the size, or with an unused tile.
  init(
    _ tiles: [HEIFTile], columns: Int, width: Int, height: Int, turns: [Orientation] = []
  ) throws(CodecError) {
    guard let first = tiles.first, columns > 0, tiles.count.isMultiple(of: columns) else {
      throw .unsupported("\(tiles.count) tiles do not fill whole rows of \(columns)")
    }
    let rows = tiles.count / columns
    guard columns <= Self.maximumTiles, rows <= Self.maximumTiles else {
      throw .unsupported("a grid has at most \(Self.maximumTiles) × \(Self.maximumTiles) tiles")
    }
    // Item numbers have two bytes, and the grid itself is an item.
    guard tiles.count < 0xFFFF else { throw .unsupported("a grid can have at most 65,534 tiles") }
    for (index, tile) in tiles.enumerated() {
      let shown = PixelRegion(x: index % columns, y: index / columns, width: 1, height: 1)
        .upright(by: turns, width: columns, height: rows)
      let place = "the tile at \(shown.x), \(shown.y)"
      guard tile.width == first.width, tile.height == first.height else {
        throw .unsupported(
          "\(place) has \(tile.width)×\(tile.height) pixels and the first \(first.width)×\(first.height); "
            + "tiles at the edge must be padded to the full size before encoding")
      }
      guard tile.coding == first.coding else { throw .unsupported("\(place) is coded differently") }
      guard tile.colour?.payload == first.colour?.payload, tile.profile?.payload == first.profile?.payload
      else { throw .unsupported("\(place) has different colours") }
    }
    guard (width + first.width - 1) / first.width == columns,
      (height + first.height - 1) / first.height == rows
    else {
      throw .unsupported(
        "\(columns)×\(rows) tiles of \(first.width)×\(first.height) pixels do not make a picture of "
          + "\(width)×\(height)")
    }
    (self.tiles, self.columns, self.width, self.height) = (tiles, columns, width, height)
    self.turns = turns
  }

  var bytes: [UInt8] {
    HEIFBoxes.file(of: tiles, properties, derived: ("grid", description))
  }

  /// The grid's data: version, flags, rows, columns and canvas size.
  private var description: [UInt8] {
    let isLarge = max(width, height) > 0xFFFF
    let size =
      isLarge
      ? HEIFBoxes.long(width) + HEIFBoxes.long(height) : HEIFBoxes.short(width) + HEIFBoxes.short(height)
    return [0, isLarge ? 1 : 0, UInt8(tiles.count / columns - 1), UInt8(columns - 1)] + size
  }

  private var properties: [UInt8] {
    var properties = HEIFProperties()
    let tileSize = properties.add(HEIFBoxes.size(tiles[0].width, tiles[0].height))
    let canvas = properties.add(HEIFBoxes.size(width, height))
    let colours = [tiles[0].colour, tiles[0].profile].compactMap { $0 }.map { box in
      properties.add(HEIFBoxes.box(box))
    }
    var associations: [(item: Int, indices: [HEIFProperties.Index])] = []
    for (index, tile) in tiles.enumerated() {
      let configuration = properties.add(HEIFBoxes.box(tile.configuration), isEssential: true)
      let own = tiles[0].colour == nil ? [] : [colours[0]]
      associations.append((item: index + 1, indices: [tileSize, configuration] + own))
    }
    let turned = turns.flatMap(HEIFBoxes.turn).map { properties.add($0, isEssential: true) }
    associations.append((item: tiles.count + 1, indices: [canvas] + colours + turned))
    return properties.box(associations: associations)
  }
}
