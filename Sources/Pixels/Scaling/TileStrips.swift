extension TilePyramid {
  /// A row of tiles of one level, and what becomes of the level's rows of pixels once they are there.
  package struct Strip: Sendable, Hashable {
    /// The level.
    package var level: Level
    /// Counted from the top.
    package var row: Int
    /// The level's rows of pixels that its tiles take, overlap included.
    package var pixels: Range<Int>
    /// The level's rows of pixels that become half as many of the next level then.
    package var halved: Range<Int>
    /// The first of the level's rows that are still needed after that.
    package var kept: Int
  }

  /// The rows of tiles of the first `count` levels in the order in which they are complete when the picture's rows come one
  /// after the other: no level is ever held whole, only as many rows as a row of tiles takes.
  package func strips(levels count: Int) -> [Strip] {
    var plan = StripPlan(pyramid: self, levels: Array(levels.prefix(max(count, 1))))
    plan.grow(0, to: height)
    return plan.strips
  }

  /// The rows of pixels that a row of tiles of a level takes, overlap included.
  func pixels(ofRow row: Int, in level: Level) -> Range<Int> {
    max(0, row * tileSize - overlap)..<min(level.height, (row + 1) * tileSize + overlap)
  }
}

/// Finds out in which order strips are complete.
private struct StripPlan {
  let pyramid: TilePyramid
  let levels: [TilePyramid.Level]
  private(set) var strips: [TilePyramid.Strip] = []
  /// The next row of tiles of each level, and how many of its rows of pixels were halved.
  private var rows: [Int]
  private var halved: [Int]

  init(pyramid: TilePyramid, levels: [TilePyramid.Level]) {
    (self.pyramid, self.levels) = (pyramid, levels)
    rows = [Int](repeating: 0, count: levels.count)
    halved = rows
  }

  /// What follows from so many rows of pixels of a level.
  mutating func grow(_ index: Int, to height: Int) {
    let level = levels[index]
    while rows[index] < level.rows {
      let row = rows[index]
      let pixels = pyramid.pixels(ofRow: row, in: level)
      guard pixels.upperBound <= height else { return }
      rows[index] += 1
      let begun = halved[index]
      if index + 1 < levels.count {
        // Rows are halved in pairs; the last one of an odd height is a pair by itself.
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
