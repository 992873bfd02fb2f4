import CProcessShim
package import CodecKit
package import Model

/// Times calls into a codec and classifies their errors.
package struct Stopwatch {
  /// Attempts at a call that a stop of the process (SIGSTOP) interrupts.
  private static let attempts = 3

  /// The memory that the system allows the process, bytes, for messages.
  private let memoryLimit: Int?
  /// True if a time includes a stop despite all attempts.
  package private(set) var hasStoppedTime = false

  package init(memoryLimit: Int?) { self.memoryLimit = memoryLimit }

  /// Makes a call and times it: elapsed time, and CPU time of the whole process, so that an encoder's own threads
  /// count.
  package mutating func time<Value>(
    _ call: () throws(CodecError) -> Value
  ) throws(Failure) -> (value: Value, sample: TimingSample) {
    var attempt = 1
    while true {
      _ = hb_was_continued()
      hb_clear_errno()
      let cpu = MonotonicClock.processCPU()
      let wall = MonotonicClock.now()
      let value: Value
      do { value = try call() } catch { throw problem(error) }
      let sample = TimingSample(
        wallNanoseconds: MonotonicClock.now() - wall, cpuNanoseconds: MonotonicClock.processCPU() - cpu)
      if hb_was_continued() == 0 { return (value, sample) }
      guard attempt < Self.attempts else {
        hasStoppedTime = true
        return (value, sample)
      }
      attempt += 1
    }
  }

  /// Maps a codec's error to a failure of the point. A refused allocation shows in `errno`, however the library reports
  /// it.
  package func problem(_ error: CodecError) -> Failure {
    if hb_errno_is_out_of_memory() != 0 {
      return Failure(kind: .memory, message: OutOfMemory.message(limit: memoryLimit))
    }
    return switch error {
    case .unsupported(let reason): .unsupported(reason)
    case .limitExceeded(let reason): Failure(kind: .limit, message: reason)
    case .highDynamicRange: Failure(kind: .source, message: error.description)
    case .invalidSetting, .malformed, .library: Failure(kind: .codec, message: error.description)
    }
  }
}
