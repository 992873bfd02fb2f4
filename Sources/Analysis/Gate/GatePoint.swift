import Model
import Store

struct GatePoint: Sendable {
  var variant: Int
  var place: PointPlace
  /// True for a point added for a figure's sake: the other side may have none, or another one.
  var isRefined: Bool
  var status: ResultRow.Status
  var bytes: Int
  /// In the metrics' order, with the decimals of a measurements.csv, so that a run and its file agree exactly.
  var scores: ScoreList
  /// Of a read or a tiling, MiB.
  var memory: Double?
  /// Index of the library versions in their table; nil if unknown.
  var libraries: Int?
  /// Index of the versions without builds, which 0.1.0 did not record.
  var versions: Int?
  var times: OperationTable<TimeInterval>
  var error: String?

  /// Times of a call with the interval of its repeats, milliseconds.
  struct TimeInterval: Sendable {
    /// Kind of time; only equal kinds are comparable.
    enum Source: Sendable { case exclusiveWall, cpu }

    var source: Source
    var lower: Double
    var median: Double
    var upper: Double
    var repeats: Int
    /// Nil if unknown.
    var origin: TimesOrigin?

    /// Interval from the fastest repeat to two normal standard deviations above the median, with the deviation
    /// estimated from the MAD (1.4826 MAD; Hampel, 1974).
    init(_ timing: ResultRow.Timing, _ source: Source, _ row: ResultRow) {
      self.source = source
      origin = row.timesOrigin.map { origin in
        TimesOrigin(
          host: origin.host, processor: origin.processor, jobs: source == .exclusiveWall ? 1 : origin.jobs)
      }
      lower = timing.minimum
      median = timing.median
      upper = timing.median + 2 * 1.4826 * timing.deviation
      repeats = row.repeats ?? 1
    }
  }

  /// Returns nil for a row without a point.
  init?(
    _ gated: GatedRow, variant: Int, libraries: Int?, versions: Int?, metrics: [MetricTraits]
  ) {
    let row = gated.row
    let named = gated.way.map { PointPlace.way($0) }
    guard let place = named ?? PointPlace(quality: row.quality, file: row.importedFile) else { return nil }
    self.variant = variant
    self.place = place
    isRefined = row.origin == .refined
    self.libraries = libraries
    self.versions = versions
    status = row.status
    bytes = row.encodedBytes ?? 0
    // A read may touch no byte, but no file of a point is empty.
    if status == .measured, bytes <= 0, gated.way == nil { return nil }
    scores = ScoreList(metrics.map { metric in row.scores[metric.id].flatMap(metric.roundedAsInFiles) })
    memory = gated.way == nil ? nil : row.figures[.decodePeak]
    error = status == .measured ? nil : row.error
    times = OperationTable { Self.interval(row, $0) }
  }

  /// Returns wall times measured alone, else CPU times, which other jobs disturb little.
  private static func interval(_ row: ResultRow, _ operation: TimedOperation) -> TimeInterval? {
    if row.conditions == .exclusive, let wall = row[operation, .wall] {
      return TimeInterval(wall, .exclusiveWall, row)
    }
    return row[operation, .cpu].map { TimeInterval($0, .cpu, row) }
  }

  var quality: Quality? { place.quality }

  /// Sample for analyses, with its scores in the order of `metrics`.
  var sample: PointSample? {
    guard status == .measured else { return nil }
    return PointSample(
      place: place, bytes: bytes, isRefined: isRefined, scores: Array(scores),
      cpu: times.compactMapValues(\.median))
  }
}

/// Optional scores in half the memory of an array of optionals: NaN stands for nil.
struct ScoreList: RandomAccessCollection, Sendable {
  private let values: [Double]

  init(_ scores: [Double?]) { values = scores.map { $0 ?? .nan } }

  var startIndex: Int { 0 }
  var endIndex: Int { values.count }
  subscript(index: Int) -> Double? { values[index].isNaN ? nil : values[index] }
}

extension MetricTraits {
  /// Returns a score with the decimals of machine-readable files; nil for NaN.
  fileprivate func roundedAsInFiles(_ score: Double) -> Double? {
    guard !score.isNaN else { return nil }
    var scale = 1.0
    for _ in 0..<min(max(decimals, 0) + Cell.exactDecimals, 12) { scale *= 10 }
    let scaled = score * scale
    // Beyond 2⁵³ there are no decimals to round.
    return abs(scaled) < 0x1p53 ? scaled.rounded() / scale : score
  }
}

struct GateImage: Sendable {
  private(set) var hash: String?
  private(set) var width: Int?
  private(set) var height: Int?
  var points: [GatePoint] = []
  /// Reason why the image as a whole was unusable.
  var problem: String?

  init(_ row: ResultRow) { describe(row) }

  mutating func trim() { points = points.map(\.self) }

  mutating func describe(_ row: ResultRow) {
    hash = hash ?? row.imageHash
    width = width ?? row.width
    height = height ?? row.height
    if row.variant == nil { problem = row.error ?? "it cannot be read" }
  }

  /// Returns the difference if the name stands for another image in the run, so that comparing figures says nothing
  /// about an encoder; nil if no difference is known.
  func replacement(by other: GateImage, named name: String) -> RunChange? {
    if let hash, let after = other.hash, hash != after {
      return RunChange(
        .source(image: name), before: String(hash.prefix(12)), after: String(after.prefix(12)))
    }
    guard let width, let height, let newWidth = other.width, let newHeight = other.height,
      (width, height) != (newWidth, newHeight)
    else { return nil }
    return RunChange(
      .preparedSize(image: name), before: "\(width) × \(height)", after: "\(newWidth) × \(newHeight)")
  }
}

/// Numbers for values shared by many points.
struct ValueTable<Value: Hashable & Sendable>: Sendable {
  private(set) var values: [Value] = []
  private var positions: [Value: Int] = [:]

  mutating func number(_ value: Value) -> Int {
    if let known = positions[value] { return known }
    positions[value] = values.count
    values.append(value)
    return values.count - 1
  }

  /// Returns nil for a value without a number.
  func known(_ value: Value) -> Int? { positions[value] }
}

struct PointName: Hashable {
  let variant: Int
  let place: PointPlace
}
