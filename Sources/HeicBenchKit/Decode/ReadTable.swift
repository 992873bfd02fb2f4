import Analysis
import Model
import Store

/// The part of very many reads that answers and charts need, less than a hundred bytes each. Reads of one name must be
/// contiguous.
struct ReadTable: Sendable {
  /// Files of a kind, as found or as written by a codec, at a wanted size.
  struct Group: Sendable {
    /// Same as `CaseRecord.kind`.
    let kind: String
    let wanted: WantedPixels
    /// Nil for files as found.
    let encoding: ReadEncoding?
    fileprivate(set) var samples = BlockArray<ReadSample>()
  }

  let question: ReadQuestion
  private(set) var groups: [Group] = []
  private var numbers: [String: [WantedPixels: Int]] = [:]
  /// Reads by outcome; `unsupported` ones cannot be made.
  private(set) var counts = (measured: 0, unsupported: 0, failed: 0)
  /// The first rows of the table of memory, one for each file and route with wanted sizes of equal decodes merged, and
  /// the number of all.
  private(set) var memory = (first: [CaseRecord](), count: 0)
  private static let mostMemoryRows = 1000
  /// The current name, its contents by number, and its rows of memory.
  private var image: (name: String?, contents: [String: Int32], rows: Set<String>) = (nil, [:], [])
  private var images: Int32 = 0
  /// Scores of the measured reads by each of the question's further metrics; NaN for none.
  private var further = BlockArray<Double>()

  init(_ question: ReadQuestion) { self.question = question }

  var count: Int { counts.measured + counts.unsupported + counts.failed }

  mutating func add(_ record: CaseRecord) {
    if record.key.image.name != image.name { image = (record.key.image.name, [:], []) }
    switch record.outcome {
    case .unsupported: counts.unsupported += 1
    case .failed: counts.failed += 1
    case .measured(let figures):
      counts.measured += 1
      let (kind, wanted) = (record.kind, record.key.wanted)
      addMemory(record, figures, kind)
      let content = image.contents[record.key.image.contentHash] ?? images
      images = max(images, content + 1)
      image.contents[record.key.image.contentHash] = content
      let group = numbers[kind]?[wanted] ?? groups.count
      if group == groups.count {
        groups.append(Group(kind: kind, wanted: wanted, encoding: record.key.encoding))
        numbers[kind, default: [:]][wanted] = group
      }
      groups[group].samples.append(
        ReadSample(record, figures, number: counts.measured, image: content, question))
      for metric in question.metrics ?? [] { further.append(figures.scores[metric.id] ?? .nan) }
    }
  }

  private mutating func addMemory(_ record: CaseRecord, _ figures: Figures, _ kind: String) {
    let decode = "\(kind) \(record.key.route) \(figures[.decodedWidth])x\(figures[.decodedHeight])"
    guard figures.figures[.predictedPeak] != nil, image.rows.insert(decode).inserted else { return }
    if memory.count < Self.mostMemoryRows { memory.first.append(record) }
    memory.count += 1
  }

  /// Returns the median score of reads by each of the question's further metrics.
  func furtherScores(of samples: [ReadSample]) -> [String: Double] {
    let metrics = question.metrics ?? []
    let medians = metrics.indices.compactMap { index in
      samples.map { further[($0.number - 1) * metrics.count + index] }.filter { !$0.isNaN }.median
        .map { (metrics[index].id, $0) }
    }
    return Dictionary(uniqueKeysWithValues: medians)
  }

  /// The groups that have such reads, in the order of the first of these.
  func groups(with isMeant: (ReadSample) -> Bool) -> [Group] {
    groups.compactMap { group in group.samples.first(where: isMeant).map { ($0.number, group) } }
      .sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The last full decode of each of these files of a kind, which costs the same whatever size is wanted.
  func fullDecodes(_ kind: String, of images: Set<Int32>) -> [ReadSample] {
    var last: [Int32: ReadSample] = [:]
    for group in groups where group.kind == kind {
      for sample in group.samples where sample.route == .full && images.contains(sample.image) {
        if last[sample.image].map({ $0.number < sample.number }) ?? true { last[sample.image] = sample }
      }
    }
    return Array(last.values)
  }
}

/// A number that takes eight bytes even if it is unknown.
@propertyWrapper struct OrNaN: Sendable {
  private var number: Double

  init(wrappedValue: Double?) { number = wrappedValue ?? .nan }

  var wrappedValue: Double? {
    get { number.isNaN ? nil : number }
    set { number = newValue ?? .nan }
  }
}

/// A measured read in a `ReadTable`.
struct ReadSample: Sendable {
  /// Its place among the measured reads.
  let number: Int
  /// Number of the picture, by name and content.
  let image: Int32
  let longestSide: Int32
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

  fileprivate init(
    _ record: CaseRecord, _ figures: Figures, number: Int, image: Int32, _ question: ReadQuestion
  ) {
    (self.number, self.image) = (number, image)
    longestSide = Int32(clamping: max(figures[.width], figures[.height]))
    (route, isExact) = (record.key.route, figures.isExact)
    isHonest = record.isHonest(at: question.score)
    (touchedBytes, pixelBytes) = (figures[.touchedBytes], figures.pixelBytes)
    peakBytes = figures.figures[.decodePeak].map(Double.init)
    predictedBytes = figures.figures[.predictedPeak].map(Double.init)
    cpu = record.cpu?.median
    score = figures.judgedScore
    ceiling = figures[.ceiling]
    original = figures[.original]
  }
}
