import Model

/// One of several equal parts of a sweep, for machines that share the work without communicating.
package struct Shard: Sendable, Hashable {
  /// From 1 to `count`.
  package let index: Int
  package let count: Int

  package static let largestCount = 1_000_000

  /// Nil unless 1 ≤ index ≤ count ≤ 1,000,000.
  package init?(index: Int, count: Int) {
    guard (1...Self.largestCount).contains(count), (1...count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Parses `K/N`.
  package init?(_ text: some StringProtocol) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let index = Int(halves[0]), let count = Int(halves[1]) else { return nil }
    self.init(index: index, count: count)
  }

  /// This shard's part of the images, in the given order.
  ///
  /// The most expensive images are assigned first, each to the least loaded shard (longest processing time first;
  /// Graham, 1969), with ties broken by hash and name. The parts thus depend only on the set of images: every machine
  /// finds the same ones, in whatever order it meets the files.
  package func part(of entries: [CorpusEntry]) -> [CorpusEntry] {
    guard count > 1 else { return entries }
    let order = entries.indices.sorted { a, b in
      let (left, right) = (entries[a], entries[b])
      let (leftCost, rightCost) = (Self.cost(of: left), Self.cost(of: right))
      if leftCost != rightCost { return leftCost > rightCost }
      if left.identity.contentHash != right.identity.contentHash {
        return left.identity.contentHash < right.identity.contentHash
      }
      return left.identity.name.utf8.lexicographicallyPrecedes(right.identity.name.utf8)
    }
    var loads = LeastLoaded(count: count)
    var mine: Set<Int> = []
    for position in order {
      if loads.take(Self.cost(of: entries[position])) == index - 1 { mine.insert(position) }
    }
    return entries.indices.filter(mine.contains).map { entries[$0] }
  }

  /// An image's relative cost: its pixels, plus a thumbnail's worth for any image. All variants and qualities of an
  /// image run on one shard, so their number weighs equally for all images.
  static func cost(of entry: CorpusEntry) -> Int {
    guard entry.problem == nil, let header = entry.header else { return 1 }
    return min(header.pixelCount, 1 << 40) + 20_000
  }
}

extension Shard: CustomStringConvertible {
  /// The spelling that `--shard` takes.
  package var description: String { "\(index)/\(count)" }
}

/// A binary heap of shards with the least loaded on top; ties go to the lower number.
private struct LeastLoaded {
  private var heap: [(load: Int, shard: Int)]

  init(count: Int) { heap = (0..<count).map { (load: 0, shard: $0) } }

  /// Gives `cost` to the least loaded shard and returns its number.
  mutating func take(_ cost: Int) -> Int {
    let shard = heap[0].shard
    heap[0].load += cost
    var parent = 0
    while true {
      let children = (2 * parent + 1)..<min(2 * parent + 3, max(heap.count, 2 * parent + 1))
      guard let least = children.min(by: { heap[$0] < heap[$1] }), heap[least] < heap[parent] else {
        return shard
      }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
