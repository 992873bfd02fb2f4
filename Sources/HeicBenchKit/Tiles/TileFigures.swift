import Analysis
import Foundation
import Model

/// The cost of cuts with one tile size and one codec, over a corpus.
struct TileFigures: Sendable {
  /// A mean over pictures with its interval, percent.
  struct Change: Sendable {
    /// The geometric mean of the ratios, as a change in percent.
    var mean: Double
    /// The 95 % interval; nil for few pictures.
    var interval: ConfidenceInterval?
    var images: Int
  }

  /// The cuts of pictures suitable for judging tile sizes.
  private let rows: [TileRow]
  let kind: String
  /// The processor of the times, if there are several.
  private(set) var processor: String?
  let tileSize, overlap: Int
  /// The kind with the overlap, if any, such as `jpeg +8`. Tile sizes with equal names are compared.
  var name: String { overlap == 0 ? kind : "\(kind) +\(overlap)" }
  /// Bytes of level 0 against the untiled picture, at the same setting and at the same score.
  let overhead, matched: Change?
  /// The error of steps across tile borders, compared with the same places without tiles.
  let seams: Change?
  /// CPU time of encoding all levels against that of the untiled picture; nil if several processors timed it.
  let encodeCPU: Change?
  /// Walks with each of `caches`; their costs are means over pictures.
  let walks: [TileWalk]
  /// The cost of a viewport at level 0, a mean over places and a picture's qualities.
  private let costs: [ImageIdentity: ViewportCost]
  /// The mean of these costs over pictures.
  var viewport: ViewportCost
  /// Bytes and CPU time of that viewport, compared with the codec's cheapest tile size; nil without a comparison.
  private(set) var bytesOverBest, cpuOverBest: Change?

  /// Cache sizes of the walks, MiB of decoded pixels.
  static let caches = [16, 64]

  /// Returns figures of all kinds and tile sizes, in order of first appearance.
  /// - Parameter processor: The processor whose cuts count and whose name the figures get; nil for all cuts.
  static func all(_ rows: [TileRow], viewport: PixelSize, of processor: String? = nil) -> [TileFigures] {
    let judged = rows.judged(of: processor)
    let comparable = judged.comparable
    let all = ofEachCut(judged, viewport)
    // As a rule the same cuts. Walks and intervals take long for a large archive.
    let compared = comparable.count == judged.count ? all : ofEachCut(comparable, viewport)
    return all.map { figures in
      var figures = figures
      figures.processor = processor
      let rivals = compared.filter { $0.name == figures.name }
      let own = rivals.first { $0.tileSize == figures.tileSize }
      figures.bytesOverBest = own?.changeOverBest(of: rivals, \.bytes)
      figures.cpuOverBest = own?.changeOverBest(of: rivals, \.cpu)
      return figures
    }
  }

  private static func ofEachCut(_ rows: [TileRow], _ viewport: PixelSize) -> [TileFigures] {
    rows.grouped { "\($0.kind) \($0.cut)" }.map { TileFigures($0, viewport) }
  }

  /// - Parameter rows: At least one.
  private init(_ rows: [TileRow], _ viewport: PixelSize) {
    self.rows = rows
    (kind, tileSize, overlap) = (rows[0].kind, rows[0].cut.tileSize, rows[0].cut.overlap)
    let byImage = Dictionary(grouping: rows, by: \.record.key.image)
    /// Averages log ratios over each picture's qualities, then over pictures.
    func change(_ ratio: (TileRow) -> Double?) -> Change? {
      Change(
        Self.inOrder(byImage).compactMap { $1.compactMap(ratio).filter { $0 > 0 }.map { log($0) }.mean })
    }
    overhead = change { $0.overhead.map { 1 + $0 / 100 } }
    matched = change { $0.matchedOverhead.map { 1 + $0 / 100 } }
    seams = change { row in
      guard let tiled = row.tiles?.seamStep, let whole = row.tiles?.wholeSeamStep, whole > 0 else {
        return nil
      }
      return tiled / whole
    }
    let isOneMachine = rows.unlikeProcessors.isEmpty
    encodeCPU = change { row in
      guard isOneMachine else { return nil }
      return row.figures?.timing.encode.leastCPU.flatMap { tiled in
        row.whole?.timing.encode.leastCPU.map { tiled / max($0, 1) }
      }
    }
    let tiles = rows.compactMap(\.tiles)
    walks = Self.caches.map { cache in
      TileWalk(tiles.map { TileWalk($0, viewport: viewport, cacheBytes: cache << 20) })
    }
    costs = byImage.mapValues { rows in
      ViewportCost(rows.compactMap(\.tiles).map { .anywhere(viewport, level: 0, $0) })
    }
    self.viewport = ViewportCost(Self.inOrder(costs).map(\.value))
  }

