import CProcessShim
import CodecKit
import Model

/// Times calls into a codec and says why those that fail do.
struct Stopwatch {
  /// How often a call is made again because the process was stopped (SIGSTOP) while its time ran.
  private static let attempts = 3

  /// The memory that the system lets the process have, bytes, for messages.
  var memoryLimit: Int?
  /// Whether some time includes a stop that could not be avoided by trying again.
  private(set) var hasStoppedTime = false

  /// Makes a call and times it: elapsed time and CPU time of the whole process, so that an encoder's own
  /// threads count.
  mutating func time<Value>(
    _ call: () throws(CodecError) -> Value
  ) throws(PointProblem) -> (value: Value, sample: TimingSample) {
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

  /// Sorts a codec's error by what it means for the point. A refused allocation shows in `errno`, whatever the
  /// library made of it.
  private func problem(_ error: CodecError) -> PointProblem {
    if hb_errno_is_out_of_memory() != 0 {
      return .failed(Failure(kind: .memory, message: OutOfMemory.message(limit: memoryLimit)))
    }
    return switch error {
    case .unsupported(let reason): .unsupported(reason)
    case .limitExceeded(let reason): .failed(Failure(kind: .limit, message: reason))
    case .highDynamicRange: .failed(Failure(kind: .source, message: error.description))
    case .invalidSetting, .malformed, .library: .failed(Failure(kind: .codec, message: error.description))
    }
  }
}

/// Why a point has no measurement.
enum PointProblem: Error, Equatable {
  /// The codec cannot do this image with these settings.
  case unsupported(String)
  /// It should have worked.
  case failed(Failure)

  /// What becomes of what was to be measured.
  func outcome<Value>() -> Outcome<Value> {
    switch self {
    case .unsupported(let reason): .unsupported(reason)
    case .failed(let failure): .failed(failure)
    }
  }

  /// The same as a failure.
  var failure: Failure {
    switch self {
    case .unsupported(let reason): Failure(kind: .codec, message: "unsupported: \(reason)")
    case .failed(let failure): failure
    }
  }
}

extension Outcome {
  /// What a measurement gives, or why it gives nothing.
  init(_ measure: () throws(PointProblem) -> Value) {
    do throws(PointProblem) { self = .measured(try measure()) } catch { self = error.outcome() }
  }
}
