import GRDB
import Model

/// A part of a point in table `result`, defined once: inserts, selects, merges and the check of the permitted values are
/// made of `all`. Missing columns are added to stores of earlier versions on opening.
struct StoredField: Sendable {
  let columns: [String]
  /// Conditions on the columns of every row, and on those of measured points.
  var holds: [String] = []
  var holdsMeasured: [String] = []
  /// Values for the columns, given the figures of a measured point and the manifest of the run; nil for NULL in all.
  let write: @Sendable (CaseRecord, Figures?, RunManifest?) throws -> [DatabaseValue]?
  /// Reads a measured point from the columns starting at an index; nil for columns that no row of a table shows.
  let read: (@Sendable (CurrentRow, Int, inout ResultRow) throws -> Void)?

  /// The columns of `outcome`, with which `all` begins.
  enum Outcome: Int { case status, kind, message, failedScores }

  static let all: [StoredField] =
    [
      outcome,
      number("native_quality", from: Int(Int32.min), to: Int(Int32.max), { $0.nativeQuality.databaseValue }) {
        $2.nativeQuality = try $0.count($1)
      },
      number("bytes", { $0.encodedBytes.databaseValue }) { $2.encodedBytes = try $0.count($1) },
      StoredField(
        columns: ["hash"], holdsMeasured: ["typeof(hash) IN ('blob', 'text') AND length(hash) <= 64"],
        write: { _, figures, _ in figures.map { [StoredHash.value($0.encodedHash)] } },
        read: { current, column, _ in
          // No table shows it, but another type is damage.
          switch current.value(column).storage {
          case .blob, .string: return
          default: throw StoredValueError(column: column)
          }
        }),
      number("agree", to: 1, { $0.repeatsAgree.databaseValue }) { $2.repeatsAgree = try $0.count($1) != 0 },
      timing, number("scoring_cpu", isOptional: true, { $0.scoringCPUNanoseconds.databaseValue }),
    ]
    + Quantity.ofPoints.map { quantity in
      let scale = quantity.traits.scale
      let low = quantity.bounds.lowerBound
      return number(
        quantity.rawValue, from: min(low, 0), isOptional: true, { $0.figures[quantity].databaseValue }
      ) {
        $2.figures[quantity] = try $0.integer($1).map { Double($0) / scale }
      }
    }

  static let columns = all.flatMap(\.columns)

  /// A whole number, which measured points have unless it is optional.
  private static func number(
    _ column: String, from low: Int = 0, to high: Int = .max, isOptional: Bool = false,
    _ write: @escaping @Sendable (Figures) -> DatabaseValue,
    read: (@Sendable (CurrentRow, Int, inout ResultRow) throws -> Void)? = nil
  ) -> StoredField {
    let whole = StoreCheck.whole(column, low, high)
    return StoredField(
      columns: [column], holds: isOptional ? [StoreCheck.optional(column, whole)] : [],
      holdsMeasured: isOptional ? [] : [whole],
      write: { _, figures, _ in figures.map { [write($0)] } }, read: read)
  }

  private static let outcome = StoredField(
    columns: ["status", "failure_kind", "message", "failed_scores"],
    holds: [
      StoreCheck.whole("status", 0, 2),
      StoreCheck.optional("failure_kind", StoreCheck.text("failure_kind")),
      StoreCheck.optional("message", StoreCheck.text("message")),
      """
      (failed_scores IS NULL OR json_valid(failed_scores) AND json_type(failed_scores) = 'object'
        AND NOT EXISTS (SELECT 1 FROM json_each(failed_scores) WHERE type <> 'text'))
      """,
    ],
    holdsMeasured: ["(message IS NULL OR json_valid(message) AND json_type(message) = 'array')"],
    write: { record, _, manifest in
      let status = StoreWriter.Status.number(record.outcome).databaseValue
      switch record.outcome {
      case .unsupported(let reason): return [status, .null, reason.databaseValue, .null]
      case .failed(let failure):
        return [status, failure.kind.rawValue.databaseValue, failure.message.databaseValue, .null]
      case .measured(let figures):
        let failed = Dictionary(
          figures.failedScores.map { (StoredMetric.storedName($0.key, in: manifest), $0.value) },
          uniquingKeysWith: { first, _ in first })
        return [
          status, .null, (figures.remarks.isEmpty ? nil : try StoredJSON.text(figures.remarks)).databaseValue,
          (failed.isEmpty ? nil : try StoredJSON.text(failed)).databaseValue,
        ]
      }
    }, read: nil)

  private static let calls = TimedCall.of(TimedOperation.allCases)

