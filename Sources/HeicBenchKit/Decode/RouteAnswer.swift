import Analysis
import Foundation
import Model

/// Routes to one wanted size from one kind of file, cheapest first.
struct RouteAnswer: Sendable {
  /// A route over all files of the kind for which it was measured.
  struct Route: Sendable {
    let route: ReadRoute
    /// Files with pixels by this route.
    let files: Int
    /// Files among them that look good enough at the wanted size.
    let honestFiles: Int
    /// Medians over the honest files, or over all if there are none: CPU in ms, memory growth, and deciding score.
    let cpu, peakMiB, score: Double?
    /// Median score of another good filter at this size.
    let ceiling: Double?
    /// Median scores of further metrics; empty for the full decode that contains a part.
    let further: [String: Double]
    /// True if the pixels equal those of the full decode for each of these files.
    let isExact: Bool
    /// By file.
    private let costs: [ReadCost]

    /// Nil if no file was read by this route.
    fileprivate init?(_ route: ReadRoute, _ rows: some Sequence<ReadSample>, _ table: ReadTable? = nil) {
      let all = rows.filter { $0.route == route }
      guard !all.isEmpty else { return nil }
      let honest = all.filter(\.isHonest)
      let counted = honest.isEmpty ? all : honest
      (self.route, files, honestFiles) = (route, all.count, honest.count)
      cpu = counted.compactMap(\.cpu).median
      peakMiB = counted.compactMap { $0.peakBytes.map { $0 / 1_048_576 } }.median
      score = counted.compactMap(\.score).median
      ceiling = counted.compactMap(\.ceiling).median
      further = table?.furtherScores(of: counted) ?? [:]
      isExact = route == .full || route == .region && counted.allSatisfy(\.isExact)
      costs = counted.compactMap(ReadCost.init)
    }

    /// Returns the milliseconds until the pixels are ready at a bandwidth in Mbit/s: the median over the files of
    /// transfer plus decode. Nil without times.
    func time(over bandwidth: Double) -> Double? {
      costs.map { $0.time(over: bandwidth) }.median
    }
  }

  let group: ReadTable.Group
  let files: Int
  /// Honest routes first, then by CPU time.
  let routes: [Route]
  /// Median SSIMULACRA 2 of the files against their originals; nil for files as found.
  let original: Double?
  /// Full decode of the files for which the cheapest route is honest; nil if that is the full decode itself.
  private(set) var comparison: Route?

  var kind: String { group.kind }
  var wanted: WantedPixels { group.wanted }

  /// True if the size is large enough for scores to distinguish routes.
  var isRanked: Bool {
    if case .side(let side) = wanted { side >= Self.smallestRanked } else { true }
  }

  /// Route with the least CPU among those honest for at least half of the files; nil if the size is not ranked. A route
  /// honest for fewer is not a way to read files of the kind.
  var cheapest: Route? {
    guard isRanked else { return nil }
    return routes.first { $0.honestFiles > 0 && $0.honestFiles * 2 >= files }
  }

  /// Longest side below which two good filters of the same pixels differ by more than routes do.
  static let smallestRanked = 200
  private static let answering: Set<ReadRoute> = [.full, .scaled, .thumbnail, .region]

  /// Returns an answer for every kind and wanted size, in order of first appearance.
  static func all(_ table: ReadTable) -> [RouteAnswer] {
    table.groups { answering.contains($0.route) }.map { RouteAnswer($0, table) }
  }

  private init(_ group: ReadTable.Group, _ table: ReadTable) {
    self.group = group
    // Lazy, since a copy would be as large as the table.
    let rows = group.samples.lazy.filter { Self.answering.contains($0.route) }
    let images = Set(rows.map(\.image))
    files = images.count
    var routes = ReadRoute.allCases.compactMap { Route($0, rows, table) }
    // The full decode contains the part, too, and costs less if the picture is hardly larger.
    if case .part = group.wanted, let full = Route(.full, table.fullDecodes(group.kind, of: images)) {
      routes.append(full)
    }
    self.routes = routes.sorted { a, b in
      (a.honestFiles > 0) == (b.honestFiles > 0)
        ? a.cpu ?? .infinity < b.cpu ?? .infinity : a.honestFiles > 0
    }
    // Each file once.
    var seen: Set<Int32> = []
    original =
      rows.compactMap { row in row.original.flatMap { seen.insert(row.image).inserted ? $0 : nil } }.median
    if let cheapest, cheapest.route != .full {
      let shown = Set(rows.filter { $0.route == cheapest.route && $0.isHonest }.map(\.image))
      comparison = Route(.full, table.fullDecodes(group.kind, of: shown))
    }
  }
}

