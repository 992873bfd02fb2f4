import Analysis
import Foundation
import Model
import Store

/// The part of very many reads that answers and charts need, less than a hundred bytes each. Reads of one name must be
/// contiguous.
struct ReadTable: Sendable {
  /// Files of a kind and of like size, as found or as written by a codec, at a wanted size.
  struct Group: Sendable {
    let kind: String
    let size: PictureClass
    let wanted: WantedPixels
    /// Nil for files as found.
    let encoding: ReadEncoding?
    fileprivate(set) var samples: [ReadRoute: BlockArray<ReadSample>] = [:]
    /// The full decode of the file with the most pixels, and its name.
    fileprivate(set) var largest: (name: String, decode: ReadSample)?

    fileprivate mutating func add(_ sample: ReadSample, by route: ReadRoute, of name: String) {
      samples[route, default: BlockArray()].append(sample)
      if route == .full, largest.map({ $0.decode.megapixels < sample.megapixels }) ?? true {
        largest = (name, sample)
      }
    }
  }

  /// Sizes whose costs may share a median, up to four times as many pixels each.
  enum PictureClass: Int, Sendable, Hashable {
    case tiny, small, medium, large, huge, giant

    init(megapixels: Double) {
      self = [0.25, 1, 4, 16, 64].firstIndex { megapixels <= $0 }.flatMap(Self.init) ?? .giant
    }

    var title: String {
      switch self {
      case .tiny: "up to 0.25 MP"
      case .small: "0.25 to 1 MP"
      case .medium: "1 to 4 MP"
      case .large: "4 to 16 MP"
      case .huge: "16 to 64 MP"
      case .giant: "over 64 MP"
      }
    }
  }

  let question: ReadQuestion
  private(set) var groups: [Group] = []
  private var numbers: [String: [PictureClass: [WantedPixels: Int]]] = [:]
  private(set) var counts = (measured: 0, unsupported: 0, failed: 0)
  /// The first rows of the table of memory, one for each file and route with wanted sizes of equal decodes merged, and
  /// the number of all.
  private(set) var memory = (first: [CaseRecord](), count: 0)
  private static let mostMemoryRows = 1000
  /// The first reads with a gain map.
  private(set) var gainMaps: [CaseRecord] = []
  private var image: (name: String?, contents: [String: Int32], rows: Set<String>) = (nil, [:], [])
  private var images: Int32 = 0
  private var owners = ContentOwners()
  /// Hashes of the names of files with the content of another, whose reads are in no figure.
  private(set) var copies: Set<Int> = []
  /// Scores of the measured reads by each of the question's further metrics; NaN for none.
  private var further = BlockArray<Double>()

  init(_ question: ReadQuestion) { self.question = question }

  mutating func add(_ record: CaseRecord) {
    if record.key.image.name != image.name { image = (record.key.image.name, [:], []) }
    let file = record.key.image
    guard owners.enter(file.name, contentHash: file.contentHash) != .copy else {
      copies.insert(file.name.hashValue)
      return
    }
    switch record.outcome {
    case .unsupported: counts.unsupported += 1
    case .failed: counts.failed += 1
    case .measured(let figures):
      let (kind, wanted, route) = (record.kind, record.key.wanted, record.key.route)
      addMemory(record, figures, kind)
      if figures.gainMap != nil, gainMaps.count < Self.mostMemoryRows { gainMaps.append(record) }
      let content = image.contents[record.key.image.contentHash] ?? images
      images = max(images, content + 1)
      image.contents[record.key.image.contentHash] = content
      let megapixels = Double(figures[.width]) * Double(figures[.height]) / 1e6
      let size = PictureClass(megapixels: megapixels)
      let group = numbers[kind]?[size]?[wanted] ?? groups.count
      if group == groups.count {
        groups.append(Group(kind: kind, size: size, wanted: wanted, encoding: record.key.encoding))
        numbers[kind, default: [:]][size, default: [:]][wanted] = group
      }
      let sample = ReadSample(
        number: counts.measured, image: content, megapixels: Float(megapixels),
        longestSide: Int32(clamping: max(figures[.width], figures[.height])),
        isHonest: record.isHonest(at: question.score), isExact: figures.isExact,
        touchedBytes: figures[.touchedBytes], pixelBytes: figures.pixelBytes,
        peakBytes: figures.figures[.decodePeak].map(Double.init) ?? .nan,
        predictedBytes: figures.figures[.predictedPeak].map(Double.init) ?? .nan,
        cpu: record.cpu?.median ?? .nan, score: figures.judgedScore ?? .nan,
        ceiling: figures[.ceiling] ?? .nan, original: figures[.original] ?? .nan)
      groups[group].add(sample, by: route, of: record.key.image.name)
      for metric in question.metrics ?? [] { further.append(figures.scores[metric.id] ?? .nan) }
      counts.measured += 1
    }
  }