  private static func inOrder<Value>(
    _ byImage: [ImageIdentity: Value]
  ) -> [(key: ImageIdentity, value: Value)] {
    byImage.sorted { $0.key.name < $1.key.name }
  }

  /// The change compared with the rival that is cheapest over the pictures measured at all sizes.
  private func changeOverBest(of rivals: [TileFigures], _ figure: (ViewportCost) -> Double) -> Change? {
    let common = rivals.reduce(Set(costs.keys)) { $0.intersection($1.costs.keys) }
    func total(_ rival: TileFigures) -> Double {
      common.reduce(0) { $0 + log(max(rival.costs[$1].map(figure) ?? 1, 1e-9)) }
    }
    let best = rivals.min { total($0) < total($1) }
    return Change(
      Self.inOrder(costs).compactMap { image, cost in
        guard let least = best?.costs[image].map(figure), least > 0, figure(cost) > 0 else { return nil }
        return log(figure(cost) / least)
      })
  }

  var images: Int { costs.count }

  /// The container's part of level 0's overhead, in percent of the untiled picture; a mean over pictures.
  var containerShare: Double? {
    rows.compactMap { row in
      guard let figures = row.figures?.figures, let tiled = figures[.container],
        let untiled = figures[.wholeContainer], let whole = row.whole
      else { return nil }
      return Double(tiled - untiled) / Double(whole.encodedBytes) * 100
    }.mean
  }

  /// The same for the coded pictures.
  var codedShare: Double? {
    containerShare.flatMap { container in rows.compactMap(\.overhead).mean.map { $0 - container } }
  }

  /// Bytes of the levels above level 0, in percent of level 0; a mean over pictures.
  var upperShare: Double? {
    rows.compactMap(\.tiles).map {
      Double($0.totalBytes - $0.bytes(ofLevel: 0)) / Double($0.bytes(ofLevel: 0)) * 100
    }.mean
  }

  /// Peak growth of memory while decoding the centred viewport, median over pictures.
  var viewportPeakMiB: Double? { rows.compactMap { $0.figures?.mebibytes(.decodePeak) }.median }

  /// Mean bytes and CPU milliseconds for decoding the whole picture instead, and the median of its memory.
  var wholeBytes: Double { rows.compactMap(\.whole).map { Double($0.encodedBytes) }.mean ?? 0 }
  var wholeCPU: Double? { rows.compactMap(\.whole?.timing.decode.leastCPU).map { $0 / 1e6 }.mean }
  var wholePeakMiB: Double? { rows.compactMap { $0.whole?.mebibytes(.decodePeak) }.median }

  /// Mean cost of the viewport anywhere in each level, over pictures and qualities. A level that only some pictures have
  /// is left out, since it says nothing about the others.
  func levels(_ viewport: PixelSize) -> [ViewportCost] {
    let tiles = rows.compactMap(\.tiles)
    return (0..<(tiles.map(\.tiles.count).min() ?? 0)).map { level in
      ViewportCost(tiles.map { .anywhere(viewport, level: level, $0) })
    }
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

extension [TileFigures] {
  /// The sizes for each codec and overlap, smallest first.
  var byName: [[TileFigures]] {
    grouped(by: \.name).map { sizes in sizes.sorted { $0.tileSize < $1.tileSize } }
  }

  func least(_ figure: (ViewportCost) -> Double) -> TileFigures? {
    self.min { figure($0.viewport) < figure($1.viewport) }
  }

  /// Sizes that no other beats in both bytes and CPU.
  var frontier: [TileFigures] {
    filter { size in
      !contains { other in
        other.viewport.bytes <= size.viewport.bytes && other.viewport.cpu <= size.viewport.cpu
          && (other.tileSize, other.overlap) != (size.tileSize, size.overlap)
      }
    }
  }
}

extension Sequence {
  /// Groups elements with equal keys, in order of first appearance.
  func grouped(by key: (Element) -> some Hashable) -> [[Element]] {
    let all = Dictionary(grouping: enumerated()) { key($0.element) }
    return all.values.sorted { $0[0].offset < $1[0].offset }.map { $0.map(\.element) }
  }
}

extension [TimingSample] {
  /// CPU nanoseconds of the fastest sample; nil if there is none.
  var leastCPU: Double? { map(\.cpuNanoseconds).min().map { Double($0) } }
}
