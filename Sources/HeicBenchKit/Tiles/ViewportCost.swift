import Model
import Pixels

/// The cost of showing a part of a tiled picture.
struct ViewportCost: Sendable, Hashable {
  var tiles = 0.0
  var bytes = 0.0
  /// CPU time of the decodes, milliseconds.
  var cpu = 0.0

  static let places = 64
  static let seed: UInt64 = 14

  static func of(_ region: PixelRegion, level index: Int, _ figures: TiledLevels) -> ViewportCost {
    let level = figures.pyramid.levels[index]
    var cost = ViewportCost(bytes: Double(figures.headerBytes[index]))
    for place in figures.pyramid.places(touching: region, in: level) { cost.add(place, in: level, figures) }
    return cost
  }

  /// Returns the mean cost over random places in a level, the same places for every way to cut.
  static func anywhere(_ viewport: PixelSize, level index: Int, _ figures: TiledLevels) -> ViewportCost {
    let level = figures.pyramid.levels[index]
    let (width, height) = (min(viewport.width, level.width), min(viewport.height, level.height))
    var generator = SeededGenerator(seed: seed + UInt64(index))
    return ViewportCost(
      (0..<places).map { _ in
        let x = Int(generator.unit() * Double(level.width - width + 1))
        let y = Int(generator.unit() * Double(level.height - height + 1))
        return of(PixelRegion(x: x, y: y, width: width, height: height), level: index, figures)
      })
  }

  fileprivate mutating func add(
    _ place: TilePyramid.Place, in level: TilePyramid.Level, _ figures: TiledLevels
  ) {
    let tile = figures.tiles[level.index][place.row * level.columns + place.column]
    tiles += 1
    bytes += Double(tile.bytes)
    cpu += Double(tile.cpuNanoseconds) / 1e6
  }
}

extension ViewportCost {
  /// The mean; zero if there are none.
  init(_ costs: [ViewportCost]) {
    self.init(
      tiles: costs.map(\.tiles).mean ?? 0, bytes: costs.map(\.bytes).mean ?? 0,
      cpu: costs.map(\.cpu).mean ?? 0)
  }
}

/// A walk through a pyramid by zooms and pans, with a cache of decoded tiles.
struct TileWalk: Sendable {
  var cost = ViewportCost()
  var looks = 0, hits = 0

  private static let steps = 120

  /// The share of tile lookups that the cache serves.
  var hitShare: Double { looks > 0 ? Double(hits) / Double(looks) : 0 }

  /// Combines several walks: their mean cost, and all their lookups.
  init(_ walks: [TileWalk]) {
    cost = ViewportCost(walks.map(\.cost))
    (looks, hits) = (walks.reduce(0) { $0 + $1.looks }, walks.reduce(0) { $0 + $1.hits })
  }

  /// Walks by the same steps for every way to cut a picture.
  /// - Parameter cacheBytes: The limit of decoded tiles, at three bytes per pixel.
  init(_ figures: TiledLevels, viewport: PixelSize, cacheBytes: Int) {
    var cache = TileCache(capacity: cacheBytes)
    var heads: Set<Int> = []
    for (level, region) in Self.views(figures.pyramid.levels, viewport) {
      if heads.insert(level.index).inserted { cost.bytes += Double(figures.headerBytes[level.index]) }
      for place in figures.pyramid.places(touching: region, in: level) {
        looks += 1
        let size = figures.pyramid.region(place, in: level)
        if cache.has(place, bytes: size.width * size.height * 3) {
          hits += 1
        } else {
          cost.add(place, in: level, figures)
        }
      }
    }
  }

  private static func views(
    _ levels: [TilePyramid.Level], _ viewport: PixelSize
  ) -> [(TilePyramid.Level, PixelRegion)] {
    var generator = SeededGenerator(seed: ViewportCost.seed)
    // Uses the levels larger than the viewport, and the first that is not.
    let coarsest =
      levels.firstIndex { $0.width <= viewport.width && $0.height <= viewport.height } ?? levels.count - 1
    var (index, x, y) = (coarsest, 0.5, 0.5)
    return (0..<steps).map { _ in
      let choice = generator.unit()
      if choice < 0.35 {
        index = max(0, index - 1)
      } else if choice < 0.55 {
        index = min(coarsest, index + 1)
      } else {
        // Half a viewport in one of four directions.
        let sign = generator.unit() < 0.5 ? -1.0 : 1.0
        if generator.unit() < 0.5 {
          x = min(max(x + sign * Double(viewport.width) / 2 / Double(levels[index].width), 0), 1)
        } else {
          y = min(max(y + sign * Double(viewport.height) / 2 / Double(levels[index].height), 0), 1)
        }
      }
      let level = levels[index]
      let (width, height) = (min(viewport.width, level.width), min(viewport.height, level.height))
      return (
        level,
        PixelRegion(
          x: min(max(Int(x * Double(level.width)) - width / 2, 0), level.width - width),
          y: min(max(Int(y * Double(level.height)) - height / 2, 0), level.height - height), width: width,
          height: height)
      )
    }
  }
}

/// Decoded tiles with their last use.
struct TileCache {
  private let capacity: Int
  private var held = 0
  private var clock = 0
  private var tiles: [TilePyramid.Place: (used: Int, bytes: Int)] = [:]

  init(capacity: Int) { self.capacity = capacity }

  /// Returns true for a cached tile; otherwise caches it and evicts the least recently used ones.
  mutating func has(_ place: TilePyramid.Place, bytes: Int) -> Bool {
    clock += 1
    if let known = tiles[place] {
      tiles[place] = (clock, known.bytes)
      return true
    }
    tiles[place] = (clock, bytes)
    held += bytes
    while held > capacity, tiles.count > 1, let oldest = tiles.min(by: { $0.value.used < $1.value.used }) {
      held -= oldest.value.bytes
      tiles[oldest.key] = nil
    }
    return false
  }
}
