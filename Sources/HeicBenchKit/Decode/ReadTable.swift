import Analysis
import Foundation
import Model
import Store

/// The data of very many reads that answers and charts need, in less than a hundred bytes each. Reads with the same
/// name must be contiguous.
struct ReadTable: Sendable {
  /// Files of a kind and of similar size, unchanged or as written by a codec, at a wanted size.
  struct Group: Sendable {
    let kind: String
    let size: PictureClass
    let wanted: WantedPixels
    /// Nil for unchanged files.
    let encoding: ReadEncoding?
    fileprivate(set) var samples: [ReadRoute: BlockArray<ReadSample>] = [:]
    /// The full decode of the file with the most pixels, and its name.
    fileprivate(set) var largest: (name: String, decode: ReadSample)?

    mutating func add(_ sample: ReadSample, by route: ReadRoute, of name: String) {
      samples[route, default: BlockArray()].append(sample)
      if route == .full, largest.map({ $0.decode.megapixels < sample.megapixels }) ?? true {
        largest = (name, sample)
      }
    }
  }

  /// Classes of sizes whose costs may share a median. Each allows up to four times as many pixels as the one before.
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

  let question: ReadScope
  private(set) var groups: [Group] = []
  private var numbers: [String: [PictureClass: [WantedPixels: Int]]] = [:]
  private(set) var counts = (measured: 0, unsupported: 0, failed: 0)
  /// The first rows of the memory table and the number of all rows. Wanted sizes with the same decode share a row for
  /// each file and route.
  private(set) var memory = (first: [CaseRecord](), count: 0)
  private static let mostMemoryRows = 1000
  /// The first reads with a gain map.
  private(set) var gainMaps: [CaseRecord] = []
  private var image: (name: String?, contents: [String: Int32], rows: Set<String>) = (nil, [:], [])
  private var images: Int32 = 0
  private var owners = ContentOwners()
  /// Hashes of the names of files with the same content as another, whose reads no figure includes.
  private(set) var copies: Set<Int> = []
  /// Scores of the measured reads by each of the question's further metrics; NaN if there is none.
  private var further = BlockArray<Double>()

  init(_ question: ReadScope) { self.question = question }

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

  /// `HEIC files`, or `HEIC files, 4 to 16 MP` if there are other sizes.
  func title(of group: Group) -> String {
    numbers[group.kind].map { $0.count > 1 } == true ? "\(group.kind), \(group.size.title)" : group.kind
  }

  private mutating func addMemory(_ record: CaseRecord, _ figures: Figures, _ kind: String) {
    let decode = "\(kind) \(record.key.route) \(figures[.decodedWidth])x\(figures[.decodedHeight])"
    guard figures.figures[.predictedPeak] != nil, image.rows.insert(decode).inserted else { return }
    if memory.count < Self.mostMemoryRows { memory.first.append(record) }
    memory.count += 1
  }

  func furtherScores(of samples: [ReadSample]) -> [String: Double] {
    let metrics = (question.metrics ?? []).map(\.id)
    return Dictionary(
      uniqueKeysWithValues: metrics.enumerated().compactMap { index, id in
        samples.median { further[$0.number * metrics.count + index] }.map { (id, $0) }
      })
  }

  /// The last full decode of each of these files of a kind. It costs the same whatever size is wanted.
  func fullDecodes(_ kind: String, of images: Set<Int32>) -> [ReadSample] {
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
  /// Number of the picture, assigned by name and content.
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

  var cost: ReadCost? { cpu.isNaN ? nil : ReadCost(bytes: Double(touchedBytes), cpu: cpu) }
}

extension Sequence<ReadSample> {
  func median(_ figure: (ReadSample) -> Double) -> Double? { map(figure).filter { !$0.isNaN }.median }

  func range(_ figure: (ReadSample) -> Double) -> ClosedRange<Double>? {
    let values = map(figure).filter { !$0.isNaN }
    return values.min().flatMap { least in values.max().map { least...$0 } }
  }
}
