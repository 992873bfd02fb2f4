import Analysis
import Foundation
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
    /// Median scores of further metrics; empty for the full decode that contains a part.
    var further: [String: Double] = [:]
    /// True if the pixels equal those of the full decode for each of these files.
    var isExact = false
    /// By file.
    var costs: [ReadCost] = []

    /// Returns the milliseconds until the pixels are ready at a bandwidth in Mbit/s: the median over the files of
    /// transfer plus decode. Nil without times.
    func time(over bandwidth: Double) -> Double? {
      costs.map { $0.time(over: bandwidth) }.median
    }
  }

  /// The reads' group in their `ReadTable`.
  var group: Int32
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
  private static let answering: Set<ReadRoute> = [.full, .scaled, .thumbnail, .region]

  /// Returns an answer for every kind and wanted size, in order of first appearance.
  static func all(_ table: ReadTable) -> [RouteAnswer] {
    var order: [Int32] = []
    var known: Set<Int32> = []
    for sample in table.samples where answering.contains(sample.route) && known.insert(sample.group).inserted
    {
      order.append(sample.group)
    }
    return order.map { answer($0, table) }
  }

  private static func answer(_ number: Int32, _ table: ReadTable) -> RouteAnswer {
    let group = table.groups[Int(number)]
    let kind = Set(table.groups.indices.filter { table.groups[$0].kind == group.kind }.map(Int32.init))
    // Lazy, since a copy would be as large as the table.
    let rows = table.samples.lazy.filter { $0.group == number && answering.contains($0.route) }
    /// Returns the last full decode of each file, which costs the same whatever size is wanted.
    func whole(of images: Set<Int32>) -> [ReadSample] {
      var whole: [Int32: ReadSample] = [:]
      for sample in table.samples where sample.route == .full && kind.contains(sample.group) {
        if images.contains(sample.image) { whole[sample.image] = sample }
      }
      return Array(whole.values)
    }
    let files = Set(rows.map(\.image))
    let isRanked = if case .side(let side) = group.wanted { side >= smallestRanked } else { true }
    var routes = ReadRoute.allCases.compactMap { route -> Route? in
      var found = Self.route(route, rows)
      let isHonest = found.map { $0.honestFiles > 0 } ?? false
      found?.further = table.furtherScores(of: Int(number), route, isHonest: isHonest)
      return found
    }
    if case .part = group.wanted {
      // The full decode contains the part, too, and costs less if the picture is hardly larger.
      if let full = route(.full, whole(of: files)) { routes.append(full) }
    }
    let sorted = routes.sorted { a, b in
      (a.honestFiles > 0) == (b.honestFiles > 0)
        ? a.cpu ?? .infinity < b.cpu ?? .infinity : a.honestFiles > 0
    }
    var answer = RouteAnswer(
      group: number, kind: group.kind, wanted: group.wanted, files: files.count, isRanked: isRanked,
      routes: sorted,
      encoding: group.encoding, original: originals(rows).median)
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
      route: route, files: files, honestFiles: honest, cpu: counted.compactMap(\.cpu).median,
      peakMiB: counted.compactMap { $0.peakBytes.map { $0 / 1_048_576 } }.median,
      score: counted.compactMap(\.score).median, ceiling: counted.compactMap(\.ceiling).median,
      isExact: route == .full || route == .region && counted.allSatisfy(\.isExact),
      costs: counted.compactMap(ReadCost.init))
  }
}

/// Cost of a file, or the mean cost of one codec's files over the images.
struct ReadCost: Sendable, Hashable {
  /// Bytes to transfer.
  var bytes: Double
  /// CPU time of the cheapest honest route, milliseconds.
  var cpu: Double

  /// Returns the milliseconds until the pixels are ready at a bandwidth in Mbit/s.
  func time(over bandwidth: Double) -> Double { bytes * 8 / (bandwidth * 1000) + cpu }
}

extension ReadCost {
  fileprivate init?(_ sample: ReadSample) {
    guard let cpu = sample.cpu else { return nil }
    self.init(bytes: Double(sample.touchedBytes), cpu: cpu)
  }

  fileprivate init?(meanOf costs: [ReadCost]) {
    guard !costs.isEmpty else { return nil }
    let count = Double(costs.count)
    self.init(
      bytes: costs.reduce(0) { $0 + $1.bytes } / count, cpu: costs.reduce(0) { $0 + $1.cpu } / count)
  }
}

