import Model
import Store

/// A caching policy, and whether concurrent decodes are limited.
struct GalleryPolicy: Sendable, Hashable {
  /// The data kept of a shown picture.
  enum Keeping: String, Sendable, Hashable, CaseIterable {
    /// Nothing; each appearance decodes the whole file.
    case nothing = "full each time"
    /// The whole decoded picture, reduced at each appearance.
    case pictures = "full pictures cached"
    /// The cell's picture, made by the cheapest good route.
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
  /// The number of decodes that can run concurrently at full speed.
  var cores: Int

  /// Rows fetched ahead in the direction of the scroll.
  static let rowsAhead = 2
  /// The speed of a fling, and view updates per second, as on a screen.
  private static let (rowsPerSecond, ticksPerSecond) = (8.0, 60)

  /// Returns the top of the view at each tick, in rows, and its direction. Flings are half a view to two views long,
  /// and pauses a quarter of a second to a second; both come from a fixed seed.
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
        let fling = Double.random(in: view / 2...view * 2, using: &generator)
        let (start, target) = (top, isDown ? min(top + fling, end) : max(top - fling, end))
        let ticks = max(1, (abs(target - start) / Self.rowsPerSecond / tick).rounded(.up))
        for step in 1...Int(ticks) {
          // The last step is exact: a rounding error past the end would never lead back to it.
          top = Double(step) == ticks ? target : start + (target - start) * Double(step) / ticks
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
  var lookups = 0, hits = 0
  /// Peak bytes of caches and cells, without and with running decodes.
  var heldBytes = 0, peakBytes = 0
  /// Seconds until each cell that came into view showed its picture; infinite if it left the view first.
  var waits: [Double] = []

  /// Returns the wait in seconds that a share of the appearances does not exceed; infinite if too many stayed blank.
  func wait(share: Double) -> Double? {
    waits.isEmpty ? nil : waits.sorted()[max(0, Int((share * Double(waits.count)).rounded(.up)) - 1)]
  }
}

/// Cost of showing one file in a cell.
struct GalleryFile: Sendable, Hashable {
  /// The cost of one way to make the cell's picture.
  struct Work: Sendable, Hashable {
    /// CPU seconds of the decode and the reduction to the cell.
    var seconds: Double
    var peakBytes: Int
  }

  var name: String
  /// Decode of the whole file, and its reduction.
  var full: Work
  /// Reduction of an already decoded picture.
  var reduction: Work
  /// The cheapest good route and its cost.
  var cheapest: Work
  var route: ReadRoute
  /// Decoded picture in a cache, and the cell's picture: columns × rows × 4.
  var pictureBytes, cellBytes: Int

  /// Returns the costs from the reads at one size, by name; omits files that were not decoded.
  /// - Parameter score: The lowest SSIMULACRA2 of a good route.
  static func all(_ reads: [CaseRecord], side: Int, honest score: Double) -> [GalleryFile] {
    let own = reads.filter {
      $0.key.encodedAt == nil && $0.key.build == nil && $0.key.wanted == .side(side)
    }
    return Dictionary(grouping: own, by: \.key.image.name).sorted { $0.key < $1.key }.compactMap {
      name, reads in
      let ways = reads.compactMap { read in work(read).map { (read: read, work: $0) } }
      guard let full = ways.first(where: { $0.read.key.route == .full }), let figures = full.read.figures
      else { return nil }
      let honest = ways.filter {
        [.full, .scaled, .thumbnail].contains($0.read.key.route) && $0.read.isHonest(at: score)
      }
      let cheapest = honest.min { $0.work.seconds < $1.work.seconds } ?? full
      let cellBytes = figures[.deliveredWidth] * figures[.deliveredHeight] * 4
      return GalleryFile(
        name: name, full: full.work,
        reduction: Work(seconds: Double(figures[.reductionCPU]) / 1e9, peakBytes: cellBytes),
        cheapest: cheapest.work, route: cheapest.read.key.route,
        pictureBytes: figures[.width] * figures[.height] * 4, cellBytes: cellBytes)
    }
  }

  private static func work(_ read: CaseRecord) -> Work? {
    guard let figures = read.figures, let cpu = read.cpu?.median, let peak = figures.figures[.decodePeak]
    else {
      return nil
    }
    return Work(seconds: cpu / 1e3 + Double(figures[.reductionCPU]) / 1e9, peakBytes: peak)
  }
}
