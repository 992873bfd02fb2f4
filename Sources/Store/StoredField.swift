import GRDB
import Model

/// A part of a measurement as it stands in table `point`, said once: what selects, inserts, merges and checks points is
/// made of `all`. Columns that a store of an earlier version lacks are added to it when it is opened.
struct StoredField: Sendable {
  /// The columns that hold it.
  let columns: [String]
  /// The columns' values.
  let write: @Sendable (Measurement) -> [DatabaseValue]
  /// Reads it from the columns that begin at a place in the row.
  let read: @Sendable (Row, Int, inout Measurement) throws -> Void

  /// All of them.
  static let all: [StoredField] =
    [
      number("native_quality", \.nativeQuality), number("bytes", \.encodedBytes),
      StoredField(columns: ["hash"], write: { [StoredHash.value($0.encodedHash)] }) {
        $2.encodedHash = try $0.hash($1)
      },
      StoredField(columns: ["agree"], write: { [$0.repeatsAgree.databaseValue] }) {
        $2.repeatsAgree = try $0.required($1, Row.integer) != 0
      },
      timing,
      StoredField(columns: ["scoring_cpu"], write: { [$0.scoringCPUNanoseconds.databaseValue] }) {
        $2.scoringCPUNanoseconds = Int64(try $0.integer($1) ?? 0)
      },
    ]
    + MeasuredFigure.allCases.map { figure in
      StoredField(columns: [figure.rawValue], write: { [$0.figures[figure].databaseValue] }) {
        $2.figures[figure] = try $0.integer($1)
      }
    }

  /// Columns that were added to those of the first store: all of them numbers that may be absent.
  static let added = MeasuredFigure.allCases.map(\.rawValue) + times(TimedOperation.further)

  /// The columns of times: medians, nanoseconds.
  static func times(_ operations: [TimedOperation]) -> [String] {
    TimedCall.of(operations).map(\.description)
  }

  private static func number(
    _ column: String, _ path: any WritableKeyPath<Measurement, Int> & Sendable
  ) -> StoredField {
    StoredField(columns: [column], write: { [$0[keyPath: path].databaseValue] }) {
      $2[keyPath: path] = try $0.required($1, Row.integer)
    }
  }

  private static let calls = TimedCall.of(TimedOperation.allCases)

  /// One repeat is told whole by the time columns; `samples` holds more, and the columns their medians.
  private static let timing = StoredField(columns: ["conditions"] + calls.map(\.description) + ["samples"]) {
    let timing = $0.timing
    let isSingle = TimedOperation.allCases.allSatisfy { operation in
      timing[operation].count == 1
        || timing[operation].isEmpty && TimedOperation.further.contains(operation)
    }
    let medians = calls.map { median(timing[$0.operation], $0.clock).databaseValue }
    return [StoredTiming.number(timing.conditions).databaseValue] + medians
      + [(isSingle ? nil : StoredTiming.blob(timing)).databaseValue]
  } read: { row, first, measurement in
    guard let conditions = StoredTiming.conditions(try row.required(first, Row.integer)) else {
      throw StoredValueError(column: first)
    }
    let samples = first + 1 + calls.count
    if let blob = try row.bytes(samples) {
      guard let series = StoredTiming.series(blob, conditions: conditions) else {
        throw StoredValueError(column: samples)
      }
      measurement.timing = series
      return
    }
    measurement.timing = TimingSeries(conditions: conditions, encode: [], decode: [])
    for (index, operation) in TimedOperation.allCases.enumerated() {
      let wall = first + 1 + index * TimingClock.allCases.count
      if TimedOperation.further.contains(operation), try row.integer(wall) == nil { continue }
      measurement.timing[operation] = [
        TimingSample(
          wallNanoseconds: Int64(try row.required(wall, Row.integer)),
          cpuNanoseconds: Int64(try row.required(wall + 1, Row.integer)))
      ]
    }
  }

  private static func median(_ samples: [TimingSample], _ clock: TimingClock) -> Int64? {
    guard !samples.isEmpty else { return nil }
    let sorted = samples.map { $0[clock] }.sorted()
    let upper = sorted[sorted.count / 2]
    return sorted.count % 2 == 1 ? upper : sorted[sorted.count / 2 - 1].midpoint(upper)
  }
}

extension Int64 {
  /// Half way to another number, without overflow.
  fileprivate func midpoint(_ other: Int64) -> Int64 { (self & other) + ((self ^ other) >> 1) }
}
