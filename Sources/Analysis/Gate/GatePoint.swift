import Model
import Store

struct GatePoint: Sendable {
  var variant: Int
  var place: PointPlace
  /// True for a point added only for a figure: the other side may have none, or a different one.
  var isRefined: Bool
  var status: ResultRow.Status
  var bytes: Int
  /// In the metrics' order, with the decimals of a measurements.csv, so that a run and its file agree exactly. NaN
  /// means no score, in half the memory of an optional.
  private let scores: [Double]
  /// Of a read or a tiling, MiB.
  var memory: Double?
  var libraries: Int?
  /// Index of the library versions without builds, which 0.1.0 did not record.
  var versions: Int?
  var times: OperationTable<TimeInterval>
  var error: String?

  /// Times of a call with the interval of its repeats, in milliseconds.
  struct TimeInterval: Sendable {
    /// Kind of time; only equal kinds are comparable.
    enum Source: Sendable { case exclusiveWall, cpu }

    var source: Source
    var lower: Double
    var median: Double
    var upper: Double
    var repeats: Int
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

  init?(
    _ row: ResultRow, of subject: GateSubject, variant: Int, libraries: Int?, versions: Int?,
    metrics: [MetricTraits]
  ) {
    guard let place = subject.place(of: row) else { return nil }
    self.place = place
    self.variant = variant
    isRefined = row.origin == .refined
    self.libraries = libraries
    self.versions = versions
    status = row.status
    bytes = (subject == .reads ? row.way.touchedBytes : row.encodedBytes) ?? 0
    // A read may touch no bytes, but a point's file is never empty.
    if status == .measured, bytes <= 0, subject == .points { return nil }
    let aligned = subject == .reads ? row.scores[ReadScore.aligned.name] : nil
    scores = metrics.map { metric in
      let judged = aligned.flatMap { metric.id == ReadScore.plain.name ? $0 : nil }
      return (judged ?? row.scores[metric.id])?.roundedAsInFiles(metric.decimals) ?? .nan
    }
    memory = subject == .points ? nil : row.figures[.decodePeak]
    error = status == .measured ? nil : row.error
    times = OperationTable { Self.interval(row, $0) }
  }

  /// Returns wall times measured alone, else CPU times, which other jobs hardly affect.
  private static func interval(_ row: ResultRow, _ operation: TimedOperation) -> TimeInterval? {
    if row.conditions == .exclusive, let wall = row[operation, .wall] {
      return TimeInterval(wall, .exclusiveWall, row)
    }
    return row[operation, .cpu].map { TimeInterval($0, .cpu, row) }
  }

  func score(_ metric: Int) -> Double? { scores[metric].isNaN ? nil : scores[metric] }

  func sample(by metric: Int) -> PointSample {
    PointSample(
      place: place, bytes: bytes, isRefined: isRefined, scores: [score(metric)],
      cpu: times.compactMapValues(\.median))
  }
}

struct GateImage: Sendable {
  private(set) var hash: String?
  private(set) var width: Int?
  private(set) var height: Int?
  var points: [GatePoint] = []
  var problem: String?

  mutating func trim() { points = points.map(\.self) }

  mutating func describe(_ row: ResultRow) {
    hash = hash ?? row.imageHash
    width = width ?? row.width
    height = height ?? row.height
    if row.variant == nil { problem = row.error ?? "it cannot be read" }
  }

  /// Returns the difference if the run has another image under this name, so that comparing figures would say nothing
  /// about an encoder; nil if no difference is known.
  func replacement(by other: GateImage, named name: String) -> GateInventory.Replacement? {
    if let hash, let after = other.hash, hash != after {
      return .init(
        image: name, isResized: false, before: String(hash.prefix(12)), after: String(after.prefix(12)))
    }
    guard let width, let height, let newWidth = other.width, let newHeight = other.height,
      (width, height) != (newWidth, newHeight)
    else { return nil }
    return .init(
      image: name, isResized: true, before: "\(width) × \(height)", after: "\(newWidth) × \(newHeight)")
  }
}

struct ValueTable<Value: Hashable & Sendable>: Sendable {
  private(set) var values: [Value] = []
  private var positions: [Value: Int] = [:]

  mutating func number(_ value: Value) -> Int {
    if let known = positions[value] { return known }
    positions[value] = values.count
    values.append(value)
    return values.count - 1
  }

  func known(_ value: Value) -> Int? { positions[value] }
}
