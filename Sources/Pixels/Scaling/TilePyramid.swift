/// Division of a picture into tiles at successively halved sizes.
///
/// Level 0 is the picture itself; each further level has half the sides of the previous one, rounded up, hence ⌈side /
/// 2ᵏ⌉. A tile is `tileSize` pixels wide and high, plus `overlap` pixels on each side that has a neighbour; the last
/// column and row are cut off at the picture's edge.
package struct TilePyramid: Sendable, Hashable, Codable {
  package enum End: String, Sendable, Hashable, Codable {
    /// The first level that fits a single tile.
    case oneTile
    /// A level of one pixel, as Deep Zoom requires.
    case onePixel
  }

  package struct Level: Sendable, Hashable {
    /// The number of halvings.
    package var index: Int
    /// The level's size in pixels.
    package var width, height: Int
    /// The number of tiles in each direction.
    package var columns, rows: Int

    package var tileCount: Int { columns * rows }
  }

  package struct Place: Sendable, Hashable, Codable {
    package var level: Int
    /// Counted from the left and from the top.
    package var column, row: Int

    package init(level: Int, column: Int, row: Int) {
      (self.level, self.column, self.row) = (level, column, row)
    }
  }

  /// The side of a tile without its overlap, in pixels.
  package let tileSize: Int
  /// Pixels that neighbouring tiles share on each side.
  package let overlap: Int
  package let width, height: Int
  package let end: End

  /// Supported tile sizes in pixels.
  package static let tileSizes = 16...16_384

  /// Describes a pyramid; nil for an empty picture, a tile size out of range, or an overlap of more than half a tile.
  package init?(width: Int, height: Int, tileSize: Int, overlap: Int = 0, end: End = .oneTile) {
    guard (1...1 << 24).contains(width), (1...1 << 24).contains(height), Self.tileSizes.contains(tileSize),
      (0...tileSize / 2).contains(overlap)
    else { return nil }
    (self.width, self.height, self.tileSize, self.overlap, self.end) = (width, height, tileSize, overlap, end)
  }

  /// All levels, the picture itself first.
  package var levels: [Level] {
    var levels = [level(0, width, height)]
    while let last = levels.last, !isEnd(last) {
      levels.append(level(last.index + 1, (last.width + 1) / 2, (last.height + 1) / 2))
    }
    return levels
  }

  package var tileCount: Int { levels.reduce(0) { $0 + $1.tileCount } }

  package func places(of level: Level) -> [Place] {
    (0..<level.rows).flatMap { row in
      (0..<level.columns).map { Place(level: level.index, column: $0, row: row) }
    }
  }

  /// The pixels of a tile in its level, including overlap. `place` must be in `level`.
  package func region(_ place: Place, in level: Level) -> PixelRegion {
    let left = max(0, place.column * tileSize - overlap)
    let top = max(0, place.row * tileSize - overlap)
    let right = min(level.width, (place.column + 1) * tileSize + overlap)
    let bottom = min(level.height, (place.row + 1) * tileSize + overlap)
    return PixelRegion(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// The pixels of a tile in its level, without its overlap.
  package func core(_ place: Place, in level: Level) -> PixelRegion {
    let (left, top) = (place.column * tileSize, place.row * tileSize)
    return PixelRegion(
      x: left, y: top, width: min(tileSize, level.width - left), height: min(tileSize, level.height - top))
  }

  /// Tiles that show a rectangle of a level, row by row.
  package func places(touching region: PixelRegion, in level: Level) -> [Place] {
    guard region.fits(width: level.width, height: level.height) else { return [] }
    return ((region.y / tileSize)...((region.maximumY - 1) / tileSize)).flatMap { row in
      ((region.x / tileSize)...((region.maximumX - 1) / tileSize)).map {
        Place(level: level.index, column: $0, row: row)
      }
    }
  }

  private func level(_ index: Int, _ width: Int, _ height: Int) -> Level {
    Level(
      index: index, width: width, height: height, columns: (width + tileSize - 1) / tileSize,
      rows: (height + tileSize - 1) / tileSize)
  }

  private func isEnd(_ level: Level) -> Bool {
    switch end {
    case .oneTile: level.tileCount == 1
    case .onePixel: level.width == 1 && level.height == 1
    }
  }
}

extension TilePyramid {
  private enum CodingKeys: String, CodingKey {
    case tileSize, overlap, width, height, end
  }

  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let pyramid = TilePyramid(
      width: try values.decode(Int.self, forKey: .width),
      height: try values.decode(Int.self, forKey: .height),
      tileSize: try values.decode(Int.self, forKey: .tileSize),
      overlap: try values.decode(Int.self, forKey: .overlap), end: try values.decode(End.self, forKey: .end))
    guard let pyramid else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "an impossible pyramid"))
    }
    self = pyramid
  }
}
