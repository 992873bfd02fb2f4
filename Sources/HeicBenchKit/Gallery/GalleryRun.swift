/// Simulates a scroll under a policy: decodes take their measured times and share the cores if necessary.
struct GalleryRun {
  private struct Job {
    var cell: Int
    var remaining: Double
    var bytes: Int
  }

  private let files: [GalleryFile]
  private let scroll: GalleryScroll
  private var outcome: GalleryOutcome
  private var time = 0.0
  private var running: [Job] = []
  /// Cells whose work has not begun, in the order of the requests.
  private var waiting: [Int] = []
  /// Cells in the cache, least recently used first, and their bytes.
  private var cache: [Int] = []
  private var cacheBytes = 0
  /// Cells in view or fetched ahead that have their picture.
  private var ready: Set<Int> = []
  /// Cells in view; `wanted` adds those fetched ahead, and `waitsSince` has the start of each wait.
  private var visible = 0..<0
  private var wanted = 0..<0
  private var waitsSince: [Int: Double] = [:]

  static func play(_ files: [GalleryFile], _ scroll: GalleryScroll, _ policy: GalleryPolicy) -> GalleryOutcome
  {
    var run = GalleryRun(files: files, scroll: scroll, outcome: GalleryOutcome(policy: policy))
    for (time, top, isDown) in scroll.path(rows: (files.count + scroll.columns - 1) / scroll.columns) {
      run.advance(to: time)
      run.look(top: top, isDown: isDown)
    }
    // Cells in view at the end get their pictures.
    run.advance(to: .infinity)
    return run.outcome
  }

  private init(files: [GalleryFile], scroll: GalleryScroll, outcome: GalleryOutcome) {
    (self.files, self.scroll, self.outcome) = (files, scroll, outcome)
  }

  private var keeping: GalleryPolicy.Keeping { outcome.policy.keeping }

  private mutating func look(top: Double, isDown: Bool) {
    let rows = Int(top.rounded(.down))..<Int((top + Double(scroll.visibleRows)).rounded(.up))
    let ahead = GalleryScroll.rowsAhead
    let before = (visible: visible, wanted: wanted)
    visible = cells(rows)
    wanted = cells(
      isDown ? rows.lowerBound..<rows.upperBound + ahead : rows.lowerBound - ahead..<rows.upperBound)
    for cell in before.visible where !visible.contains(cell) {
      if waitsSince.removeValue(forKey: cell) != nil { outcome.waits.append(.infinity) }
    }
    for cell in before.wanted where !wanted.contains(cell) {
      ready.remove(cell)
      if outcome.policy.isBounded { waiting.removeAll { $0 == cell } }
    }
    for cell in wanted where !before.wanted.contains(cell) { ask(cell) }
    for cell in visible where !before.visible.contains(cell) {
      if ready.contains(cell) { outcome.waits.append(0) } else { waitsSince[cell] = time }
    }
    start()
  }

  private func cells(_ rows: Range<Int>) -> Range<Int> {
    (rows.lowerBound * scroll.columns..<rows.upperBound * scroll.columns).clamped(to: files.indices)
  }

  private mutating func ask(_ cell: Int) {
    if keeping != .nothing {
      outcome.lookups += 1
      if let place = cache.firstIndex(of: cell) {
        outcome.hits += 1
        cache.append(cache.remove(at: place))
        if keeping == .thumbnails { return show(cell) }
      }
    }
    // A cell that returns in time finds its work already in progress.
    if !running.contains(where: { $0.cell == cell }), !waiting.contains(cell) { waiting.append(cell) }
  }

  private mutating func show(_ cell: Int) {
    guard wanted.contains(cell), ready.insert(cell).inserted else { return }
    if let since = waitsSince.removeValue(forKey: cell) { outcome.waits.append(time - since) }
  }

  /// Begins all work, or as much as the cores allow, cells in view first.
  private mutating func start() {
    while !waiting.isEmpty, !outcome.policy.isBounded || running.count < scroll.cores {
      let cell = waiting.remove(at: waiting.firstIndex { visible.contains($0) } ?? 0)
      let (file, isKept) = (files[cell], cache.contains(cell))
      let work = isKept ? file.reduction : keeping == .thumbnails ? file.cheapest : file.full
      if !isKept { outcome.decodes += 1 }
      outcome.cpuSeconds += work.seconds
      running.append(Job(cell: cell, remaining: work.seconds, bytes: work.peakBytes))
    }
    // A cell's picture that is also cached counts once.
    let cells = keeping == .thumbnails ? ready.subtracting(cache) : ready
    let held = cells.reduce(cacheBytes) { $0 + files[$1].cellBytes }
    outcome.heldBytes = max(outcome.heldBytes, held)
    outcome.peakBytes = max(outcome.peakBytes, running.reduce(held) { $0 + $1.bytes })
  }

  /// Advances time; finished work makes room for other work.
  private mutating func advance(to end: Double) {
    while let next = running.indices.min(by: { running[$0].remaining < running[$1].remaining }) {
      let speed = min(1, Double(scroll.cores) / Double(running.count))
      let passed = min(running[next].remaining, (end - time) * speed)
      let isDone = passed == running[next].remaining
      for index in running.indices { running[index].remaining -= passed }
      guard isDone else { break }
      time += passed / speed
      let cell = running.remove(at: next).cell
      keep(cell)
      show(cell)
      start()
    }
    if end.isFinite { time = end }
  }

  /// Caches the result unless it exceeds the limit on its own.
  private mutating func keep(_ cell: Int) {
    func bytes(_ cell: Int) -> Int {
      keeping == .thumbnails ? files[cell].cellBytes : files[cell].pictureBytes
    }
    guard keeping != .nothing, !cache.contains(cell), bytes(cell) <= scroll.cacheBytes else { return }
    while cacheBytes > scroll.cacheBytes - bytes(cell) { cacheBytes -= bytes(cache.removeFirst()) }
    cache.append(cell)
    cacheBytes += bytes(cell)
  }
}
