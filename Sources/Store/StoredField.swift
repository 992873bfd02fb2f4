import GRDB
import Model

/// A part of a measurement as it stands in table `point`, said once: what selects, inserts, merges and checks points is
/// made of `all`. A new one needs an entry here and a migration that adds its columns.
struct StoredField: Sendable {
  /// The columns that hold it.
  let columns: [String]
  /// The columns' values.
  let write: @Sendable (Measurement) -> [DatabaseValue]
  /// Reads it from the columns that begin at a place in the row.
  let read: @Sendable (Row, Int, inout Measurement) throws -> Void

  /// All of them.
  static let all: [StoredField] = [
    number("native_quality", \.nativeQuality), number("bytes", \.encodedBytes),
    StoredField(columns: ["hash"], write: { [StoredHash.value($0.encodedHash)] }) {
      $2.encodedHash = try $0.hash($1)
    },
    StoredField(columns: ["agree"], write: { [$0.repeatsAgree.databaseValue] }) {
      $2.repeatsAgree = try $0.required($1, Row.integer) != 0
    },
    timing, number("peak_memory", \.peakMemoryBytes),
    StoredField(columns: ["scoring_cpu"], write: { [$0.scoringCPUNanoseconds.databaseValue] }) {
      $2.scoringCPUNanoseconds = Int64(try $0.integer($1) ?? 0)
    },
    number("encode_peak", \.encodePeakBytes), number("decode_peak", \.decodePeakBytes),
  ]

  /// The columns of times: medians, nanoseconds.
  static let times = TimedOperation.allCases.flatMap { operation in
    TimingClock.allCases.map { "\(operation)_\($0)" }
  }

  private static func number(
    _ column: String, _ path: any WritableKeyPath<Measurement, Int> & Sendable
  ) -> StoredField {
    StoredField(columns: [column], write: { [$0[keyPath: path].databaseValue] }) {
      $2[keyPath: path] = try $0.required($1, Row.integer)
    }
  }

  /// A number that need not be there.
  private static func number(
    _ column: String, _ path: any WritableKeyPath<Measurement, Int?> & Sendable
  ) -> StoredField {
    StoredField(columns: [column], write: { [$0[keyPath: path].databaseValue] }) {
      $2[keyPath: path] = try $0.integer($1)
    }
  }

  /// One repeat is told whole by the time columns; `samples` holds more, and the columns their medians.
  private static let timing = StoredField(columns: ["conditions"] + times + ["samples"]) { measurement in
    let timing = measurement.timing
    let isSingle = TimedOperation.allCases.allSatisfy { timing[$0].count == 1 }
    let medians = TimedOperation.allCases.flatMap { operation in
      TimingClock.allCases.map { median(timing[operation], $0).databaseValue }
    }
    return [StoredTiming.number(timing.conditions).databaseValue] + medians
      + [(isSingle ? nil : StoredTiming.blob(timing)).databaseValue]
  } read: { row, first, measurement in
    guard let conditions = StoredTiming.conditions(try row.required(first, Row.integer)) else {
      throw StoredValueError(column: first)
    }
    let samples = first + 1 + times.count
    if let blob = try row.bytes(samples) {
      guard let series = StoredTiming.series(blob, conditions: conditions) else {
        throw StoredValueError(column: samples)
      }
      measurement.timing = series
      return
    }
    let sample = { (wall: Int) throws in
      TimingSample(
        wallNanoseconds: Int64(try row.required(wall, Row.integer)),
        cpuNanoseconds: Int64(try row.required(wall + 1, Row.integer)))
    }
    measurement.timing = TimingSeries(
      conditions: conditions, encode: [try sample(first + 1)], decode: [try sample(first + 3)])
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
