package import Analysis
import Foundation
import Model
import Pixels

/// Cost of one tile size of one codec over a corpus.
package struct TileFigures: Sendable, Hashable {
  /// A mean over pictures with its interval, percent.
  package struct Change: Sendable, Hashable {
    /// Geometric mean of the ratios, as a change in percent.
    package var mean: Double
    /// 95 % interval; nil for few pictures.
    package var interval: ConfidenceInterval?
    package var images: Int
  }

  /// Codec and storage of the tiles, in words.
  package var kind: String
  /// Side of a tile in pixels.
  package var tileSize: Int
  /// Pixels shared by neighbours.
  package var overlap: Int
  /// Pictures suitable for judging tile sizes.
  package var images: Int
  /// Bytes of level 0 against the untiled picture at the same setting.
  package var overhead: Change?
  /// Bytes of level 0 against the untiled picture of the same score.
  package var matched: Change?
  /// Level 0's overhead in percent of the untiled picture, split into container and coded pictures; means over
  /// pictures.
  package var containerShare, codedShare: Double?
  /// Bytes of the levels above level 0, in percent of level 0; a mean over pictures.
  package var upperShare: Double?
  /// Error of steps across tile borders against the same places without tiles, percent.
  package var seams: Change?
  /// CPU time of encoding all levels against that of the untiled picture, percent.
  package var encodeCPU: Change?
  /// A viewport at level 0, mean over places and pictures.
  package var viewport: ViewportCost
  /// Bytes and CPU of that viewport against the codec's cheapest tile size, percent.
  package var bytesOverBest, cpuOverBest: Change?
  /// Peak growth of memory while decoding the centred viewport, median over pictures.
  package var viewportPeakMiB: Double?
  /// Decode of the whole picture instead: bytes, CPU milliseconds and MiB; means, and a median for memory.
  package var wholeBytes, wholeCPU: Double
  package var wholePeakMiB: Double?
  /// Walks with a small and with a large cache.
  package var walks: [Walk]

  /// A walk over all pictures.
  package struct Walk: Sendable, Hashable {
    package var cacheMiB: Int
    /// Bytes and CPU milliseconds, means over pictures.
    package var bytes, cpu: Double
    /// Share of tile lookups served by the cache.
    package var hitShare: Double
  }

  /// Cache sizes of the walks, MiB of decoded pixels.
  package static let caches = [16, 64]

  /// Returns figures of all kinds and tile sizes, in order of first appearance.
  package static func all(
    _ rows: [TileRow], viewport: (width: Int, height: Int), seed: UInt64 = 14
  ) -> [TileFigures] {
    var order: [Group] = []
    var groups: [Group: [TileRow]] = [:]
    for row in rows where row.measurement != nil && row.isJudged {
      let group = Group(
        kind: row.kind, tileSize: row.record.key.cut.tileSize, overlap: row.record.key.cut.overlap)
      if groups[group] == nil { order.append(group) }
      groups[group, default: []].append(row)
    }
    var costs: [Group: [ImageIdentity: ViewportCost]] = [:]
    for group in order { costs[group] = viewports(groups[group] ?? [], viewport) }
    return order.map { group in
      let rivals = order.filter { $0.kind == group.kind && $0.overlap == group.overlap }
      return TileFigures(
        group, groups[group] ?? [], costs[group] ?? [:], viewport,
        cheapestBytes: cheapest(rivals, costs, \.bytes), cheapestCPU: cheapest(rivals, costs, \.cpu),
        seed: seed)
    }
  }

  private struct Group: Hashable {
    var kind: String
    var tileSize: Int
    var overlap: Int
  }

  /// Returns the costs of the tile size that is cheapest over the pictures measured at all sizes.
  private static func cheapest(
    _ rivals: [Group], _ costs: [Group: [ImageIdentity: ViewportCost]],
    _ figure: KeyPath<ViewportCost, Double>
  ) -> [ImageIdentity: Double] {
    let all = rivals.compactMap { costs[$0] }
    guard let first = all.first else { return [:] }
    let common = all.dropFirst().reduce(Set(first.keys)) { $0.intersection($1.keys) }
    let best = all.min { a, b in
      common.reduce(0) { $0 + log(max(a[$1]?[keyPath: figure] ?? 1, 1e-9)) }
        < common.reduce(0) { $0 + log(max(b[$1]?[keyPath: figure] ?? 1, 1e-9)) }
    }
    return best?.mapValues { $0[keyPath: figure] } ?? [:]
  }

  /// Returns each picture's mean viewport over its qualities.
  private static func viewports(
    _ rows: [TileRow], _ viewport: (width: Int, height: Int)
  ) -> [ImageIdentity: ViewportCost] {
    Dictionary(grouping: rows, by: \.record.key.image).mapValues { rows in
      let all = rows.compactMap(\.measurement).map { ViewportCost.anywhere(viewport, level: 0, $0) }
      let count = Double(max(all.count, 1))
      return ViewportCost(
        tiles: all.reduce(0) { $0 + $1.tiles } / count, bytes: all.reduce(0) { $0 + $1.bytes } / count,
        cpu: all.reduce(0) { $0 + $1.cpu } / count)
    }
  }

  private init(
    _ group: Group, _ rows: [TileRow], _ costs: [ImageIdentity: ViewportCost],
    _ viewport: (width: Int, height: Int), cheapestBytes: [ImageIdentity: Double],
    cheapestCPU: [ImageIdentity: Double], seed: UInt64
  ) {
    (kind, tileSize, overlap) = (group.kind, group.tileSize, group.overlap)
    let byImage = Dictionary(grouping: rows, by: \.record.key.image)
    images = byImage.count
    let figures = rows.compactMap(\.measurement)
    /// Averages log ratios over each picture's qualities, then over pictures.
    func change(_ ratio: (TileRow) -> Double?) -> Change? {
      Self.change(
        byImage.sorted { $0.key.name < $1.key.name }.compactMap { _, rows in
          rows.compactMap(ratio).filter { $0 > 0 }.map { log($0) }.mean
        }, seed: seed)
    }
    overhead = change { $0.overhead.map { 1 + $0 / 100 } }
    matched = change { $0.matchedOverhead.map { 1 + $0 / 100 } }
    seams = change { row in
      row.measurement.flatMap { figures in
        figures.seamStep.flatMap { tiled in
          figures.wholeSeamStep.flatMap { whole in whole > 0 ? tiled / whole : nil }
        }
      }
    }
    encodeCPU = change { row in
      row.measurement.map { Double($0.encodeNanoseconds) / Double(max($0.whole.encodeNanoseconds, 1)) }
    }
    containerShare =
      figures.compactMap { figures in
        figures.containerBytes.flatMap { tiled in
          figures.whole.containerBytes.map { Double(tiled - $0) / Double(figures.whole.bytes) * 100 }
        }
      }.mean
    let total = figures.map { (Double($0.bytes(ofLevel: 0)) / Double($0.whole.bytes) - 1) * 100 }.mean
    codedShare = containerShare.flatMap { container in total.map { $0 - container } }
    upperShare =
      figures.map { Double($0.totalBytes - $0.bytes(ofLevel: 0)) / Double($0.bytes(ofLevel: 0)) * 100 }.mean
    let all = Array(costs.values)
    self.viewport = ViewportCost(
      tiles: all.map(\.tiles).mean ?? 0, bytes: all.map(\.bytes).mean ?? 0, cpu: all.map(\.cpu).mean ?? 0)
    bytesOverBest = Self.change(Self.logRatios(costs.mapValues(\.bytes), cheapestBytes), seed: seed)
    cpuOverBest = Self.change(Self.logRatios(costs.mapValues(\.cpu), cheapestCPU), seed: seed)
    viewportPeakMiB = figures.compactMap { $0.viewportPeakBytes.map { Double($0) / 1_048_576 } }.median
    wholeBytes = figures.map { Double($0.whole.bytes) }.mean ?? 0
    wholeCPU = figures.map { Double($0.whole.decodeNanoseconds) / 1e6 }.mean ?? 0
    wholePeakMiB = figures.compactMap { $0.whole.decodePeakBytes.map { Double($0) / 1_048_576 } }.median
    walks = Self.caches.map { cache in
      let walks = figures.map { TileWalk($0, viewport: viewport, cacheBytes: cache << 20) }
      let looks = walks.reduce(0) { $0 + $1.looks }
      return Walk(
        cacheMiB: cache, bytes: walks.map(\.cost.bytes).mean ?? 0, cpu: walks.map(\.cost.cpu).mean ?? 0,
        hitShare: looks > 0 ? Double(walks.reduce(0) { $0 + $1.hits }) / Double(looks) : 0)
    }
  }

  private static func logRatios(
    _ values: [ImageIdentity: Double], _ best: [ImageIdentity: Double]
  ) -> [Double] {
    values.sorted { $0.key.name < $1.key.name }.compactMap { image, value in
      best[image].flatMap { $0 > 0 && value > 0 ? log(value / $0) : nil }
    }
  }

  private static func change(_ logs: [Double], seed: UInt64) -> Change? {
    guard !logs.isEmpty else { return nil }
    func percent(_ value: Double) -> Double { (exp(value) - 1) * 100 }
    let interval = Bootstrap.interval(of: ImageValues(logs), resamples: 2000, seed: seed).map {
      ConfidenceInterval(lower: percent($0.lower), upper: percent($0.upper), method: $0.method)
    }
    return Change(
      mean: percent(logs.reduce(0, +) / Double(logs.count)), interval: interval, images: logs.count)
  }
}

