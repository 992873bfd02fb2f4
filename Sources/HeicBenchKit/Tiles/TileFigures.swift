import Analysis
import Foundation
import Model

/// Cost of one tile size of one codec over a corpus.
struct TileFigures: Sendable, Hashable {
  /// A mean over pictures with its interval, percent.
  struct Change: Sendable, Hashable {
    /// Geometric mean of the ratios, as a change in percent.
    var mean: Double
    /// 95 % interval; nil for few pictures.
    var interval: ConfidenceInterval?
    var images: Int
  }

  var kind: String
  var tileSize, overlap: Int
  /// Pictures suitable for judging tile sizes.
  var images: Int
  /// Bytes of level 0 against the untiled picture at the same setting.
  var overhead: Change?
  /// Bytes of level 0 against the untiled picture of the same score.
  var matched: Change?
  /// Level 0's overhead in percent of the untiled picture, split into container and coded pictures; means over
  /// pictures.
  var containerShare, codedShare: Double?
  /// Bytes of the levels above level 0, in percent of level 0; a mean over pictures.
  var upperShare: Double?
  /// Error of steps across tile borders against the same places without tiles, percent.
  var seams: Change?
  /// CPU time of encoding all levels against that of the untiled picture, percent.
  var encodeCPU: Change?
  /// A viewport at level 0, mean over places and pictures.
  var viewport: ViewportCost
  /// Bytes and CPU of that viewport against the codec's cheapest tile size, percent.
  var bytesOverBest, cpuOverBest: Change?
  /// Peak growth of memory while decoding the centred viewport, median over pictures.
  var viewportPeakMiB: Double?
  /// Decode of the whole picture instead: bytes, CPU milliseconds and MiB; means, and a median for memory.
  var wholeBytes, wholeCPU: Double
  var wholePeakMiB: Double?
  /// Walks with a small and with a large cache.
  var walks: [Walk]

  struct Walk: Sendable, Hashable {
    /// Bytes and CPU milliseconds, means over pictures.
    var bytes, cpu: Double
    /// Share of tile lookups served by the cache.
    var hitShare: Double
  }

  /// Cache sizes of the walks, MiB of decoded pixels.
  static let caches = [16, 64]

  /// Returns figures of all kinds and tile sizes, in order of first appearance.
  static func all(
    _ rows: [TileRow], viewport: (width: Int, height: Int)
  ) -> [TileFigures] {
    let judged = rows.filter { $0.tiles != nil && $0.isJudged }
    let groups = Dictionary(grouping: judged, by: Group.init)
    // Each picture's mean viewport over its qualities.
    let costs = groups.mapValues { rows in
      Dictionary(grouping: rows, by: \.record.key.image).mapValues { rows in
        ViewportCost.mean(rows.compactMap(\.tiles).map { ViewportCost.anywhere(viewport, level: 0, $0) })
      }
    }
    var seen: Set<Group> = []
    return judged.map(Group.init).filter { seen.insert($0).inserted }.map { group in
      let rivals = costs.filter { $0.key.kind == group.kind && $0.key.overlap == group.overlap }.map(\.value)
      return TileFigures(group, groups[group] ?? [], costs[group] ?? [:], rivals, viewport)
    }
  }

  private struct Group: Hashable {
    var kind: String
    var tileSize: Int
    var overlap: Int

    init(_ row: TileRow) {
      (kind, tileSize, overlap) = (row.kind, row.record.key.cut.tileSize, row.record.key.cut.overlap)
    }
  }