/// Bandwidth at which two codecs' files are on the screen at the same time, at equal score: the smaller file's shorter
/// transfer offsets its longer decode.
struct BreakEven: Sendable, Hashable {
  /// The variant compared with, and the compared one.
  var reference, variant: CodecVariant
  var wanted: WantedPixels
  /// SSIMULACRA 2 of both codecs' files against the originals.
  var score: Double
  /// Images with the score for both variants.
  var images: Int
  /// Largest distance of the scores that a figure was interpolated between; above some ten points it is a guess.
  var widestGap: Double
  var referenceCost, variantCost: ReadCost

  /// Mbit/s below which the variant is on the screen sooner; infinite if it always is, zero if it never is.
  var bandwidth: Double {
    let (saved, longer) = (referenceCost.bytes - variantCost.bytes, variantCost.cpu - referenceCost.cpu)
    if longer <= 0 { return saved >= 0 ? .infinity : 0 }
    return max(0, saved * 8 / (longer * 1000))
  }

  /// Compares every variant with the first JPEG one, or else the first of all, for every wanted size, at a score that
  /// the files reach, by honest routes.
  static func all(_ table: ReadTable, at score: Double) -> [BreakEven] {
    var (variants, sizes) = ([CodecVariant](), [WantedPixels]())
    var known: Set<Int32> = []
    for sample in table.samples where sample.isHonest && known.insert(sample.group).inserted {
      let group = table.groups[Int(sample.group)]
      guard let variant = group.encoding?.variant else { continue }
      if !variants.contains(variant) { variants.append(variant) }
      if !sizes.contains(group.wanted) { sizes.append(group.wanted) }
    }
    guard let reference = variants.first(where: { $0.codec == "jpeg" }) ?? variants.first else { return [] }
    return sizes.flatMap { wanted in
      let base = costs(table, wanted, of: reference, at: score)
      return variants.filter { $0 != reference }.compactMap { variant -> BreakEven? in
        let other = costs(table, wanted, of: variant, at: score)
        let images = base.keys.filter { other[$0] != nil }.sorted()
        guard let first = ReadCost(meanOf: images.compactMap { base[$0]?.cost }),
          let second = ReadCost(meanOf: images.compactMap { other[$0]?.cost })
        else { return nil }
        let gaps = images.map { max(base[$0]?.gap ?? 0, other[$0]?.gap ?? 0) }
        return BreakEven(
          reference: reference, variant: variant, wanted: wanted, score: score, images: images.count,
          widestGap: gaps.max() ?? 0, referenceCost: first, variantCost: second)
      }
    }
  }

  /// Returns each image's cost at the score, interpolated between the qualities on both sides, and the distance of
  /// their scores; omits images without both.
  private static func costs(
    _ table: ReadTable, _ wanted: WantedPixels, of variant: CodecVariant, at score: Double
  ) -> [Int32: (cost: ReadCost, gap: Double)] {
    let qualities = table.groups.map { group in
      group.wanted == wanted && group.encoding?.variant == variant ? group.encoding?.quality : nil
    }
    let own = table.samples.filter { $0.isHonest && qualities[Int($0.group)] != nil }
    return Dictionary(grouping: own, by: \.image).compactMapValues { rows in
      var cheapest: [Quality: (score: Double, cost: ReadCost)] = [:]
      for row in rows {
        guard let quality = qualities[Int(row.group)], let reached = row.original, let cost = ReadCost(row)
        else { continue }
        if let known = cheapest[quality], known.cost.cpu <= cost.cpu { continue }
        cheapest[quality] = (reached, cost)
      }
      let points = cheapest.values.sorted { $0.score < $1.score }
      guard let above = points.firstIndex(where: { $0.score >= score }) else { return nil }
      if points[above].score == score { return (points[above].cost, 0) }
      guard above > 0 else { return nil }
      let (a, b) = (points[above - 1], points[above])
      let share = (score - a.score) / (b.score - a.score)
      let cost = ReadCost(
        bytes: exp(log(a.cost.bytes) + share * (log(b.cost.bytes) - log(a.cost.bytes))),
        cpu: a.cost.cpu + share * (b.cost.cpu - a.cost.cpu))
      return (cost, b.score - a.score)
    }
  }
}
