import Analysis
import Model

/// Cost of a policy over one scroll.
package struct GalleryOutcome: Sendable, Hashable {
  /// State at one tick.
  package struct Moment: Sendable, Hashable {
    /// Seconds from the start.
    package var time: Double
    /// Peak memory since the last moment.
    package var bytes: Int
    /// Cells in view without a picture.
    package var blankCells: Int
  }

  package var policy: GalleryPolicy
  /// CPU seconds of all decodes and reductions.
  package var cpuSeconds = 0.0
  package var decodes = 0
  /// Cache lookups, and hits among them.
  package var lookups = 0, hits = 0
  /// Peak bytes of caches and cells.
  package var heldBytes = 0
  /// Peak bytes in use: caches, cells and running decodes.
  package var peakBytes = 0
  /// Seconds until each cell that came into view showed its picture; infinite if it left before.
  package var waits: [Double] = []
  package var moments: [Moment] = []

  /// Cells that left the view without showing a picture.
  package var unshown: Int { waits.count { $0 == .infinity } }

  /// Returns the wait in seconds not exceeded by a share of the appearances; infinite for too many blanks.
  package func wait(share: Double) -> Double? {
    guard !waits.isEmpty else { return nil }
    let sorted = waits.sorted()
    return sorted[min(sorted.count - 1, max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1))]
  }
}

