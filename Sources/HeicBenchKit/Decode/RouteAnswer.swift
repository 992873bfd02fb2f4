import Analysis
import Model

/// Routes to one wanted size from one kind of file, cheapest first.
struct RouteAnswer: Sendable, Hashable {
  /// A route over all files of the kind for which it was measured.
  struct Route: Sendable, Hashable {
    var route: ReadRoute
    /// Files with pixels by this route.
    var files: Int
    /// Files among them that look good enough at the wanted size.
    var honestFiles: Int
    /// Medians over the honest files, or over all if there are none: CPU in ms, memory growth, and deciding score.
    var cpu, peakMiB, score: Double?
    /// Median score of another good filter at this size.
    var ceiling: Double?
    /// True if the pixels equal those of the full decode for each of these files.
    var isExact = false
    /// By file.
    var costs: [BreakEven.Cost] = []

    /// Returns the milliseconds until the pixels are ready at a bandwidth in Mbit/s: the median over the files of
    /// transfer plus decode. Nil without times.
    func time(over bandwidth: Double) -> Double? {
      costs.map { $0.time(over: bandwidth) }.median
    }
  }

  /// Kind of the files, in words.
  var kind: String
  var wanted: WantedPixels
  var files: Int
  /// True if the size is large enough for scores to distinguish routes.
  var isRanked: Bool
  /// Honest routes first, then by CPU time.
  var routes: [Route]
  /// Nil for files as found.
  var encoding: ReadEncoding?
  /// Median SSIMULACRA 2 of the files against their originals; nil for files as found.
  var original: Double?

  /// Route with the least CPU among those honest for at least half of the files; nil if the size is not ranked. A route
  /// honest for fewer is not a way to read files of the kind.
  var cheapest: Route? {
    guard isRanked else { return nil }
    return routes.first { $0.honestFiles > 0 && $0.honestFiles * 2 >= files }
  }

  /// Full decode of the files for which the cheapest route is honest; nil if that is the full decode itself.
  var comparison: Route?

  /// Longest side below which two good filters of the same pixels differ by more than routes do.
  static let smallestRanked = 200

  /// Returns an answer for every kind and wanted size, in order of first appearance.
  static func all(_ table: ReadTable) -> [RouteAnswer] {
    var order: [Group] = []
    var known: Set<Group> = []
    for sample in table.samples where [.full, .scaled, .thumbnail, .region].contains(sample.route) {
      let group = Group(kind: table.kinds[Int(sample.kind)].name, wanted: table.sizes[Int(sample.size)])
      if known.insert(group).inserted { order.append(group) }
    }
    return order.map { answer($0, table) }
  }

  private struct Group: Hashable {
    var kind: String
    var wanted: WantedPixels
  }

  private static func answer(_ group: Group, _ table: ReadTable) -> RouteAnswer {
    let kinds = Set(table.kinds.indices.filter { table.kinds[$0].name == group.kind }.map(Int32.init))
    let size = Int32(table.sizes.firstIndex(of: group.wanted) ?? 0)
    // Lazy, since a copy would be as large as the table.
    let rows = table.samples.lazy.filter {
      $0.size == size && kinds.contains($0.kind) && [.full, .scaled, .thumbnail, .region].contains($0.route)
    }
    /// Returns the last full decode of each file, which costs the same whatever size is wanted.
    func whole(of images: Set<Int32>) -> [ReadSample] {
      var whole: [Int32: ReadSample] = [:]
      for sample in table.samples where sample.route == .full && kinds.contains(sample.kind) {
        if images.contains(sample.image) { whole[sample.image] = sample }
      }
      return Array(whole.values)
    }
    let files = Set(rows.map(\.image))
    let isRanked = if case .side(let side) = group.wanted { side >= smallestRanked } else { true }
    var routes = ReadRoute.allCases.compactMap { route($0, rows) }
    if case .part = group.wanted {
      // The full decode contains the part, too, and costs less if the picture is hardly larger.
      if let full = route(.full, whole(of: files)) { routes.append(full) }
    }
    let sorted = routes.sorted { a, b in
      (a.honestFiles > 0) == (b.honestFiles > 0)
        ? a.cpu ?? .infinity < b.cpu ?? .infinity : a.honestFiles > 0
    }
    var answer = RouteAnswer(
      kind: group.kind, wanted: group.wanted, files: files.count, isRanked: isRanked, routes: sorted,
      encoding: rows.first { _ in true }.flatMap { table.kinds[Int($0.kind)].encoding },
      original: originals(rows).median)
    if let cheapest = answer.cheapest, cheapest.route != .full {
      let shown = Set(rows.filter { $0.route == cheapest.route && $0.isHonest }.map(\.image))
      answer.comparison = route(.full, whole(of: shown))
    }
    return answer
  }

  /// Returns each file's score against its original once.
  private static func originals(_ rows: some Sequence<ReadSample>) -> [Double] {
    var seen: Set<Int32> = []
    return rows.compactMap { row in
      row.original.flatMap { seen.insert(row.image).inserted ? $0 : nil }
    }
  }

  private static func route(_ route: ReadRoute, _ rows: some Sequence<ReadSample>) -> Route? {
    var (files, honest) = (0, 0)
    for row in rows where row.route == route {
      files += 1
      if row.isHonest { honest += 1 }
    }
    guard files > 0 else { return nil }
    let counted = rows.lazy.filter { $0.route == route && ($0.isHonest || honest == 0) }
    return Route(
      route: route, files: files, honestFiles: honest,
      cpu: counted.compactMap(\.cpu).median,
      peakMiB: counted.compactMap { $0.memory.peakBytes.map { Double($0) / 1_048_576 } }.median,
      score: counted.compactMap(\.score).median,
      ceiling: counted.compactMap(\.ceiling).median,
      isExact: route == .full || route == .region && counted.allSatisfy(\.isExact),
      costs: counted.compactMap { row in
        row.cpu.map { BreakEven.Cost(bytes: Double(row.touchedBytes), cpu: $0) }
      })
  }

  /// PSNR reported for equal pictures, decibels.
  private static let equalPSNR = 100.0

  /// Returns true if the pixels equal those of the whole decode.
  static func isExact(_ figures: Figures) -> Bool {
    figures.psnrLuma.map { $0 >= equalPSNR } ?? false
  }

  /// Returns true if a read gave the wanted size, or all there is, and looks like it; without a score it must be equal.
  static func isHonest(_ row: ReadRow, at score: Double) -> Bool {
    guard let figures = row.record.measurement else { return false }
    if case .side(let side) = row.record.key.wanted {
      let wanted = min(side, max(figures.width, figures.height))
      guard max(figures.deliveredWidth, figures.deliveredHeight) >= wanted else { return false }
    }
    return figures.judgedSSIMULACRA2.map { $0 >= score } ?? isExact(figures)
  }
}