  /// `HEIC as found`, or `HEIC as found, 4 to 16 MP` where there are other sizes.
  func title(of group: Group) -> String {
    numbers[group.kind].map { $0.count > 1 } == true ? "\(group.kind), \(group.size.title)" : group.kind
  }

  private mutating func addMemory(_ record: CaseRecord, _ figures: Figures, _ kind: String) {
    let decode = "\(kind) \(record.key.route) \(figures[.decodedWidth])x\(figures[.decodedHeight])"
    guard figures.figures[.predictedPeak] != nil, image.rows.insert(decode).inserted else { return }
    if memory.count < Self.mostMemoryRows { memory.first.append(record) }
    memory.count += 1
  }

  fileprivate func furtherScores(of samples: [ReadSample]) -> [String: Double] {
    let metrics = (question.metrics ?? []).map(\.id)
    return Dictionary(
      uniqueKeysWithValues: metrics.enumerated().compactMap { index, id in
        samples.median { further[$0.number * metrics.count + index] }.map { (id, $0) }
      })
  }

  /// The last full decode of each of these files of a kind, which costs the same whatever size is wanted.
  fileprivate func fullDecodes(_ kind: String, of images: Set<Int32>) -> [ReadSample] {
    var last: [Int32: ReadSample] = [:]
    for group in groups where group.kind == kind {
      for sample in group.samples[.full] ?? BlockArray() where images.contains(sample.image) {
        if last[sample.image].map({ $0.number < sample.number }) ?? true { last[sample.image] = sample }
      }
    }
    return Array(last.values)
  }
}

/// A measured read in a `ReadTable`; unknown figures are NaN, which takes half the memory of an optional.
struct ReadSample: Sendable {
  let number: Int
  /// Number of the picture, by name and content.
  let image: Int32
  let megapixels: Float
  let longestSide: Int32
  let isHonest: Bool
  /// True if the pixels equal those of the whole decode.
  let isExact: Bool
  let touchedBytes: Int
  let pixelBytes: Int
  /// Growth of the process in a decode, bytes, and the growth that a formula predicts.
  let peakBytes, predictedBytes: Double
  /// Median CPU time of the decode, milliseconds.
  let cpu: Double
  /// Same as `Figures.judgedScore`.
  let score: Double
  let ceiling, original: Double

  fileprivate var cost: ReadCost? { cpu.isNaN ? nil : ReadCost(bytes: Double(touchedBytes), cpu: cpu) }
}

extension Sequence<ReadSample> {
  func median(_ figure: (ReadSample) -> Double) -> Double? { map(figure).filter { !$0.isNaN }.median }

  func range(_ figure: (ReadSample) -> Double) -> ClosedRange<Double>? {
    let values = map(figure).filter { !$0.isNaN }
    return values.min().flatMap { least in values.max().map { least...$0 } }
  }
}

