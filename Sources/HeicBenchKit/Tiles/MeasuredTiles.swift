import Model
import Sweep
import Synchronization
import Workers

/// Results as they come, from any thread.
final class MeasuredTiles: Sendable {
  private struct State {
    var records: [TilingKey: TilingRecord] = [:]
    var points: [WholePoint] = []
  }

  private let identity: String
  private let places: [TilingKey: Int]
  private let earlier: Set<TilingKey>
  private let state: Mutex<State>

  init(identity: String, _ known: TileResults?, order: [TilingKey]) {
    self.identity = identity
    places = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var start = State()
    if let known, known.identity == identity {
      for record in known.records {
        if case .failed = record.outcome { continue }
        start.records[record.key] = record
      }
      start.points = known.points
    }
    earlier = Set(start.records.keys)
    state = Mutex(start)
  }

  @Sendable func isKnown(_ key: TilingKey) -> Bool { earlier.contains(key) }

  /// Adds a result; returns how many cuts there are.
  func add(_ result: TileResult) -> Int {
    state.withLock { state in
      switch result {
      case .tiling(let record): state.records[record.key] = record
      case .whole(let point) where !state.points.contains(point): state.points.append(point)
      case .whole: break
      }
      return state.records.keys.count { places[$0] != nil }
    }
  }

  /// In the order of the plan, what others have measured last.
  var results: TileResults {
    let (records, points) = state.withLock { (Array($0.records.values), $0.points) }
    let sorted = records.sorted { a, b in
      let (first, second) = (places[a.key] ?? .max, places[b.key] ?? .max)
      return first == second ? "\(a.key)" < "\(b.key)" : first < second
    }
    let inOrder = points.sorted {
      ($0.image.name, $0.variant.name, $0.quality) < ($1.image.name, $1.variant.name, $1.quality)
    }
    return TileResults(identity: identity, records: sorted, points: inOrder)
  }

  func json() throws -> String { try results.json() }
}
