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
  package static func all(_ table: ReadTable) -> [RouteAnswer] {
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
    // Gone through several times, since a copy would be as large as the table.
    let rows = table.samples.lazy.filter {
      $0.size == size && kinds.contains($0.kind) && [.full, .scaled, .thumbnail, .region].contains($0.route)
    }
    /// Decoding all of a file takes the same whatever is wanted of it: the last such read of each file.
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
      // A part is in all of the picture as well, which costs less where the picture is hardly larger.
      if let full = route(.full, whole(of: files)) { routes.append(full) }
    }
    let sorted = routes.sorted { a, b in
      (a.honestFiles > 0) == (b.honestFiles > 0)
        ? a.cpu ?? .infinity < b.cpu ?? .infinity : a.honestFiles > 0
    }
    var answer = RouteAnswer(
      kind: group.kind, wanted: group.wanted, files: files.count, isRanked: isRanked, routes: sorted,
      encoding: rows.first { _ in true }.flatMap { table.kinds[Int($0.kind)].encoding },
      original: median(originals(rows)))
    if let cheapest = answer.cheapest, cheapest.route != .full {
      let shown = Set(rows.filter { $0.route == cheapest.route && $0.isHonest }.map(\.image))
      answer.comparison = route(.full, whole(of: shown))
    }
    return answer
  }

  /// What files have lost against what was encoded, each once.
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
      cpu: median(counted.compactMap(\.cpu)),
      peakMiB: median(counted.compactMap { $0.memory.peakBytes.map { Double($0) / 1_048_576 } }),
      score: median(counted.compactMap(\.score)),
      ceiling: median(counted.compactMap(\.ceiling)),
      isExact: route == .full || route == .region && counted.allSatisfy(\.isExact),
      costs: counted.compactMap { row in
        row.cpu.map { BreakEven.Cost(bytes: Double(row.touchedBytes), cpu: $0) }
      })
  }

  fileprivate static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : ReadRow.middle(values)
  }

  /// What PSNR says of equal pictures, decibels.
  private static let equalPSNR = 100.0

  /// Whether the pixels are those of the whole decode.
  static func isExact(_ figures: ReadMeasurement) -> Bool {
    figures.psnrLuma.map { $0 >= equalPSNR } ?? false
  }

  /// Whether a read gave the wanted size, or all that there is, and looks like it. Pictures that are too small
  /// for the metric are told by equality alone.
  static func isHonest(_ row: ReadRow, at score: Double) -> Bool {
    guard let figures = row.record.measurement else { return false }
    if case .side(let side) = row.record.key.wanted {
      let wanted = min(side, max(figures.width, figures.height))
      guard max(figures.deliveredWidth, figures.deliveredHeight) >= wanted else { return false }
    }
    return figures.judgedSSIMULACRA2.map { $0 >= score } ?? isExact(figures)
  }
}