/// Routes to one wanted size from one kind of file, cheapest first.
struct RouteAnswer: Sendable {
  /// A route over all files of the kind for which it was measured.
  struct Route: Sendable {
    let route: ReadRoute
    let files: Int
    /// Files among them that look good enough at the wanted size.
    let honestFiles: Int
    /// Medians over the honest files, or over all if there are none: CPU in ms, memory growth, deciding score, and the
    /// score of another good filter at this size.
    let cpu, peakMiB, score, ceiling: Double?
    /// The least and the most of the same; nil without any.
    let cpuRange, peakRange: ClosedRange<Double>?
    /// CPU time and memory growth by megapixel of the file, medians.
    let cpuPerMegapixel, peakPerMegapixel: Double?
    /// Milliseconds until the pixels are ready over the question's connection, the median of transfer plus decode.
    let time: Double?
    /// Median scores of further metrics; empty for the full decode that contains a part.
    fileprivate(set) var further: [String: Double] = [:]
    /// True if the pixels equal those of the full decode for each of these files.
    let isExact: Bool

    fileprivate init?(_ route: ReadRoute, _ all: [ReadSample], _ table: ReadTable) {
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
  /// Pixels of the files.
  let megapixels: ClosedRange<Double>?
  /// Honest routes first, then by CPU time.
  let routes: [Route]
  /// Median SSIMULACRA2 of the files against their originals; nil for files as found.
  let original: Double?
  /// Full decode of the files for which the cheapest route is honest; nil if that is the full decode itself.
  private(set) var comparison: Route?

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
  fileprivate static let answering: [ReadRoute] = [.full, .scaled, .thumbnail, .region]

  /// Returns an answer for every kind and wanted size, in order of first appearance.
  static func all(_ table: ReadTable) -> [RouteAnswer] {
    table.groups.compactMap { group in
      group.samples.keys.contains(where: answering.contains) ? RouteAnswer(group, table) : nil
    }
  }

  private init(_ group: ReadTable.Group, _ table: ReadTable) {
    (self.group, kind) = (group, table.title(of: group))
    megapixels = group.samples.values.joined().range { Double($0.megapixels) }
    // One route at a time, since a copy of all would be as large as the table.
    var routes = Self.answering.compactMap { route in
      group.samples[route].flatMap { Route(route, Array($0), table) }
    }
    // Each file once.
    var (images, originals) = (Set<Int32>(), [Int32: Double]())
    for sample in Self.answering.lazy.compactMap({ group.samples[$0] }).joined() {
      images.insert(sample.image)
      if !sample.original.isNaN { originals[sample.image] = originals[sample.image] ?? sample.original }
    }
    (files, original) = (images.count, Array(originals.values).median)
    // The full decode contains the part, too, and costs less if the picture is hardly larger.
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
  /// CPU time of the cheapest honest route, milliseconds.
  var cpu: Double

  /// Returns the milliseconds until the pixels are ready at a bandwidth in Mbit/s.
  func time(over bandwidth: Double) -> Double { bytes * 8 / (bandwidth * 1000) + cpu }
}

/// Bandwidth at which two codecs' files are on the screen at the same time, at equal score: the smaller file's shorter
/// transfer offsets its longer decode.
struct BreakEven: Sendable {
  let reference, variant: CodecVariant
  let wanted: WantedPixels
  let images: Int
  /// Largest distance of the scores that a figure was interpolated between; above some ten points it is a guess.
  let widestGap: Double
  let referenceCost, variantCost: ReadCost

  /// SSIMULACRA2 of both codecs' files against the originals: hardly any loss shows side by side.
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
    for group in table.groups where group.samples.values.contains(where: { $0.contains(where: \.isHonest) }) {
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
        func mean(_ costs: [Int32: (cost: ReadCost, gap: Double)]) -> ReadCost? {
          let own = images.compactMap { costs[$0]?.cost }
          guard let bytes = own.map(\.bytes).mean, let cpu = own.map(\.cpu).mean else { return nil }
          return ReadCost(bytes: bytes, cpu: cpu)
        }
        guard let first = mean(base), let second = mean(other) else { return nil }
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
      for sample in RouteAnswer.answering.lazy.compactMap({ group.samples[$0] }).joined()
      where sample.isHonest && !sample.original.isNaN {
        guard let cost = sample.cost else { continue }
        if let known = cheapest[sample.image]?[quality], known.cost.cpu <= cost.cpu { continue }
        cheapest[sample.image, default: [:]][quality] = (sample.original, cost)
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
