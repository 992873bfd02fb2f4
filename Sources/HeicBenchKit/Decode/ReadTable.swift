import Analysis
import Model
import Store

/// The part of very many reads that answers and charts need, less than a hundred bytes each, in order of arrival. Reads of
/// one name must be contiguous.
struct ReadTable: Sendable {
  /// Files of a kind, as found or as written by a codec, at a wanted size.
  struct Group: Sendable, Hashable {
    /// Same as `CaseRecord.kind`.
    var kind: String
    /// Nil for files as found.
    var encoding: ReadEncoding?
    var wanted: WantedPixels
  }

  /// A set of scores of a further metric.
  private struct ScoreSet: Sendable, Hashable {
    var group: Int
    var route: ReadRoute
    var isHonest: Bool
    var metric: String
  }

  let question: ReadQuestion
  private(set) var samples = BlockArray<ReadSample>()
  private(set) var groups: [Group] = []
  private var numbers: [Group: Int] = [:]
  private var further: [ScoreSet: [Double]] = [:]
  /// Reads by outcome; `unsupported` ones cannot be made.
  private(set) var counts = (measured: 0, unsupported: 0, failed: 0)
  /// The first rows of the table of memory, one for each file and route with wanted sizes of equal decodes merged, and
  /// the number of all.
  private(set) var memory = (first: [CaseRecord](), count: 0)
  private static let mostMemoryRows = 1000
  /// The current name, its contents by number, and its rows of memory.
  private var image: (name: String?, contents: [String: Int32], rows: Set<String>) = (nil, [:], [])
  private var images: Int32 = 0

  init(_ question: ReadQuestion) { self.question = question }

  var count: Int { counts.measured + counts.unsupported + counts.failed }

  mutating func add(_ record: CaseRecord) {
    let key = record.key
    if key.image.name != image.name { image = (key.image.name, [:], []) }
    switch record.outcome {
    case .measured(let figures):
      counts.measured += 1
      addMemory(record, figures)
      let group = number(Group(kind: record.kind, encoding: key.encoding, wanted: key.wanted))
      let sample = ReadSample(
        record, figures, image: number(ofContent: key.image.contentHash), group: group,
        isHonest: record.isHonest(at: question.score))
      samples.append(sample)
      for metric in question.metrics ?? [] {
        guard let score = figures.scores[metric.id] else { continue }
        let set = ScoreSet(group: group, route: sample.route, isHonest: sample.isHonest, metric: metric.id)
        further[set, default: []].append(score)
      }
    case .unsupported: counts.unsupported += 1
    case .failed: counts.failed += 1
    }
  }

  private mutating func addMemory(_ record: CaseRecord, _ figures: Figures) {
    let decode = "\(record.kind) \(record.key.route) \(figures[.decodedWidth])x\(figures[.decodedHeight])"
    guard figures.figures[.predictedPeak] != nil, image.rows.insert(decode).inserted else { return }
    if memory.count < Self.mostMemoryRows { memory.first.append(record) }
    memory.count += 1
  }

  private mutating func number(_ group: Group) -> Int {
    if let known = numbers[group] { return known }
    numbers[group] = groups.count
    groups.append(group)
    return groups.count - 1
  }

  private mutating func number(ofContent hash: String) -> Int32 {
    if let known = image.contents[hash] { return known }
    image.contents[hash] = images
    images += 1
    return images - 1
  }

  /// Median scores of the further metrics for a group's honest reads by a route, or for the others.
  func furtherScores(of group: Int, _ route: ReadRoute, isHonest: Bool) -> [String: Double] {
    var medians: [String: Double] = [:]
    for metric in question.metrics ?? [] {
      let set = ScoreSet(group: group, route: route, isHonest: isHonest, metric: metric.id)
      medians[metric.id] = further[set]?.median
    }
    return medians
  }
}

/// A number that takes eight bytes even if it is unknown.
@propertyWrapper struct OrNaN: Sendable {
  private let number: Double

  init(wrappedValue: Double?) { number = wrappedValue ?? .nan }

  var wrappedValue: Double? { number.isNaN ? nil : number }
}

/// A measured read in a `ReadTable`.
struct ReadSample: Sendable {
  /// Number of the picture, by name and content.
  let image: Int32
  let longestSide: Int32
  let group: Int32
  let route: ReadRoute
  /// True if the picture looks good enough at the wanted size.
  let isHonest: Bool
  /// True if the pixels equal those of the whole decode.
  let isExact: Bool
  /// Bytes read from the file.
  let touchedBytes: Int
  let pixelBytes: Int
  /// Growth of the process in a decode, bytes, and the growth that a formula predicts.
  @OrNaN var peakBytes: Double?
  @OrNaN var predictedBytes: Double?
  /// Median CPU time of the decode, milliseconds.
  @OrNaN var cpu: Double?
  /// Same as `Figures.judgedScore`.
  @OrNaN var score: Double?
  @OrNaN var ceiling: Double?
  @OrNaN var original: Double?

  init(_ record: CaseRecord, _ figures: Figures, image: Int32, group: Int, isHonest: Bool) {
    self.image = image
    self.group = Int32(clamping: group)
    longestSide = Int32(clamping: max(figures[.width], figures[.height]))
    (route, self.isHonest, isExact) = (record.key.route, isHonest, figures.isExact)
    touchedBytes = figures[.touchedBytes]
    pixelBytes = figures.pixelBytes
    _peakBytes = OrNaN(wrappedValue: figures.figures[.decodePeak].map(Double.init))
    _predictedBytes = OrNaN(wrappedValue: figures.figures[.predictedPeak].map(Double.init))
    _cpu = OrNaN(wrappedValue: record.cpu?.median)
    _score = OrNaN(wrappedValue: figures.judgedScore)
    _ceiling = OrNaN(wrappedValue: figures[.ceiling])
    _original = OrNaN(wrappedValue: figures[.original])
  }
}
