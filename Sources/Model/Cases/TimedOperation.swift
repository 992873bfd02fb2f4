/// A timed call into a codec. Columns of the store and of files, merging and checks are derived from these cases, the
/// clocks and the statistics. New cases go last, because columns and stored times have the same order.
package enum TimedOperation: String, Sendable, Hashable, CaseIterable, Codable, CodingKeyRepresentable,
  Ordinal
{
  /// Pixels in memory to file bytes in memory.
  case encode
  /// File bytes in memory to pixels in memory.
  case decode

  package var title: String {
    switch self {
    case .encode: "Encode"
    case .decode: "Decode"
    }
  }
  /// The operation at the start of a sentence: “Encoding takes 3 ms”.
  package var gerund: String {
    switch self {
    case .encode: "Encoding"
    case .decode: "Decoding"
    }
  }

  package static let count = allCases.count
  package var ordinal: Int {
    switch self {
    case .encode: 0
    case .decode: 1
    }
  }
}

package enum TimingClock: String, Sendable, Hashable, CaseIterable {
  case wall
  /// CPU time of the whole process with all threads.
  case cpu
}

/// An operation timed by one clock, which a column of times shows.
package struct TimedCall: Sendable, Hashable, CustomStringConvertible, Ordinal {
  package let operation: TimedOperation
  package let clock: TimingClock
  package let ordinal: Int

  package static let count = TimedOperation.count * TimingClock.allCases.count

  package init(_ operation: TimedOperation, _ clock: TimingClock) {
    (self.operation, self.clock) = (operation, clock)
    ordinal = 2 * operation.ordinal + (clock == .wall ? 0 : 1)
  }

  package static func of(_ operations: [TimedOperation]) -> [TimedCall] {
    operations.flatMap { operation in TimingClock.allCases.map { TimedCall(operation, $0) } }
  }

  /// `encode_cpu`, the prefix of columns.
  package var description: String { "\(operation.rawValue)_\(clock.rawValue)" }
}

extension TimingSample {
  package subscript(clock: TimingClock) -> Int64 {
    switch clock {
    case .wall: wallNanoseconds
    case .cpu: cpuNanoseconds
    }
  }
}
