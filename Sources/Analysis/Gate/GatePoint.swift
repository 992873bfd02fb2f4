internal import Model
import Store

/// The part of a row that a gate compares.
struct GatePoint: Sendable {
  var variant: Int
  var place: PointPlace
  /// Whether it was put where a figure needed it: the other side may have needed none, or another one.
  var isRefined: Bool
  var status: ResultRow.Status
  var bytes: Int
  /// In the order of the comparison's metrics, with the decimals that a measurements.csv has, so that a run and
  /// a file of the same run agree to the last digit.
  var scores: ScoreList
  /// The position of the library versions in their table; nil where they are not known.
  var libraries: Int?
  /// The position of the same without builds, which 0.1.0 did not record.
  var versions: Int?
  var times: OperationTable<TimeInterval>
  var error: String?

  /// Times of a call with the interval that its repeats span, milliseconds.
  struct TimeInterval: Sendable {
    /// What stands behind the times: only equal ones can be compared.
    enum Source: Sendable { case exclusiveWall, cpu }

    var source: Source
    var lower: Double
    var median: Double
    var upper: Double
    var repeats: Int
    /// Where they were taken; nil where that is not known.
    var origin: TimesOrigin?

    /// The interval from the fastest repeat to two normal standard deviations above the median, with the
    /// deviation estimated from the MAD (1.4826 MAD; Hampel, 1974).
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

  /// Takes what a gate needs; nil for a row that is not about a point.
  init?(_ row: ResultRow, variant: Int, libraries: Int?, versions: Int?, metrics: [MetricTraits]) {
    guard let place = PointPlace(quality: row.quality, file: row.importedFile) else { return nil }
    self.variant = variant
    self.place = place
    isRefined = row.origin == .refined
    self.libraries = libraries
    self.versions = versions
    status = row.status
    bytes = row.encodedBytes ?? 0
    if status == .measured, bytes <= 0 { return nil }
    scores = ScoreList(metrics.map { metric in row.scores[metric.id].flatMap(metric.roundedAsInFiles) })
    error = status == .measured ? nil : row.error
    times = OperationTable { Self.interval(row, $0) }
  }

  /// Wall times where nothing else ran, else CPU times, which survive that.
  private static func interval(_ row: ResultRow, _ operation: TimedOperation) -> TimeInterval? {
    if row.conditions == .exclusive, let wall = row[operation, .wall] {
      return TimeInterval(wall, .exclusiveWall, row)
    }
    return row[operation, .cpu].map { TimeInterval($0, .cpu, row) }
  }

  /// The quality; nil for an imported file.
  var quality: Quality? { place.quality }

  /// The point as analyses take it, with its scores in the order of `metrics`.
  var sample: PointSample? {
    guard status == .measured else { return nil }
    return PointSample(
      place: place, bytes: bytes, isRefined: isRefined, scores: Array(scores),
      cpu: times.compactMapValues(\.median))
  }
}

/// Scores that may be missing, in half the memory of an array of optional numbers: a missing one is no number.
struct ScoreList: RandomAccessCollection, Sendable {
  private let values: [Double]

  init(_ scores: [Double?]) { values = scores.map { $0 ?? .nan } }

  var startIndex: Int { 0 }
  var endIndex: Int { values.count }
  subscript(index: Int) -> Double? { values[index].isNaN ? nil : values[index] }
}

extension MetricTraits {
  /// A score with as many decimals as files for programs carry; nil for what is not a number.
  fileprivate func roundedAsInFiles(_ score: Double) -> Double? {
    guard !score.isNaN else { return nil }
    var scale = 1.0
    for _ in 0..<min(max(decimals, 0) + CSVColumnNames.exactDecimals, 12) { scale *= 10 }
    let scaled = score * scale
    // Beyond 2⁵³ there are no decimals to round.
    return abs(scaled) < 0x1p53 ? scaled.rounded() / scale : score
  }
}

/// All points of one side of a comparison that belong to one image.
struct GateImage: Sendable {
  private(set) var hash: String?
  private(set) var width: Int?
  private(set) var height: Int?
  var points: [GatePoint] = []
  /// Why the image as a whole could not be used.
  var problem: String?

  init(_ row: ResultRow) { describe(row) }

  /// Lets go of the memory that is held for more points.
  mutating func trim() { points = points.map(\.self) }

  /// Takes what a row says of the image itself.
  mutating func describe(_ row: ResultRow) {
    hash = hash ?? row.imageHash
    width = width ?? row.width
    height = height ?? row.height
  }

  /// Why the same name stands for another image in the run, so that figures of the two say nothing about an
  /// encoder; nil where nothing is known that tells them apart.
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

/// Numbers for values that many points share.
struct ValueTable<Value: Hashable & Sendable>: Sendable {
  private(set) var values: [Value] = []
  private var positions: [Value: Int] = [:]

  /// The number of a value, a new one where it has none.
  mutating func number(_ value: Value) -> Int {
    if let known = positions[value] { return known }
    positions[value] = values.count
    values.append(value)
    return values.count - 1
  }

  /// The number of a value that has one.
  func known(_ value: Value) -> Int? { positions[value] }
}

/// Which point of an image.
struct PointName: Hashable {
  let variant: Int
  let place: PointPlace

  init(_ variant: Int, _ place: PointPlace) {
    self.variant = variant
    self.place = place
  }
}
