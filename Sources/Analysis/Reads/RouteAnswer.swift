package import Model

/// The routes to one wanted size out of one kind of file, cheapest first.
package struct RouteAnswer: Sendable, Hashable {
  /// A route over all files of the kind that it could be measured on.
  package struct Route: Sendable, Hashable {
    /// The way in.
    package var route: ReadRoute
    /// Files that it gave pixels of.
    package var files: Int
    /// Files among them that it shows well enough at the wanted size.
    package var honestFiles: Int
    /// Medians over the honest files, or over all where none is: CPU in milliseconds, growth of memory in MiB,
    /// and the score that counts.
    package var cpu, peakMiB, score: Double?
    /// The score of another good filter at this size, median.
    package var ceiling: Double?
    /// Whether what it gives are the pixels of the full decode, on each of these files.
    package var isExact = false
    /// What each of these files takes.
    package var costs: [BreakEven.Cost] = []

    /// Milliseconds until the pixels are there over so many Mbit/s: the median over the files of what each takes on the
    /// way and in the decode. Nil where times are missing.
    package func time(over bandwidth: Double) -> Double? {
      RouteAnswer.median(costs.map { $0.time(over: bandwidth) })
    }
  }

  /// What the files are.
  package var kind: String
  /// How much was wanted.
  package var wanted: WantedPixels
  /// How many files of the kind there are.
  package var files: Int
  /// Whether the size is large enough for scores to tell routes apart.
  package var isRanked: Bool
  /// The routes; honest ones first, by CPU time.
  package var routes: [Route]
  /// How the files came to be; nil for files as they were found.
  package var encoding: ReadEncoding?
  /// The SSIMULACRA 2 of the files against what was encoded, a median; nil for files as they were found.
  package var original: Double?

  /// The route with the least CPU among those that show half of the files or more well enough; nil where nothing may
  /// be said. What shows fewer is no way to read files of the kind.
  package var cheapest: Route? {
    guard isRanked else { return nil }
    return routes.first { $0.honestFiles > 0 && $0.honestFiles * 2 >= files }
  }

  /// Everything decoded, of the files that the cheapest route shows well enough; nil where it is that route itself.
  package var comparison: Route?

  /// Two good filters of the same pixels differ by more than routes do below this longest side.
  package static let smallestRanked = 200

  /// Answers for every kind and wanted size, in the order in which they were read.
  /// - Parameter score: the least SSIMULACRA 2 that counts as honest.
  package static func all(_ rows: [ReadRow], at score: Double) -> [RouteAnswer] {
    var order: [Group] = []
    var groups: [Group: [ReadRow]] = [:]
    // Decoding all of a file takes the same whatever is wanted of it.
    var whole: [String: [ImageIdentity: ReadRow]] = [:]
    for row in rows where row.record.measurement != nil {
      if row.record.key.route == .full { whole[row.kind, default: [:]][row.record.key.image] = row }
      guard [.full, .scaled, .thumbnail, .region].contains(row.record.key.route) else { continue }
      let group = Group(kind: row.kind, wanted: row.record.key.wanted)
      if groups[group] == nil { order.append(group) }
      groups[group, default: []].append(row)
    }
    return order.map { answer($0, groups[$0] ?? [], whole: whole[$0.kind] ?? [:], at: score) }
  }

  private struct Group: Hashable {
    var kind: String
    var wanted: WantedPixels
  }

  private static func answer(
    _ group: Group, _ rows: [ReadRow], whole: [ImageIdentity: ReadRow], at score: Double
  ) -> RouteAnswer {
    let isRanked = if case .side(let side) = group.wanted { side >= smallestRanked } else { true }
    var routes = ReadRoute.allCases.compactMap { route($0, rows, at: score) }
    if case .part = group.wanted {
      // A part is in all of the picture as well, which costs less where the picture is hardly larger.
      let files = Set(rows.map(\.record.key.image))
      if let full = route(.full, files.compactMap { whole[$0] }, at: score) { routes.append(full) }
    }
    let sorted = routes.sorted { a, b in
      (a.honestFiles > 0) == (b.honestFiles > 0)
        ? a.cpu ?? .infinity < b.cpu ?? .infinity : a.honestFiles > 0
    }
    let originals = Dictionary(
      rows.compactMap { row in
        row.record.measurement?.originalSSIMULACRA2.map { (row.record.key.image, $0) }
      }, uniquingKeysWith: { first, _ in first })
    var answer = RouteAnswer(
      kind: group.kind, wanted: group.wanted, files: Set(rows.map(\.record.key.image)).count,
      isRanked: isRanked, routes: sorted, encoding: rows.first?.record.key.encoding,
      original: median(Array(originals.values)))
    if let cheapest = answer.cheapest, cheapest.route != .full {
      let shown = Set(
        rows.filter { $0.record.key.route == cheapest.route && isHonest($0, at: score) }
          .map(\.record.key.image))
      answer.comparison = route(.full, shown.compactMap { whole[$0] }, at: score)
    }
    return answer
  }

  private static func route(_ route: ReadRoute, _ rows: [ReadRow], at score: Double) -> Route? {
    let rows = rows.filter { $0.record.key.route == route }
    guard !rows.isEmpty else { return nil }
    let honest = rows.filter { isHonest($0, at: score) }
    let counted = honest.isEmpty ? rows : honest
    let figures = counted.compactMap(\.record.measurement)
    return Route(
      route: route, files: rows.count, honestFiles: honest.count,
      cpu: median(counted.compactMap(\.cpu?.median)),
      peakMiB: median(figures.compactMap { $0.peakBytes.map { Double($0) / 1_048_576 } }),
      score: median(figures.compactMap(\.judgedSSIMULACRA2)),
      ceiling: median(figures.compactMap(\.ceilingSSIMULACRA2)),
      isExact: route == .full
        || route == .region && figures.allSatisfy { $0.psnrLuma.map { $0 >= equalPSNR } ?? false },
      costs: counted.compactMap { row in
        guard let figures = row.record.measurement, let cpu = row.cpu?.median else { return nil }
        return BreakEven.Cost(bytes: Double(figures.touchedBytes), cpu: cpu)
      })
  }

  fileprivate static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : ReadRow.middle(values)
  }

  /// What PSNR says of equal pictures, decibels.
  private static let equalPSNR = 100.0

  /// Whether a read gave the wanted size, or all that there is, and looks like it. Pictures that are too small
  /// for the metric are told by equality alone.
  static func isHonest(_ row: ReadRow, at score: Double) -> Bool {
    guard let figures = row.record.measurement else { return false }
    if case .side(let side) = row.record.key.wanted {
      let wanted = min(side, max(figures.width, figures.height))
      guard max(figures.deliveredWidth, figures.deliveredHeight) >= wanted else { return false }
    }
    return figures.judgedSSIMULACRA2.map { $0 >= score }
      ?? (figures.psnrLuma.map { $0 >= equalPSNR } ?? false)
  }
}
