import Analysis
import Foundation
package import Model
package import Pixels

/// A way to cut a picture, for tables: one row of tiles.csv.
package struct TileRow: Sendable, Hashable {
  package let record: CaseRecord
  /// Bytes of level 0 against the untiled picture of the same score, percent; nil without scores or a curve.
  package let matchedOverhead: Double?

  package var measurement: TilingMeasurement? { record.figures?.tiles }

  /// Bytes of level 0 against those of the untiled picture at the same setting, percent.
  package var overhead: Double? {
    measurement.map { (Double($0.bytes(ofLevel: 0)) / Double($0.whole.bytes) - 1) * 100 }
  }

  /// Settings to pass to `--codec`, including the grid.
  package var settings: String {
    guard record.key.cut.form == .grid else { return record.key.variant.canonicalSettings }
    let settings = record.key.variant.settings.merging(["grid": String(record.key.cut.tileSize)]) { $1 }
    return CodecVariant(codec: record.key.variant.codec, settings: settings).canonicalSettings
  }

  /// Codec and storage of the tiles, for tables: `heic`, `heic in one file`.
  package var kind: String { record.key.variant.name + (record.key.cut.form == .grid ? " in one file" : "") }

  /// True if tile sizes may be judged by it: a source already coded in blocks is gentler to cuts along them.
  package var isJudged: Bool { record.header?.isLossy != true || record.key.downscale > 1 }

  /// Combines records with the curves of their untiled pictures.
  package static func all(_ records: [CaseRecord]) -> [TileRow] {
    var measured: [CurveKey: [RateQualityCurve.Point]] = [:]
    for record in records {
      let whole = record.figures?.tiles?.whole
      guard let score = whole?.ssimulacra2 ?? record.figures?[.plain],
        let bytes = whole?.bytes ?? record.figures?.encodedBytes
      else { continue }
      measured[CurveKey(record.key.image, record.key.variant), default: []].append(
        RateQualityCurve.Point(score: score, bytes: bytes))
    }
    let curves = measured.mapValues { try? RateQualityCurve($0) }
    return records.filter { $0.key.way != .whole }.map { record in
      var matched: Double?
      if let figures = record.figures?.tiles, let score = figures.ssimulacra2,
        let curve = curves[CurveKey(record.key.image, record.key.variant)] ?? nil,
        let bytes = curve.bytes(at: score)
      {
        matched = (Double(figures.bytes(ofLevel: 0)) / bytes - 1) * 100
      }
      return TileRow(record: record, matchedOverhead: matched)
    }
  }

  private struct CurveKey: Hashable {
    var image: ImageIdentity
    var variant: CodecVariant

    init(_ image: ImageIdentity, _ variant: CodecVariant) { (self.image, self.variant) = (image, variant) }
  }
}

/// Cost of showing a part of a tiled picture.
package struct ViewportCost: Sendable, Hashable {
  package var tiles = 0.0
  package var bytes = 0.0
  /// CPU time of the decodes, milliseconds.
  package var cpu = 0.0

  package init(tiles: Double = 0, bytes: Double = 0, cpu: Double = 0) {
    (self.tiles, self.bytes, self.cpu) = (tiles, bytes, cpu)
  }

  /// Number of places in a mean.
  package static let places = 64
  static let seed: UInt64 = 14

  /// Returns the cost of one rectangle of a level.
  package static func of(_ region: PixelRegion, level index: Int, _ figures: TilingMeasurement)
    -> ViewportCost
  {
    let level = figures.pyramid.levels[index]
    var cost = ViewportCost()
    cost.bytes = Double(figures.headerBytes[index])
    for place in figures.pyramid.places(touching: region, in: level) {
      let tile = figures.tiles[index][place.row * level.columns + place.column]
      cost.tiles += 1
      cost.bytes += Double(tile.bytes)
      cost.cpu += Double(tile.cpuNanoseconds) / 1e6
    }
    return cost
  }

  /// Returns the cost of the centred viewport of a level.
  package static func centre(
    _ viewport: (width: Int, height: Int), level index: Int, _ figures: TilingMeasurement
  ) -> ViewportCost {
    let level = figures.pyramid.levels[index]
    return of(
      PixelRegion.centred(
        width: viewport.width, height: viewport.height, inWidth: level.width, height: level.height),
      level: index, figures)
  }

  /// Returns the mean cost over random places in a level, the same for every way to cut.
  package static func anywhere(
    _ viewport: (width: Int, height: Int), level index: Int, _ figures: TilingMeasurement
  ) -> ViewportCost {
    let level = figures.pyramid.levels[index]
    let (width, height) = (min(viewport.width, level.width), min(viewport.height, level.height))
    var generator = SeededGenerator(seed: seed + UInt64(index))
    var sum = ViewportCost()
    for _ in 0..<places {
      let x = Int(generator.unit() * Double(level.width - width + 1))
      let y = Int(generator.unit() * Double(level.height - height + 1))
      let cost = of(PixelRegion(x: x, y: y, width: width, height: height), level: index, figures)
      sum.tiles += cost.tiles
      sum.bytes += cost.bytes
      sum.cpu += cost.cpu
    }
    let count = Double(places)
    return ViewportCost(tiles: sum.tiles / count, bytes: sum.bytes / count, cpu: sum.cpu / count)
  }
}

