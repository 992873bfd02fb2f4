import Analysis
import Model
import Store

/// Part of very many reads needed for answers and charts, some eighty bytes each, in order of arrival.
///
/// Reads of one name must be contiguous.
struct ReadTable: Sendable {
  /// Kind of files: as found, or as written by a codec.
  struct Kind: Sendable, Hashable {
    /// Same as `ReadRow.kind`.
    var name: String
    /// Nil for files as found.
    var encoding: ReadEncoding?
    /// Build of the libraries for the read; nil for the system's own.
    var build: String?
  }

  /// Least SSIMULACRA 2 of an honest route.
  let honestScore: Double
  private var measured = BlockArray<ReadSample>()
  private(set) var kinds: [Kind] = []
  private(set) var sizes: [WantedPixels] = []
  private var kindNumbers: [Kind: Int] = [:]
  private var sizeNumbers: [WantedPixels: Int] = [:]
  private var files = ReadFileNumbers()
  private(set) var memoryRows = MemoryRows()
  /// Reads by outcome; `unsupported` ones cannot be made.
  private(set) var counts = (measured: 0, unsupported: 0, failed: 0)

  init(honestScore: Double) { self.honestScore = honestScore }

  var samples: some Sequence<ReadSample> { measured }

  var count: Int { counts.measured + counts.unsupported + counts.failed }

  mutating func add(_ row: ReadRow) {
    let key = row.record.key
    let file = files.number(of: key.image)
    memoryRows.add(row)
    switch row.record.outcome {
    case .measured(let figures):
      counts.measured += 1
      let kind = Kind(name: row.kind, encoding: key.encoding, build: key.build)
      measured.append(
        ReadSample(
          row, figures, file: file, kind: Self.number(kind, &kindNumbers, &kinds),
          size: Self.number(key.wanted, &sizeNumbers, &sizes),
          isHonest: RouteAnswer.isHonest(row, at: honestScore)))
    case .unsupported: counts.unsupported += 1
    case .failed: counts.failed += 1
    }
  }

  private static func number<Value: Hashable>(
    _ value: Value, _ numbers: inout [Value: Int], _ values: inout [Value]
  ) -> Int {
    if let known = numbers[value] { return known }
    numbers[value] = values.count
    values.append(value)
    return values.count - 1
  }

  /// Returns the longest sides of a kind's pictures, once per read.
  func longestSides(ofKind name: String) -> some Sequence<Float> {
    samples.lazy.filter { kinds[Int($0.kind)].name == name }.map { Float($0.longestSide) }
  }

  /// Returns the memory of a kind's reads at a size by a route.
  func memory(
    ofKind name: String, _ wanted: WantedPixels, _ route: ReadRoute
  ) -> some Sequence<ReadMemory> {
    samples.lazy.filter {
      $0.route == route && sizes[Int($0.size)] == wanted && kinds[Int($0.kind)].name == name
    }.map(\.memory)
  }

  /// The rows of the table of memory: one for each file and route, with wanted sizes of equal decodes merged.
  struct MemoryRows: Sendable {
    static let limit = 1000

    private(set) var first: [ReadRow] = []
    private(set) var count = 0
    /// Keys of the current image; reads of one image are adjacent.
    private var seen: Set<String> = []
    private var image: String?

    mutating func add(_ row: ReadRow) {
      if row.record.key.image.name != image {
        image = row.record.key.image.name
        seen.removeAll(keepingCapacity: true)
      }
      guard let figures = row.record.measurement, figures.predictedBytes != nil,
        seen.insert("\(row.kind) \(row.record.key.route) \(figures.decodedWidth)x\(figures.decodedHeight)")
          .inserted
      else { return }
      if count < Self.limit { first.append(row) }
      count += 1
    }
  }
}

struct ReadMemory: Sendable {
  var pixelBytes: Int
  /// Growth of the process; nil if unknown.
  var peakBytes: Int?
  /// Growth predicted by the formula; nil without one.
  var predictedBytes: Int?
}

/// A measured read in a `ReadTable`. Unknown values are stored as NaN or a negative number.
struct ReadSample: Sendable {
  /// Numbers of the picture: by name and content, and by name alone.
  var image, file: Int32
  var longestSide: Int32
  /// Indices in the tables of kinds and sizes.
  var kind, size: Int32
  var route: ReadRoute
  /// True if the picture looks good enough at the wanted size.
  var isHonest: Bool
  /// True if the pixels equal those of the whole decode.
  var isExact: Bool
  /// Bytes read from the file.
  var touchedBytes: Int
  private var pixelBytes, peakBytes, predictedBytes: Int
  private var cpuOrNaN, scoreOrNaN, ceilingOrNaN, originalOrNaN: Double

  init(
    _ row: ReadRow, _ figures: Figures, file: (image: Int32, name: Int32), kind: Int, size: Int,
    isHonest: Bool
  ) {
    (image, self.file) = (file.image, file.name)
    longestSide = Int32(clamping: max(figures.width, figures.height))
    (self.kind, self.size) = (Int32(clamping: kind), Int32(clamping: size))
    (route, self.isHonest) = (row.record.key.route, isHonest)
    isExact = RouteAnswer.isExact(figures)
    touchedBytes = figures.touchedBytes
    pixelBytes = figures.pixelBytes
    (peakBytes, predictedBytes) = (figures.peakBytes ?? -1, figures.predictedBytes ?? -1)
    cpuOrNaN = row.cpu?.median ?? .nan
    scoreOrNaN = figures.judgedSSIMULACRA2 ?? .nan
    ceilingOrNaN = figures.ceilingSSIMULACRA2 ?? .nan
    originalOrNaN = figures.originalSSIMULACRA2 ?? .nan
  }

  /// Median CPU time of the decode, milliseconds.
  var cpu: Double? { Self.known(cpuOrNaN) }
  /// Same as `Figures.judgedSSIMULACRA2`.
  var score: Double? { Self.known(scoreOrNaN) }
  /// Score of another good filter.
  var ceiling: Double? { Self.known(ceilingOrNaN) }
  /// SSIMULACRA 2 of the file against its original.
  var original: Double? { Self.known(originalOrNaN) }
  var memory: ReadMemory {
    ReadMemory(
      pixelBytes: pixelBytes, peakBytes: peakBytes < 0 ? nil : peakBytes,
      predictedBytes: predictedBytes < 0 ? nil : predictedBytes)
  }

  private static func known(_ value: Double) -> Double? { value.isNaN ? nil : value }
}

/// Numbers for the files of reads in order of arrival; those of one name must be contiguous.
struct ReadFileNumbers: Sendable {
  private var last = (name: "", number: Int32(-1))
  private var contents: [String: Int32] = [:]
  private var next: Int32 = 0

  init() {}

  /// Returns the number of a name with its content, and the number of the name.
  mutating func number(of image: ImageIdentity) -> (image: Int32, name: Int32) {
    if last.number < 0 || image.name != last.name {
      last = (image.name, next)
      contents.removeAll(keepingCapacity: true)
    }
    if let known = contents[image.contentHash] { return (known, last.number) }
    contents[image.contentHash] = next
    next += 1
    return (next - 1, last.number)
  }
}
