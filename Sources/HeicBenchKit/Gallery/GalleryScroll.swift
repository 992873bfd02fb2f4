import Model

/// Caching policy, and bound on concurrent decodes.
struct GalleryPolicy: Sendable, Hashable {
  /// Kept part of a shown picture.
  enum Keeping: String, Sendable, Hashable, CaseIterable {
    /// Nothing: each appearance decodes the whole file.
    case nothing = "full each time"
    /// The whole decoded picture, reduced at each appearance.
    case pictures = "full pictures cached"
    /// The cell's picture, made by the cheapest honest way.
    case thumbnails = "thumbnails cached"
  }

  var keeping: Keeping
  /// True if decodes are limited to the number of cores, and those no longer awaited are dropped.
  var isBounded: Bool

  /// All policies to compare, the recommended one last.
  static let all = Keeping.allCases.flatMap { keeping in
    [false, true].map { GalleryPolicy(keeping: keeping, isBounded: $0) }
  }
}

/// A grid of cells and a scroll through it: down and up again, in flings with pauses between.
struct GalleryScroll: Sendable, Hashable {
  /// Cells per row, and rows in view.
  var columns, visibleRows: Int
  var cacheBytes: Int
  /// Decodes that can run at full speed concurrently.
  var cores: Int

  /// Rows fetched ahead in the direction of the scroll.
  static let rowsAhead = 2
  /// Speed of a fling, and updates of the view, as on a screen.
  private static let (rowsPerSecond, ticksPerSecond) = (8.0, 60)

  /// Returns the top of the view at each tick, in rows, and its direction. Flings are half a view to two views long,
  /// pauses a quarter of a second to a second; both come from a fixed seed.
  func path(rows: Int) -> [(time: Double, top: Double, isDown: Bool)] {
    let (view, bottom) = (Double(visibleRows), Double(max(0, rows - visibleRows)))
    let tick = 1 / Double(Self.ticksPerSecond)
    var generator = SeededGenerator(seed: 1)
    var path: [(time: Double, top: Double, isDown: Bool)] = []
    var top = 0.0
    func stop(_ isDown: Bool) { path.append((Double(path.count) * tick, top, isDown)) }
    for isDown in [true, false] {
      let end = isDown ? bottom : 0
      while true {
        let pause = Int.random(in: Self.ticksPerSecond / 4...Self.ticksPerSecond, using: &generator)
        for _ in 0..<pause { stop(isDown) }
        guard top != end else { break }
        let length = min(abs(end - top), Double.random(in: view / 2...view * 2, using: &generator))
        let ticks = max(1, (length / Self.rowsPerSecond / tick).rounded(.up))
        let start = top
        for step in 1...Int(ticks) {
          top = start + (isDown ? length : -length) * Double(step) / ticks
          stop(isDown)
        }
      }
    }
    return path
  }
}

/// Cost of a policy over one scroll.
struct GalleryOutcome: Sendable, Hashable {
  var policy: GalleryPolicy
  /// CPU seconds of all decodes and reductions.
  var cpuSeconds = 0.0
  var decodes = 0
  /// Cache lookups, and hits among them.
  var lookups = 0, hits = 0
  /// Peak bytes of caches and cells, and with running decodes.
  var heldBytes = 0, peakBytes = 0
  /// Seconds until each cell that came into view showed its picture; infinite if it left before.
  var waits: [Double] = []

  /// Returns the wait in seconds not exceeded by a share of the appearances; infinite for too many blanks.
  func wait(share: Double) -> Double? {
    waits.isEmpty ? nil : waits.sorted()[max(0, Int((share * Double(waits.count)).rounded(.up)) - 1)]
  }
}
