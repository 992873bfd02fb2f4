import ArgumentParser
import HeicBenchKit

/// The exit codes that scripts may rely on.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  /// The gate found a regression.
  case regression = 1
  /// The run finished, but some points or images failed; each is listed.
  case someFailed = 3
  /// --budget ended before everything was measured; the measured part is saved and reported.
  case budgetSpent = 4
  case usage = 64
  /// There is nothing to measure.
  case noInput = 66
  /// heicbench itself is at fault, or cannot start its workers.
  case software = 70
  /// Results cannot be read or written, or the system refuses a process, thread or descriptor.
  case resultsUnusable = 74
  /// Interrupted; everything finished so far is saved.
  case interrupted = 130

  /// `3 finished, but something failed`, as help and documents list it.
  var sentence: String {
    let meaning =
      switch self {
      case .success: "success"
      case .regression: "the gate found a regression"
      case .someFailed: "finished, but something failed"
      case .budgetSpent: "stopped after --budget"
      case .usage: "wrong usage"
      case .noInput: "nothing to measure"
      case .software: "an error in heicbench itself"
      case .resultsUnusable: "results cannot be read or written"
      case .interrupted: "interrupted, with everything finished so far saved"
      }
    return "\(rawValue) \(meaning)"
  }

  static func check(wasInterrupted: Bool, hasFailures: Bool) throws {
    if wasInterrupted {
      StandardError.notice("interrupted before everything was done")
      throw ExitCode(interrupted.rawValue)
    }
    if hasFailures { throw ExitCode(someFailed.rawValue) }
  }
}

extension HeicBenchError {
  var status: ExitStatus {
    switch kind {
    case .usage: .usage
    case .noInput: .noInput
    case .resultsUnusable: .resultsUnusable
    case .software: .software
    }
  }
}
