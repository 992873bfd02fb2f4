extension TilePyramid {
  /// A row of tiles of one level, and the further use of the level's pixel rows.
  package struct Strip: Sendable, Hashable {
    package var level: Level
    package var row: Int
    /// The level's pixel rows in the tiles, including overlap.
    package var pixels: Range<Int>
    /// The level's pixel rows that are then halved into the next level.
    package var halved: Range<Int>
    /// The first row of the level that is still needed afterwards.
    package var kept: Int
  }

  /// The rows of tiles of the first `count` levels in order of completion as the picture's rows arrive: memory never
  /// holds a whole level, only the rows for one row of tiles.
  package func strips(levels count: Int) -> [Strip] {
    var plan = StripPlan(pyramid: self, levels: Array(levels.prefix(max(count, 1))))
    plan.grow(0, to: height)
    return plan.strips
  }

  /// The pixel rows in a row of tiles of a level, including overlap.
  func pixels(ofRow row: Int, in level: Level) -> Range<Int> {
    max(0, row * tileSize - overlap)..<min(level.height, (row + 1) * tileSize + overlap)
  }
}

/// Determines the order in which strips become complete.
private struct StripPlan {
  let pyramid: TilePyramid
  let levels: [TilePyramid.Level]
  private(set) var strips: [TilePyramid.Strip] = []
  /// For each level, the next row of tiles and the number of pixel rows halved.
  private var rows: [Int]
  private var halved: [Int]

  init(pyramid: TilePyramid, levels: [TilePyramid.Level]) {
    (self.pyramid, self.levels) = (pyramid, levels)
    rows = [Int](repeating: 0, count: levels.count)
    halved = rows
  }

  /// Adds the strips that become complete once a level has `height` pixel rows.
  mutating func grow(_ index: Int, to height: Int) {
    let level = levels[index]
    while rows[index] < level.rows {
      let row = rows[index]
      let pixels = pyramid.pixels(ofRow: row, in: level)
      guard pixels.upperBound <= height else { return }
      rows[index] += 1
      let begun = halved[index]
      if index + 1 < levels.count {
        // Rows are halved in pairs; the last row of an odd height forms a pair by itself.
        let isWhole = pixels.upperBound == level.height
        halved[index] = max(begun, isWhole ? level.height : pixels.upperBound / 2 * 2)
      } else {
        halved[index] = level.height
      }
      let range = index + 1 < levels.count ? begun..<halved[index] : begun..<begun
      let next = row + 1 < level.rows ? pyramid.pixels(ofRow: row + 1, in: level).lowerBound : level.height
      strips.append(
        TilePyramid.Strip(
          level: level, row: row, pixels: pixels, halved: range, kept: min(next, halved[index])))
      if !range.isEmpty { grow(index + 1, to: (halved[index] + 1) / 2) }
    }
  }
}
