/// One of several equal parts of a sweep, for machines that share the work without communicating.
package struct Shard: Sendable, Hashable {
  package let index: Int
  package let count: Int

  static let largestCount = 1_000_000

  /// Nil unless 1 ≤ index ≤ count ≤ 1,000,000.
  package init?(index: Int, count: Int) {
    guard (1...Self.largestCount).contains(count), (1...count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  package init?(_ text: some StringProtocol) {
    let halves = text.split(separator: "/", omittingEmptySubsequences: false)
    guard halves.count == 2, let index = Int(halves[0]), let count = Int(halves[1]) else { return nil }
    self.init(index: index, count: count)
  }

  /// This shard's part of the images, in the given order.
  ///
  /// The most expensive images are assigned first, each to the least loaded shard (longest processing time first;
  /// Graham, 1969), with ties broken by hash and name. The parts depend only on the set of images, so every machine
  /// gets the same ones, in whatever order it finds the files.
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
  /// image run on the same shard, so their number does not matter.
  static func cost(of entry: CorpusEntry) -> Int {
    guard entry.problem == nil, let header = entry.header else { return 1 }
    return cost(ofPixels: header.pixelCount)
  }

  static func cost(ofPixels pixels: Int) -> Int { min(pixels, 1 << 40) + 20_000 }
}

extension Shard: CustomStringConvertible {
  package var description: String { "\(index)/\(count)" }
}

extension Shard {
  /// The variable with the number of shards, for engines that give a job only its own index.
  static let countVariable = "HEICBENCH_SHARDS"

  /// Parses `K/N`, or reads the variables of cluster engines for `auto`.
  package static func parse(_ text: String, environment: [String: String]) throws(HeicBenchError) -> Shard {
    if text == "auto" { return try detect(in: environment) }
    guard let shard = Shard(text) else {
      throw HeicBenchError(
        .usage, "“\(text)” is not a shard; write K/N with K from 1 to N, such as 3/16, or auto")
    }
    return shard
  }

  /// The shard of an array job, by its engine's variables.
  ///
  /// In this order: Slurm arrays (`SLURM_ARRAY_TASK_ID`, `_MIN`, `_MAX`, `_STEP`, `_COUNT`), Kubernetes Indexed Jobs
  /// (`JOB_COMPLETION_INDEX`, from 0), parallel jobs of GitLab and others (`CI_NODE_INDEX`, from 1, and
  /// `CI_NODE_TOTAL`), GNU parallel (`PARALLEL_SEQ`, from 1). `HEICBENCH_SHARDS` gives the count for Kubernetes and GNU
  /// parallel, and overrides the others' counts.
  static func detect(in environment: [String: String]) throws(HeicBenchError) -> Shard {
    let count = try integer(countVariable, environment)
    if let id = try integer("SLURM_ARRAY_TASK_ID", environment) {
      return try slurm(id, count: count, environment)
    }
    // Each engine's index variable, its first number, and the variable with the count.
    let engines = [
      ("JOB_COMPLETION_INDEX", 0, nil), ("CI_NODE_INDEX", 1, "CI_NODE_TOTAL"), ("PARALLEL_SEQ", 1, nil),
    ]
    for (variable, first, total) in engines {
      guard let index = try integer(variable, environment) else { continue }
      let counted = try integer(total ?? "", environment)
      return try shard(index, from: first, count: count ?? counted, of: variable)
    }
    throw HeicBenchError(
      .usage,
      "--shard auto finds none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, CI_NODE_INDEX and "
        + "PARALLEL_SEQ in the environment; write --shard K/N")
  }

  /// Array tasks count from MIN in steps of STEP; a sparse array (`--array=1,5,7`) cannot be placed.
  private static func slurm(
    _ id: Int, count: Int?, _ environment: [String: String]
  ) throws(HeicBenchError) -> Shard {
    let first = try integer("SLURM_ARRAY_TASK_MIN", environment) ?? 0
    let step = try integer("SLURM_ARRAY_TASK_STEP", environment) ?? 1
    let last = try integer("SLURM_ARRAY_TASK_MAX", environment)
    let tasks = try integer("SLURM_ARRAY_TASK_COUNT", environment)
    guard step > 0, id >= first, (id - first) % step == 0 else {
      throw HeicBenchError(
        .usage, "SLURM_ARRAY_TASK_ID \(id) is not one of the array’s steps; use --shard K/N")
    }
    let bySpan = last.flatMap { $0 >= first ? ($0 - first) / step + 1 : nil }
    if let bySpan, let tasks, bySpan != tasks, count == nil {
      throw HeicBenchError(
        .usage,
        "the Slurm array has gaps (\(tasks) tasks from \(first) to \(last ?? 0)); "
          + "use a range without gaps such as --array=1-16, or --shard K/N")
    }
    return try shard((id - first) / step, from: 0, count: count ?? tasks ?? bySpan, of: "SLURM_ARRAY_TASK_ID")
  }

  private static func shard(
    _ index: Int, from first: Int, count: Int?, of variable: String
  ) throws(HeicBenchError) -> Shard {
    guard let count else {
      throw HeicBenchError(
        .usage,
        "\(variable) gives the number of this shard but not the number of shards: set \(countVariable)")
    }
    guard let shard = Shard(index: index - first + 1, count: count) else {
      throw HeicBenchError(.usage, "\(variable) is \(index), which is not one of \(count) shards")
    }
    return shard
  }

  private static func integer(
    _ name: String, _ environment: [String: String]
  ) throws(HeicBenchError) -> Int? {
    guard let text = environment[name], !text.isEmpty else { return nil }
    // Bounded, so that sums and differences of two such numbers cannot overflow.
    guard let value = Int(text), (0...Int(Int32.max)).contains(value) else {
      throw HeicBenchError(.usage, "\(name) is “\(text)”, not a whole number of at least 0")
    }
    return value
  }
}

/// A binary heap of shards with the least loaded on top; ties go to the lower number.
private struct LeastLoaded {
  private var heap: [(load: Int, shard: Int)]

  init(count: Int) { heap = (0..<count).map { (load: 0, shard: $0) } }

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