/// A walk through a pyramid by zooms and pans, with a cache of decoded tiles.
package struct TileWalk: Sendable, Hashable {
  package var cost = ViewportCost()
  /// Lookups of tiles, and cache hits among them.
  package var looks = 0, hits = 0

  private static let steps = 120

  /// Walks by the same steps for every way to cut a picture.
  /// - Parameter cacheBytes: Limit of decoded tiles, three bytes per pixel.
  package init(_ figures: TilingMeasurement, viewport: (width: Int, height: Int), cacheBytes: Int) {
    let levels = figures.pyramid.levels
    var generator = SeededGenerator(seed: ViewportCost.seed)
    // Levels larger than the viewport, and the first that is not.
    let coarsest =
      levels.firstIndex { $0.width <= viewport.width && $0.height <= viewport.height } ?? levels.count - 1
    var (level, x, y) = (coarsest, 0.5, 0.5)
    var cache = TileCache(capacity: cacheBytes)
    var heads: Set<Int> = []
    for _ in 0..<Self.steps {
      let choice = generator.unit()
      if choice < 0.35 {
        level = max(0, level - 1)
      } else if choice < 0.55 {
        level = min(coarsest, level + 1)
      } else {
        // Half a viewport in one of four directions.
        let sign = generator.unit() < 0.5 ? -1.0 : 1.0
        if generator.unit() < 0.5 {
          x = min(max(x + sign * Double(viewport.width) / 2 / Double(levels[level].width), 0), 1)
        } else {
          y = min(max(y + sign * Double(viewport.height) / 2 / Double(levels[level].height), 0), 1)
        }
      }
      look(figures, levels[level], x, y, viewport, &cache, &heads)
    }
  }

  private mutating func look(
    _ figures: TilingMeasurement, _ level: TilePyramid.Level, _ x: Double, _ y: Double,
    _ viewport: (width: Int, height: Int), _ cache: inout TileCache, _ heads: inout Set<Int>
  ) {
    let (width, height) = (min(viewport.width, level.width), min(viewport.height, level.height))
    let region = PixelRegion(
      x: min(max(Int(x * Double(level.width)) - width / 2, 0), level.width - width),
      y: min(max(Int(y * Double(level.height)) - height / 2, 0), level.height - height), width: width,
      height: height)
    if heads.insert(level.index).inserted { cost.bytes += Double(figures.headerBytes[level.index]) }
    for place in figures.pyramid.places(touching: region, in: level) {
      looks += 1
      let size = figures.pyramid.region(place, in: level)
      if cache.has(place, bytes: size.width * size.height * 3) {
        hits += 1
        continue
      }
      let tile = figures.tiles[level.index][place.row * level.columns + place.column]
      cost.tiles += 1
      cost.bytes += Double(tile.bytes)
      cost.cpu += Double(tile.cpuNanoseconds) / 1e6
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

  /// Returns true for a cached tile; caches it otherwise, and evicts the least recently used ones.
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