  /// A single repeat is stored in the time columns alone; several go to `samples`, with their medians in the columns.
  private static let timing = StoredField(
    columns: ["conditions"] + calls.map(\.description) + ["samples"],
    holdsMeasured: [
      StoreCheck.whole("conditions", 0, 2),
      "(samples IS NOT NULL OR "
        + calls.map { StoreCheck.whole($0.description, 0) }.joined(separator: " AND ") + ")",
    ],
    write: { _, figures, _ in
      figures.map { figures in
        let timing = figures.timing
        let isSingle = TimedOperation.allCases.allSatisfy { timing[$0].count == 1 }
        let medians = calls.map { median(timing[$0.operation], $0.clock).databaseValue }
        return [StoredTiming.number(timing.conditions).databaseValue] + medians
          + [(isSingle ? nil : StoredTiming.blob(timing)).databaseValue]
      }
    },
    read: { current, first, row in
      if let series = try StoredTiming.series(current, first, first + 1 + calls.count) {
        return row.take(series)
      }
      guard let conditions = StoredTiming.conditions(try current.integer(first)) else {
        throw StoredValueError(column: first)
      }
      (row.conditions, row.repeats) = (conditions, 1)
      for (index, call) in calls.enumerated() {
        let milliseconds = Double(try current.count(first + 1 + index)) / 1e6
        row.times[call] = ResultRow.Timing(minimum: milliseconds, median: milliseconds, deviation: 0)
      }
    })

  private static func median(_ samples: [TimingSample], _ clock: TimingClock) -> Int64? {
    guard !samples.isEmpty else { return nil }
    let sorted = samples.map { $0[clock] }.sorted()
    let (lower, upper) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    // Without overflow.
    return (lower & upper) + ((lower ^ upper) >> 1)
  }
}

struct PointReader {
  private let metrics: [StoredMetric]

  init(_ metrics: [StoredMetric]) { self.metrics = metrics }

  var columns: String {
    (["image", "setup", "quality", "origin", "run"] + StoredField.columns + metrics.map(\.column))
      .map { "p.\($0)" }.joined(separator: ", ")
  }
  private static let first = 5
  private static func column(_ outcome: StoredField.Outcome) -> Int { first + outcome.rawValue }

  var count: Int { Self.first + StoredField.columns.count + metrics.count }
  static let (image, setup, run) = (0, 1, 4)

  static func quality(_ current: CurrentRow) throws -> Quality {
    guard let quality = Quality(thousandths: try current.count(2)) else { throw StoredValueError(column: 2) }
    return quality
  }

  static func origins(_ current: CurrentRow) throws -> PointOrigins {
    PointOrigins(rawValue: try current.count(3))
  }

  static func status(_ current: CurrentRow) throws -> ResultRow.Status {
    switch try current.count(column(.status)) {
    case StoreWriter.Status.measured: .measured
    case StoreWriter.Status.unsupported: .unsupported
    case StoreWriter.Status.failed: .failed
    default: throw StoredValueError(column: column(.status))
    }
  }

  func read(_ current: CurrentRow, into row: inout ResultRow) throws {
    row.status = try Self.status(current)
    let message = try current.text(Self.column(.message))
    guard row.status == .measured else {
      row.error = message ?? ""
      return
    }
    var column = Self.first
    for field in StoredField.all {
      try field.read?(current, column, &row)
      column += field.columns.count
    }
    row.scores.reserveCapacity(metrics.count)
    for (index, metric) in metrics.enumerated() {
      row.scores[metric.name] = try current.number(column + index)
    }
    let ofPoint = try message.map { try StoredJSON.value([String].self, $0) } ?? []
    row.remarks += ofPoint
    let remarks = try failedScores(current) + ofPoint
    if !remarks.isEmpty { row.error = (remarks + [row.error].compactMap(\.self)).joined(separator: "; ") }
  }

  /// The failure of a point, or one for each score that its program failed to give.
  func failures(_ current: CurrentRow) throws -> [Failure] {
    switch try Self.status(current) {
    case .unsupported: []
    case .failed:
      [
        Failure(
          storedKind: try current.text(Self.column(.kind)), message: try current.text(Self.column(.message)))
      ]
    case .measured: try failedScores(current).map { Failure(kind: .metric, message: $0) }
    }
  }

  /// The reasons for missing scores, each after its metric's identifier.
  private func failedScores(_ current: CurrentRow) throws -> [String] {
    guard let text = try current.text(Self.column(.failedScores)) else { return [] }
    let scores = Self.first + StoredField.columns.count
    let missing = try metrics.enumerated().filter { try current.number(scores + $0.offset) == nil }
    return try StoredMetric.failed(text, missing.map(\.element)).sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value)" }
  }
}

extension Failure {
  /// A failure from two columns. An unknown kind of a later version counts as broken.
  init(storedKind kind: String?, message: String?) {
    self.init(kind: kind.flatMap(Kind.init) ?? .broken, message: message ?? "")
  }
}