  private init(
    _ group: Group, _ rows: [TileRow], _ costs: [ImageIdentity: ViewportCost],
    _ rivals: [[ImageIdentity: ViewportCost]], _ viewport: (width: Int, height: Int)
  ) {
    (kind, tileSize, overlap) = (group.kind, group.tileSize, group.overlap)
    let byImage = Dictionary(grouping: rows, by: \.record.key.image).sorted { $0.key.name < $1.key.name }
    images = byImage.count
    let (tiles, wholes) = (rows.compactMap(\.tiles), rows.compactMap(\.whole))
    /// Averages log ratios over each picture's qualities, then over pictures.
    func change(_ ratio: (TileRow) -> Double?) -> Change? {
      Change(byImage.compactMap { $1.compactMap(ratio).filter { $0 > 0 }.map { log($0) }.mean })
    }
    func changeOverBest(_ figure: (ViewportCost) -> Double) -> Change? {
      let best = Self.cheapest(rivals, figure)
      return Change(
        costs.sorted { $0.key.name < $1.key.name }.compactMap { image, cost in
          best[image].flatMap { $0 > 0 && figure(cost) > 0 ? log(figure(cost) / $0) : nil }
        })
    }
    overhead = change { $0.overhead.map { 1 + $0 / 100 } }
    matched = change { $0.matchedOverhead.map { 1 + $0 / 100 } }
    seams = change { row in
      row.tiles?.seamStep.flatMap { tiled in
        row.tiles?.wholeSeamStep.flatMap { $0 > 0 ? tiled / $0 : nil }
      }
    }
    encodeCPU = change { row in
      row.figures?.timing.encode.leastCPU.flatMap { tiled in
        row.whole?.timing.encode.leastCPU.map { tiled / max($0, 1) }
      }
    }
    containerShare =
      rows.compactMap { row in
        guard let figures = row.figures?.figures, let tiled = figures[.container],
          let untiled = figures[.wholeContainer], let whole = row.whole
        else { return nil }
        return Double(tiled - untiled) / Double(whole.encodedBytes) * 100
      }.mean
    let total = rows.compactMap(\.overhead).mean
    codedShare = containerShare.flatMap { container in total.map { $0 - container } }
    upperShare =
      tiles.map { Double($0.totalBytes - $0.bytes(ofLevel: 0)) / Double($0.bytes(ofLevel: 0)) * 100 }.mean
    self.viewport = ViewportCost.mean(Array(costs.values))
    bytesOverBest = changeOverBest(\.bytes)
    cpuOverBest = changeOverBest(\.cpu)
    viewportPeakMiB = rows.compactMap { $0.figures?.mebibytes(.decodePeak) }.median
    wholeBytes = wholes.map { Double($0.encodedBytes) }.mean ?? 0
    wholeCPU = wholes.compactMap(\.timing.decode.leastCPU).map { $0 / 1e6 }.mean ?? 0
    wholePeakMiB = wholes.compactMap { $0.mebibytes(.decodePeak) }.median
    walks = Self.caches.map { cache in
      let walks = tiles.map { TileWalk($0, viewport: viewport, cacheBytes: cache << 20) }
      let looks = walks.reduce(0) { $0 + $1.looks }
      return Walk(
        bytes: walks.map(\.cost.bytes).mean ?? 0, cpu: walks.map(\.cost.cpu).mean ?? 0,
        hitShare: looks > 0 ? Double(walks.reduce(0) { $0 + $1.hits }) / Double(looks) : 0)
    }
  }

  /// The costs of the tile size that is cheapest over the pictures measured at all sizes.
  private static func cheapest(
    _ all: [[ImageIdentity: ViewportCost]], _ figure: (ViewportCost) -> Double
  ) -> [ImageIdentity: Double] {
    guard let first = all.first else { return [:] }
    let common = all.dropFirst().reduce(Set(first.keys)) { $0.intersection($1.keys) }
    func total(_ costs: [ImageIdentity: ViewportCost]) -> Double {
      common.reduce(0) { $0 + log(max(costs[$1].map(figure) ?? 1, 1e-9)) }
    }
    return all.min { total($0) < total($1) }?.mapValues(figure) ?? [:]
  }
}

extension TileFigures.Change {
  fileprivate init?(_ logs: [Double]) {
    guard let mean = logs.mean else { return nil }
    func percent(_ value: Double) -> Double { (exp(value) - 1) * 100 }
    (self.mean, images) = (percent(mean), logs.count)
    interval = Bootstrap.interval(of: ImageValues(logs), resamples: 2000, seed: 14)?.mapped(percent)
  }
}

/// Best tile sizes of one codec.
struct TileAnswer: Sendable {
  let kind: String
  /// All tile sizes, smallest first.
  let sizes: [TileFigures]
  /// Sizes with the fewest bytes and with the least CPU per viewport.
  let leastBytes, leastCPU: TileFigures

  /// Sizes that no other beats in both bytes and CPU.
  var frontier: [TileFigures] {
    sizes.filter { size in
      !sizes.contains { other in
        other.viewport.bytes <= size.viewport.bytes && other.viewport.cpu <= size.viewport.cpu
          && other != size
      }
    }
  }

  static func all(_ figures: [TileFigures]) -> [TileAnswer] {
    var seen: Set<String> = []
    return figures.map(\.kind).filter { seen.insert($0).inserted }.compactMap { kind in
      let sizes = figures.filter { $0.kind == kind }.sorted { $0.tileSize < $1.tileSize }
      guard let bytes = sizes.min(by: { $0.viewport.bytes < $1.viewport.bytes }),
        let cpu = sizes.min(by: { $0.viewport.cpu < $1.viewport.cpu })
      else { return nil }
      return TileAnswer(kind: kind, sizes: sizes, leastBytes: bytes, leastCPU: cpu)
    }
  }
}

extension [TimingSample] {
  /// Nanoseconds of the fastest; nil for none.
  var leastCPU: Double? { map(\.cpuNanoseconds).min().map { Double($0) } }
}
