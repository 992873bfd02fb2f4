/// A call into a codec that is timed. Columns, stored times and statistics are made from these, the clocks and the
/// statistics; the order is that of the columns.
package enum TimedOperation: String, Sendable, Hashable, CaseIterable {
  /// Pixels in memory to file bytes in memory.
  case encode
  /// File bytes in memory to pixels in memory.
  case decode
}

/// What a call is timed with.
package enum TimingClock: String, Sendable, Hashable, CaseIterable {
  /// Elapsed time.
  case wall
  /// CPU time of the whole process, all its threads.
  case cpu
}

extension TimingSample {
  /// What a clock showed, nanoseconds.
  package subscript(clock: TimingClock) -> Int64 {
    switch clock {
    case .wall: wallNanoseconds
    case .cpu: cpuNanoseconds
    }
  }
}

extension TimingSeries {
  /// The repeats of an operation.
  package subscript(operation: TimedOperation) -> [TimingSample] {
    switch operation {
    case .encode: encode
    case .decode: decode
    }
  }
}
