import GRDB
import Model

/// The columns of table `result` with the outcome of a point, other than its scores.
enum PointFields {
  /// A point and the manifest of the run that writes it.
  struct Point: Sendable {
    var record: CaseRecord
    var manifest: RunManifest?

    var figures: Figures? { record.figures }
  }

  typealias Field = StoredField<Point, ResultRow>

  /// The columns of `outcome`, the first ones in `all`.
  enum Outcome: Int { case status, kind, message, failedScores }

  static let all: [Field] =
    [
      outcome,
      number("native_quality", from: Int(Int32.min), to: Int(Int32.max), { $0.nativeQuality.databaseValue }) {
        $1.nativeQuality = $0
      },
      number("bytes", { $0.encodedBytes.databaseValue }) { $1.encodedBytes = $0 },
      Field(
        declarations: ["hash BLOB"],
        holdsMeasured: ["typeof(hash) IN ('blob', 'text') AND length(hash) <= 64"],
        write: { point in point.figures.map { [StoredHash.value($0.encodedHash)] } },
        read: { current, column, _ in
          // No table shows this column, but another type means damage.
          switch current.value(column).storage {
          case .blob, .string: return
          default: throw StoredValueError(column: column)
          }
        }),
      number("agree", to: 1, { $0.repeatsAgree.databaseValue }) { $1.repeatsAgree = $0 != 0 },
      timing, number("scoring_cpu", isOptional: true, { $0.scoringCPUNanoseconds.databaseValue }),
    ]
    + Quantity.ofPoints.map { quantity in
      let scale = quantity.traits.scale
      let low = quantity.bounds.lowerBound
      return number(
        quantity.rawValue, from: min(low, 0), isOptional: true, { $0.figures[quantity].databaseValue }
      ) {
        $1.figures[quantity] = $0.map { Double($0) / scale }
      }
    }

  static let columns = all.flatMap(\.columns)

  /// A whole number that measured points must have unless it is optional.
  private static func number(
    _ column: String, from low: Int = 0, to high: Int = .max, isOptional: Bool = false,
    _ write: @escaping @Sendable (Figures) -> DatabaseValue,
    read: (@Sendable (Int?, inout ResultRow) -> Void)? = nil
  ) -> Field {
    let whole = StoreCondition.whole(column, low, high)
    var checked: (@Sendable (CurrentRow, Int, inout ResultRow) throws -> Void)?
    if let read {
      // A store that is only read is not checked as a whole.
      checked = { current, place, row in
        let value = try current.integer(place)
        guard value.map({ $0 >= low && $0 <= high }) ?? isOptional else {
          throw StoredValueError(column: place)
        }
        read(value, &row)
      }
    }
    return Field(
      declarations: ["\(column) INTEGER"], holds: isOptional ? [StoreCondition.optional(column, whole)] : [],
      holdsMeasured: isOptional ? [] : [whole],
      write: { point in point.figures.map { [write($0)] } }, read: checked)
  }

  private static let outcome = Field(
    declarations: ["status INTEGER NOT NULL", "failure_kind TEXT", "message TEXT", "failed_scores TEXT"],
    holds: [
      StoreCondition.whole("status", 0, 2),
      StoreCondition.optional("failure_kind", StoreCondition.text("failure_kind")),
      StoreCondition.optional("message", StoreCondition.text("message")),
      """
      (failed_scores IS NULL OR json_valid(failed_scores) AND json_type(failed_scores) = 'object'
        AND NOT EXISTS (SELECT 1 FROM json_each(failed_scores) WHERE type <> 'text'))
      """,
    ],
    holdsMeasured: ["(message IS NULL OR json_valid(message) AND json_type(message) = 'array')"],
    write: { point in
      let status = ResultRow.Status(point.record.outcome).number.databaseValue
      switch point.record.outcome {
      case .unsupported(let reason): return [status, .null, reason.databaseValue, .null]
      case .failed(let failure):
        return [status, failure.kind.rawValue.databaseValue, failure.message.databaseValue, .null]
      case .measured(let figures):
        let failed = Dictionary(
          figures.failedScores.map { (StoredMetric.storedName($0.key, in: point.manifest), $0.value) },
          uniquingKeysWith: { first, _ in first })
        return [
          status, .null, (figures.remarks.isEmpty ? nil : try StoredJSON.text(figures.remarks)).databaseValue,
          (failed.isEmpty ? nil : try StoredJSON.text(failed)).databaseValue,
        ]
      }
    }, read: nil)

  private static let calls = TimedCall.of(TimedOperation.allCases)

  /// A single repeat is stored only in the time columns; several go to `samples`, with their medians in the columns.
  private static let timing = Field(
    declarations: ["conditions INTEGER"] + calls.map { "\($0) INTEGER" } + ["samples BLOB"],
    holdsMeasured: [
      StoreCondition.whole("conditions", 0, 2),
      "(samples IS NOT NULL OR "
        + calls.map { StoreCondition.whole($0.description, 0) }.joined(separator: " AND ") + ")",
    ],
    write: { point in
      point.figures.map { figures in
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
        let nanoseconds = try current.count(first + 1 + index)
        guard nanoseconds >= 0 else { throw StoredValueError(column: first + 1 + index) }
        let milliseconds = Double(nanoseconds) / 1e6
        row.times[call] = ResultRow.Timing(minimum: milliseconds, median: milliseconds, deviation: 0)
      }
    })

  static func median(_ samples: [TimingSample], _ clock: TimingClock) -> Int64? {
    guard !samples.isEmpty else { return nil }
    let sorted = samples.map { $0[clock] }.sorted()
    let (lower, upper) = (sorted[(sorted.count - 1) / 2], sorted[sorted.count / 2])
    // Computes the mean without overflow.
    return (lower & upper) + ((lower ^ upper) >> 1)
  }
}