/// Simulation of a scroll under a policy: decodes take their measured times and share the cores if necessary.
package struct GalleryRun {
  private struct Job {
    var cell: Int
    var remaining: Double
    var bytes: Int
    var isDecode: Bool
  }

  private let files: [GalleryFile]
  private let scroll: GalleryScroll
  private var outcome: GalleryOutcome
  private var time = 0.0
  private var running: [Job] = []
  /// Cells with work not yet begun, in the order of the requests.
  private var waiting: [Int] = []
  private var cache: ByteCache
  /// Cells in view or fetched ahead that have their picture.
  private var ready: Set<Int> = []
  /// Cells in view; `wanted` adds those fetched ahead, and `waitsSince` has the start of each wait.
  private var visible = 0..<0
  private var wanted = 0..<0
  private var waitsSince: [Int: Double] = [:]
  private var readyBytes = 0
  private var recentPeak = 0

  private init(_ files: [GalleryFile], _ scroll: GalleryScroll, _ policy: GalleryPolicy) {
    (self.files, self.scroll) = (files, scroll)
    outcome = GalleryOutcome(policy: policy)
    cache = ByteCache(limit: scroll.cacheBytes)
  }

  package static func play(
    _ files: [GalleryFile], _ scroll: GalleryScroll, _ policy: GalleryPolicy
  ) -> GalleryOutcome {
    var run = GalleryRun(files, scroll, policy)
    run.play()
    return run.outcome
  }

  private mutating func play() {
    let rows = (files.count + scroll.columns - 1) / max(1, scroll.columns)
    let tick = 1 / Double(GalleryScroll.ticksPerSecond)
    for (index, place) in scroll.path(rows: rows).enumerated() {
      advance(to: Double(index) * tick)
      look(top: place.top, isDown: place.isDown)
      outcome.moments.append(
        GalleryOutcome.Moment(time: time, bytes: recentPeak, blankCells: waitsSince.count))
      recentPeak = 0
      weigh()
    }
    // Cells in view at the end get their pictures.
    advance(to: .infinity)
  }

  /// Moves cells into and out of view.
  private mutating func look(top: Double, isDown: Bool) {
    let first = Int(top.rounded(.down))
    let last = Int((top + Double(scroll.visibleRows)).rounded(.up))
    let before = (visible: visible, wanted: wanted)
    visible = cells(first..<last)
    wanted = cells(isDown ? first..<last + scroll.rowsAhead : first - scroll.rowsAhead..<last)
    for cell in before.visible where !visible.contains(cell) {
      if waitsSince.removeValue(forKey: cell) != nil { outcome.waits.append(.infinity) }
    }
    for cell in before.wanted where !wanted.contains(cell) {
      if ready.remove(cell) != nil { readyBytes -= files[cell].cellBytes }
      if outcome.policy.isBounded { waiting.removeAll { $0 == cell } }
    }
    for cell in wanted where !before.wanted.contains(cell) { ask(cell) }
    for cell in visible where !before.visible.contains(cell) {
      if ready.contains(cell) { outcome.waits.append(0) } else { waitsSince[cell] = time }
    }
    start()
    weigh()
  }

  private func cells(_ rows: Range<Int>) -> Range<Int> {
    let first = min(max(0, rows.lowerBound * scroll.columns), files.count)
    return first..<max(first, min(rows.upperBound * scroll.columns, files.count))
  }

  private mutating func ask(_ cell: Int) {
    if outcome.policy.keeping != .nothing {
      outcome.lookups += 1
      if cache.use(cell) {
        outcome.hits += 1
        if outcome.policy.keeping == .thumbnails { return give(cell) }
      }
    }
    // A cell that returns in time finds its work under way.
    guard !running.contains(where: { $0.cell == cell }), !waiting.contains(cell) else { return }
    waiting.append(cell)
  }

  private mutating func give(_ cell: Int) {
    guard wanted.contains(cell), ready.insert(cell).inserted else { return }
    readyBytes += files[cell].cellBytes
    if let since = waitsSince.removeValue(forKey: cell) { outcome.waits.append(time - since) }
  }

  /// Begins all work, or as much as there are cores, cells in view first.
  private mutating func start() {
    while !waiting.isEmpty, !outcome.policy.isBounded || running.count < scroll.cores {
      let place = waiting.firstIndex { visible.contains($0) } ?? 0
      let cell = waiting.remove(at: place)
      let file = files[cell]
      let isKept = outcome.policy.keeping == .pictures && cache.contains(cell)
      let work = isKept ? file.reduction : outcome.policy.keeping == .thumbnails ? file.cheapest : file.full
      if !isKept { outcome.decodes += 1 }
      outcome.cpuSeconds += work.seconds
      running.append(
        Job(cell: cell, remaining: work.seconds, bytes: work.peakBytes, isDecode: !isKept))
    }
  }

  /// Advances time; work that ends makes room for other work.
  private mutating func advance(to end: Double) {
    while !running.isEmpty {
      let speed = min(1, Double(scroll.cores) / Double(running.count))
      guard let next = running.indices.min(by: { running[$0].remaining < running[$1].remaining }) else {
        break
      }
      let duration = running[next].remaining / speed
      guard time + duration <= end else {
        let passed = (end - time) * speed
        for index in running.indices { running[index].remaining -= passed }
        break
      }
      let passed = running[next].remaining
      for index in running.indices { running[index].remaining -= passed }
      time += duration
      finish(running.remove(at: next))
      start()
      weigh()
    }
    if end.isFinite { time = end }
  }

  private mutating func finish(_ job: Job) {
    let file = files[job.cell]
    switch outcome.policy.keeping {
    case .nothing: break
    case .pictures: if job.isDecode { cache.insert(job.cell, bytes: file.pictureBytes) }
    case .thumbnails: cache.insert(job.cell, bytes: file.cellBytes)
    }
    give(job.cell)
  }

  /// Updates memory use; a cell's picture that is also cached counts once.
  private mutating func weigh() {
    var held = cache.bytes + readyBytes
    if outcome.policy.keeping == .thumbnails {
      held -= ready.reduce(0) { $0 + (cache.contains($1) ? files[$1].cellBytes : 0) }
    }
    let used = running.reduce(held) { $0 + $1.bytes }
    outcome.heldBytes = max(outcome.heldBytes, held)
    outcome.peakBytes = max(outcome.peakBytes, used)
    recentPeak = max(recentPeak, used)
  }
}

/// LRU cache with a limit in bytes.
private struct ByteCache {
  private let limit: Int
  private var sizes: [Int: Int] = [:]
  /// Least recently used first.
  private var order: [Int] = []
  private(set) var bytes = 0

  init(limit: Int) { self.limit = limit }

  func contains(_ key: Int) -> Bool { sizes[key] != nil }

  /// Returns true for a cached key, and marks it as used.
  mutating func use(_ key: Int) -> Bool {
    guard sizes[key] != nil else { return false }
    order.removeAll { $0 == key }
    order.append(key)
    return true
  }

  /// Adds an entry unless it exceeds the limit by itself.
  mutating func insert(_ key: Int, bytes size: Int) {
    guard size <= limit, !use(key) else { return }
    while bytes > limit - size, let oldest = order.first {
      order.removeFirst()
      bytes -= sizes.removeValue(forKey: oldest) ?? 0
    }
    sizes[key] = size
    order.append(key)
    bytes += size
  }
}