/// Best tile sizes of one codec.
package struct TileAnswer: Sendable, Hashable {
  /// Codec and storage of the tiles, in words.
  package var kind: String
  /// All tile sizes, smallest first.
  package var sizes: [TileFigures]
  /// Size with the fewest bytes per viewport.
  package var leastBytes: TileFigures
  /// Size with the least CPU per viewport.
  package var leastCPU: TileFigures
  /// Sizes that no other beats in both bytes and CPU, smallest first.
  package var frontier: [TileFigures]

  /// Returns an answer for each kind.
  package static func all(_ figures: [TileFigures]) -> [TileAnswer] {
    var order: [String] = []
    for figure in figures where !order.contains(figure.kind) { order.append(figure.kind) }
    return order.compactMap { kind in
      let sizes = figures.filter { $0.kind == kind }.sorted { $0.tileSize < $1.tileSize }
      guard let bytes = sizes.min(by: { $0.viewport.bytes < $1.viewport.bytes }),
        let cpu = sizes.min(by: { $0.viewport.cpu < $1.viewport.cpu })
      else { return nil }
      let frontier = sizes.filter { size in
        !sizes.contains { other in
          other.viewport.bytes <= size.viewport.bytes && other.viewport.cpu <= size.viewport.cpu
            && other != size
        }
      }
      return TileAnswer(kind: kind, sizes: sizes, leastBytes: bytes, leastCPU: cpu, frontier: frontier)
    }
  }
}