/// Cost of a file, or the mean cost of one codec's files over the images.
struct ReadCost: Sendable {
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
    guard let bytes = costs.map(\.bytes).mean, let cpu = costs.map(\.cpu).mean else { return nil }
    self.init(bytes: bytes, cpu: cpu)
  }
}

/// Bandwidth at which two codecs' files are on the screen at the same time, at equal score: the smaller file's shorter
/// transfer offsets its longer decode.
struct BreakEven: Sendable {
  /// The variant compared with, and the compared one.
  let reference, variant: CodecVariant
  let wanted: WantedPixels
  /// Images with the score for both variants.
  let images: Int
  /// Largest distance of the scores that a figure was interpolated between; above some ten points it is a guess.
  let widestGap: Double
  let referenceCost, variantCost: ReadCost

  /// SSIMULACRA 2 of both codecs' files against the originals: high, but not visually lossless.
  static let score = 70.0

  /// Mbit/s below which the variant is on the screen sooner; infinite if it always is, zero if it never is.
  var bandwidth: Double {
    let (saved, longer) = (referenceCost.bytes - variantCost.bytes, variantCost.cpu - referenceCost.cpu)
    if longer <= 0 { return saved >= 0 ? .infinity : 0 }
    return max(0, saved * 8 / (longer * 1000))
  }

  /// Compares every variant with the first JPEG one, or else the first of all, for every wanted size, by honest routes.
  static func all(_ table: ReadTable) -> [BreakEven] {
    var (variants, sizes) = ([CodecVariant](), [WantedPixels]())
    for group in table.groups(with: \.isHonest) {
      guard let variant = group.encoding?.variant else { continue }
      if !variants.contains(variant) { variants.append(variant) }
      if !sizes.contains(group.wanted) { sizes.append(group.wanted) }
    }
    guard let reference = variants.first(where: { $0.codec == "jpeg" }) ?? variants.first else { return [] }
    return sizes.flatMap { wanted in
      let base = costs(table, wanted, of: reference)
      return variants.filter { $0 != reference }.compactMap { variant -> BreakEven? in
        let other = costs(table, wanted, of: variant)
        let images = base.keys.filter { other[$0] != nil }.sorted()
        guard let first = ReadCost(meanOf: images.compactMap { base[$0]?.cost }),
          let second = ReadCost(meanOf: images.compactMap { other[$0]?.cost })
        else { return nil }
        let gaps = images.map { max(base[$0]?.gap ?? 0, other[$0]?.gap ?? 0) }
        return BreakEven(
          reference: reference, variant: variant, wanted: wanted, images: images.count,
          widestGap: gaps.max() ?? 0, referenceCost: first, variantCost: second)
      }
    }
  }

  /// Returns each image's cost at the score, interpolated between the qualities on both sides, and the distance of
  /// their scores; omits images without both.
  private static func costs(
    _ table: ReadTable, _ wanted: WantedPixels, of variant: CodecVariant
  ) -> [Int32: (cost: ReadCost, gap: Double)] {
    var cheapest: [Int32: [Quality: (score: Double, cost: ReadCost)]] = [:]
    for group in table.groups where group.wanted == wanted && group.encoding?.variant == variant {
      guard let quality = group.encoding?.quality else { continue }
      for row in group.samples where row.isHonest {
        guard let reached = row.original, let cost = ReadCost(row) else { continue }
        if let known = cheapest[row.image]?[quality], known.cost.cpu <= cost.cpu { continue }
        cheapest[row.image, default: [:]][quality] = (reached, cost)
      }
    }
    return cheapest.compactMapValues { files in
      let points = files.values.sorted { $0.score < $1.score }
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
