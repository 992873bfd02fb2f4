package import Analysis
package import Model

/// Cost of showing one file in a cell.
package struct GalleryFile: Sendable, Hashable {
  /// Cost of one way to the cell's picture.
  package struct Work: Sendable, Hashable {
    /// CPU seconds of the decode and the reduction to the cell.
    package var seconds: Double
    /// Growth of memory meanwhile.
    package var peakBytes: Int

    package init(seconds: Double, peakBytes: Int) { (self.seconds, self.peakBytes) = (seconds, peakBytes) }
  }

  package var name: String
  /// Decode of the whole file, and its reduction.
  package var full: Work
  /// Reduction of an already decoded picture.
  package var reduction: Work
  /// The cheapest honest way.
  package var cheapest: Work
  /// Route of `cheapest`.
  package var route: ReadRoute
  /// Decoded picture in a cache: columns × rows × 4.
  package var pictureBytes: Int
  /// The cell's picture: columns × rows × 4.
  package var cellBytes: Int

  package init(
    name: String, full: Work, reduction: Work, cheapest: Work, route: ReadRoute, pictureBytes: Int,
    cellBytes: Int
  ) {
    (self.name, self.full, self.reduction, self.cheapest) = (name, full, reduction, cheapest)
    (self.route, self.pictureBytes, self.cellBytes) = (route, pictureBytes, cellBytes)
  }

  /// Returns the costs from the reads at one size, in the order of the files; omits files that were not decoded.
  /// - Parameter score: Least SSIMULACRA 2 of an honest route.
  package static func all(_ rows: [ReadRow], side: Int, honest score: Double) -> [GalleryFile] {
    var names: [String] = []
    var byName: [String: [ReadRow]] = [:]
    for row in rows
    where row.record.key.encoding == nil && row.record.key.build == nil
      && row.record.key.wanted == .side(side)
    {
      let name = row.record.key.image.name
      if byName[name] == nil { names.append(name) }
      byName[name, default: []].append(row)
    }
    return names.compactMap { name in
      let ways = (byName[name] ?? []).compactMap { row in work(row).map { (row: row, work: $0) } }
      guard let full = ways.first(where: { $0.row.record.key.route == .full }),
        let figures = full.row.record.measurement
      else { return nil }
      let honest = ways.filter {
        [.full, .scaled, .thumbnail].contains($0.row.record.key.route)
          && RouteAnswer.isHonest($0.row, at: score)
      }
      let cheapest = honest.min { $0.work.seconds < $1.work.seconds } ?? full
      let cellBytes = figures.deliveredWidth * figures.deliveredHeight * 4
      return GalleryFile(
        name: name, full: full.work,
        reduction: Work(
          seconds: Double(figures.reductionCPUNanoseconds) / 1e9, peakBytes: cellBytes),
        cheapest: cheapest.work, route: cheapest.row.record.key.route,
        pictureBytes: figures.width * figures.height * 4, cellBytes: cellBytes)
    }
  }

  private static func work(_ row: ReadRow) -> Work? {
    guard let figures = row.record.measurement, let cpu = row.cpu?.median, let peak = figures.peakBytes else {
      return nil
    }
    return Work(seconds: cpu / 1e3 + Double(figures.reductionCPUNanoseconds) / 1e9, peakBytes: peak)
  }
}

/// Caching policy, and bound on concurrent decodes.
package struct GalleryPolicy: Sendable, Hashable {
  /// Kept part of a shown picture.
  package enum Keeping: String, Sendable, Hashable, CaseIterable {
    /// Nothing: each appearance decodes the whole file.
    case nothing = "full each time"
    /// The whole decoded picture, reduced at each appearance.
    case pictures = "full pictures cached"
    /// The cell's picture, made by the cheapest honest way.
    case thumbnails = "thumbnails cached"
  }

  package var keeping: Keeping
  /// True if decodes are limited to the number of cores, and those no longer awaited are dropped.
  package var isBounded: Bool

  package init(keeping: Keeping, isBounded: Bool) { (self.keeping, self.isBounded) = (keeping, isBounded) }

  /// All policies to compare, the recommended one last.
  package static let all: [GalleryPolicy] = Keeping.allCases.flatMap { keeping in
    [false, true].map { GalleryPolicy(keeping: keeping, isBounded: $0) }
  }

  /// A label such as `thumbnails cached, bounded`.
  package var name: String { "\(keeping.rawValue), \(isBounded ? "bounded" : "unbounded")" }
}

/// A grid of cells and a scroll through it: down and up again, in flings with pauses between.
package struct GalleryScroll: Sendable, Hashable {
  /// Cells per row, and rows in view.
  package var columns, visibleRows: Int
  /// Rows fetched ahead in the direction of the scroll.
  package var rowsAhead = 2
  package var cacheBytes: Int
  /// Decodes that can run at full speed concurrently.
  package var cores: Int

  /// Speed of a fling.
  private static let rowsPerSecond = 8.0
  /// Updates of the view, as on a screen.
  package static let ticksPerSecond = 60
  private static let seed: UInt64 = 1

  package init(columns: Int, visibleRows: Int, cacheBytes: Int, cores: Int) {
    (self.columns, self.visibleRows) = (columns, visibleRows)
    (self.cacheBytes, self.cores) = (cacheBytes, cores)
  }

  /// Returns the top of the view at each tick, in rows, and its direction. Flings are half a view to two views long,
  /// pauses a quarter of a second to a second; both come from a fixed seed.
  func path(rows: Int) -> [(top: Double, isDown: Bool)] {
    let bottom = Double(max(0, rows - visibleRows))
    var generator = SeededGenerator(seed: Self.seed)
    var path: [(top: Double, isDown: Bool)] = []
    func pause(_ top: Double, _ isDown: Bool) {
      let ticks = Int.random(in: Self.ticksPerSecond / 4...Self.ticksPerSecond, using: &generator)
      path += [(Double, Bool)](repeating: (top, isDown), count: ticks)
    }
    var top = 0.0
    for isDown in [true, false] {
      pause(top, isDown)
      while isDown ? top < bottom : top > 0 {
        let view = Double(max(1, visibleRows))
        let length = Double.random(in: view / 2...view * 2, using: &generator)
        let end = isDown ? min(bottom, top + length) : max(0, top - length)
        let ticks = max(
          1, Int((abs(end - top) / Self.rowsPerSecond * Double(Self.ticksPerSecond)).rounded(.up)))
        let start = top
        for tick in 1...ticks { path.append((start + (end - start) * Double(tick) / Double(ticks), isDown)) }
        top = end
        pause(top, isDown)
      }
    }
    return path
  }
}
