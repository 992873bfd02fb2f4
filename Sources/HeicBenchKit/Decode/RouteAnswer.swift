import Analysis
import Foundation
import Model
import Store

/// The routes from one kind of file to one wanted size, cheapest first.
struct RouteAnswer: Sendable {
  /// A route over all files of the kind for which it was measured.
  struct Route: Sendable {
    let route: ReadRoute
    let files: Int
    /// The number of those files that look good enough at the wanted size.
    let honestFiles: Int
    /// Medians over the files that are good enough, or over all if there are none: CPU in ms, memory growth, deciding
    /// score, and the score of another good filter at this size.
    let cpu, peakMiB, score, ceiling: Double?
    /// The lowest and highest of the same values; nil if there are none.
    let cpuRange, peakRange: ClosedRange<Double>?
    /// CPU time and memory growth per megapixel of the file, medians.
    let cpuPerMegapixel, peakPerMegapixel: Double?
    /// Milliseconds until the pixels are ready over the question's connection, the median of transfer plus decode.
    let time: Double?
    /// Median scores of further metrics; empty for a full decode that stands in for a part.
    fileprivate(set) var further: [String: Double] = [:]
    /// True if the pixels equal those of the full decode for each of these files.
    let isExact: Bool

    init?(_ route: ReadRoute, _ all: [ReadSample], _ table: ReadTable) {
      guard !all.isEmpty else { return nil }
      let honest = all.filter(\.isHonest)
      let counted = honest.isEmpty ? all : honest
      (self.route, files, honestFiles) = (route, all.count, honest.count)
      cpu = counted.median(\.cpu)
      peakMiB = counted.median { $0.peakBytes / 1_048_576 }
      cpuRange = counted.range(\.cpu)
      peakRange = counted.range { $0.peakBytes / 1_048_576 }
      cpuPerMegapixel = counted.median { $0.cpu / Double($0.megapixels) }
      peakPerMegapixel = counted.median { $0.peakBytes / 1_048_576 / Double($0.megapixels) }
      score = counted.median(\.score)
      ceiling = counted.median(\.ceiling)
      time = table.question.bandwidth.flatMap { bandwidth in
        counted.median { $0.cost?.time(over: bandwidth) ?? .nan }
      }
      isExact = route == .full || route == .region && counted.allSatisfy(\.isExact)
      further = table.furtherScores(of: counted)
    }
  }

  let group: ReadTable.Group
  let kind: String
  let files: Int
  /// The range of the files' sizes.
  let megapixels: ClosedRange<Double>?
  /// Routes that are good enough first, then by CPU time.
  let routes: [Route]
  /// Median SSIMULACRA2 of the files against their originals; nil for unchanged files.
  let original: Double?
  /// The full decode of the files for which the cheapest route is good enough; nil if that route is itself the full
  /// decode.
  private(set) var comparison: Route?

  var wanted: WantedPixels { group.wanted }

  /// True if the size is large enough for scores to distinguish routes.
  var isRanked: Bool {
    if case .side(let side) = wanted { side >= Self.smallestRanked } else { true }
  }

  /// Route with the least CPU among those good enough for at least half of the files; nil if the size is not ranked. A
  /// route that is good enough for fewer does not represent the kind.
  var cheapest: Route? {
    guard isRanked else { return nil }
    return routes.first { $0.honestFiles > 0 && $0.honestFiles * 2 >= files }
  }

  /// Longest side below which two good filters on the same pixels differ more than routes do.
  static let smallestRanked = 200
  static let answering: [ReadRoute] = [.full, .scaled, .thumbnail, .region]

  /// Returns an answer for every kind and wanted size, in order of first appearance.
  static func all(_ table: ReadTable) -> [RouteAnswer] {
    table.groups.compactMap { group in
      group.samples.keys.contains(where: answering.contains) ? RouteAnswer(group, table) : nil
    }
  }

  private init(_ group: ReadTable.Group, _ table: ReadTable) {
    (self.group, kind) = (group, table.title(of: group))
    megapixels = group.samples.values.joined().range { Double($0.megapixels) }
    // One route at a time, since a copy of all routes would be as large as the table.
    var routes = Self.answering.compactMap { route in
      group.samples[route].flatMap { Route(route, Array($0), table) }
    }
    // Counts each file once.
    var (images, originals) = (Set<Int32>(), [Int32: Double]())
    for sample in Self.answering.lazy.compactMap({ group.samples[$0] }).joined() {
      images.insert(sample.image)
      if !sample.original.isNaN { originals[sample.image] = originals[sample.image] ?? sample.original }
    }
    (files, original) = (images.count, Array(originals.values).median)
    // The full decode contains the part, too, and is cheaper if the picture is hardly larger.
    if case .part = group.wanted,
      var full = Route(.full, table.fullDecodes(group.kind, of: images), table)
    {
      full.further = [:]
      routes.append(full)
    }
    self.routes = routes.sorted { a, b in
      (a.honestFiles > 0) == (b.honestFiles > 0)
        ? a.cpu ?? .infinity < b.cpu ?? .infinity : a.honestFiles > 0
    }
    if let cheapest, cheapest.route != .full, let samples = group.samples[cheapest.route] {
      let shown = Set(samples.filter(\.isHonest).map(\.image))
      comparison = Route(.full, table.fullDecodes(group.kind, of: shown), table)
    }
  }
}

/// Cost of a file, or the mean cost of one codec's files over the images.
struct ReadCost: Sendable {
  var bytes: Double
  /// CPU time of the cheapest good route, milliseconds.
  var cpu: Double

  /// Returns the milliseconds until the pixels are ready at a bandwidth in Mbit/s.
  func time(over bandwidth: Double) -> Double { bytes * 8 / (bandwidth * 1000) + cpu }
}
