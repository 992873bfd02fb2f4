package import Model

/// What answers and charts need of very many reads: of each some eighty bytes, in the order in which they came.
///
/// Reads of one name have to stand together.
package struct ReadTable: Sendable {
  /// What files are: as they were found, or as a codec writes them.
  struct Kind: Sendable, Hashable {
    /// `ReadRow.kind`.
    var name: String
    /// How the files came to be; nil for files as they were found.
    var encoding: ReadEncoding?
    /// The build of the libraries that reads them; nil for the system's own.
    var build: String?
  }

  /// The least SSIMULACRA 2 at which a route counts as honest.
  package let honestScore: Double
  /// Reads that were measured.
  private var measured = BlockArray<ReadSample>()
  private(set) var kinds: [Kind] = []
  private(set) var sizes: [WantedPixels] = []
  private var kindNumbers: [Kind: Int] = [:]
  private var sizeNumbers: [WantedPixels: Int] = [:]
  private var files = ReadFileNumbers()
  /// How many reads were measured, cannot be made, and failed.
  package private(set) var counts = (measured: 0, unsupported: 0, failed: 0)

  /// Starts without reads.
  package init(honestScore: Double) { self.honestScore = honestScore }

  /// A table of these reads.
  package init(_ rows: [ReadRow], honestScore: Double) {
    self.init(honestScore: honestScore)
    for row in rows { add(row) }
  }

  /// Reads that were measured.
  var samples: some Sequence<ReadSample> { measured }

  /// How many reads came.
  package var count: Int { counts.measured + counts.unsupported + counts.failed }

  /// Takes the next read.
  package mutating func add(_ row: ReadRow) {
    let key = row.record.key
    let file = files.number(of: key.image)
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

  /// The longest sides of the pictures of a kind, as often as they were read.
  package func longestSides(ofKind name: String) -> some Sequence<Float> {
    samples.lazy.filter { kinds[Int($0.kind)].name == name }.map { Float($0.longestSide) }
  }

  /// Memory of the reads of a kind at a size by a route, MiB.
  package func memory(
    ofKind name: String, _ wanted: WantedPixels, _ route: ReadRoute
  ) -> some Sequence<ReadMemory> {
    samples.lazy.filter {
      $0.route == route && sizes[Int($0.size)] == wanted && kinds[Int($0.kind)].name == name
    }.map(\.memory)
  }
}

/// What a read takes of memory, bytes.
package struct ReadMemory: Sendable {
  /// Of the decoded pixels.
  package var pixelBytes: Int
  /// How far the process grew; nil where it is not known.
  package var peakBytes: Int?
  /// What the formula predicts for that; nil where there is none.
  package var predictedBytes: Int?
}

/// A measured read in a table of reads. What is not known is kept as what cannot be: no number, or less than no bytes.
struct ReadSample: Sendable {
  /// The picture: by name and content, and by name alone.
  var image, file: Int32
  /// The longest side of the picture.
  var longestSide: Int32
  /// Places in the tables of kinds and sizes.
  var kind, size: Int32
  var route: ReadRoute
  /// Whether it shows the picture well enough at the wanted size.
  var isHonest: Bool
  /// Whether its pixels are those of the whole decode.
  var isExact: Bool
  /// Bytes of the file that were looked at.
  var touchedBytes: Int
  private var pixelBytes, peakBytes, predictedBytes: Int
  private var cpuOrNaN, scoreOrNaN, ceilingOrNaN, originalOrNaN: Double

  init(
    _ row: ReadRow, _ figures: ReadMeasurement, file: (image: Int32, name: Int32), kind: Int, size: Int,
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

  /// CPU time of the decode, median, milliseconds.
  var cpu: Double? { Self.known(cpuOrNaN) }
  /// `ReadMeasurement.judgedSSIMULACRA2`.
  var score: Double? { Self.known(scoreOrNaN) }
  /// What another good filter scores.
  var ceiling: Double? { Self.known(ceilingOrNaN) }
  /// The file's SSIMULACRA 2 against what was encoded.
  var original: Double? { Self.known(originalOrNaN) }
  var memory: ReadMemory {
    ReadMemory(
      pixelBytes: pixelBytes, peakBytes: peakBytes < 0 ? nil : peakBytes,
      predictedBytes: predictedBytes < 0 ? nil : predictedBytes)
  }

  private static func known(_ value: Double) -> Double? { value.isNaN ? nil : value }
}

/// Numbers for the files of reads in the order in which they come, those of one name together.
package struct ReadFileNumbers: Sendable {
  private var last = (name: "", number: Int32(-1))
  private var contents: [String: Int32] = [:]
  private var next: Int32 = 0

  /// Starts with the first file.
  package init() {}

  /// The number of a name with a content, and the number of the name.
  package mutating func number(of image: ImageIdentity) -> (image: Int32, name: Int32) {
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
