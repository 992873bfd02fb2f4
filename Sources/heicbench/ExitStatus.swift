import ArgumentParser

/// The exit codes that scripts may rely on.
enum ExitStatus: Int32 {
  /// Everything was measured.
  case success = 0
  /// The gate found a regression.
  case regression = 1
  /// The run finished, and some points or images failed; each is listed.
  case someFailed = 3
  /// The command line is wrong.
  case usage = 64
  /// There is nothing to measure.
  case noInput = 66
  /// heicbench itself is at fault, or cannot start its workers.
  case software = 70
  /// Results cannot be read or written, or the system gives no process, thread or descriptor.
  case resultsUnusable = 74
  /// Interrupted; everything finished so far is saved.
  case interrupted = 130
}

/// An error that ends the program: what is wrong with what, and what to do.
struct CommandError: Error, CustomStringConvertible {
  /// The exit code.
  let status: ExitStatus
  /// The message, after `heicbench: `.
  let description: String

  init(_ status: ExitStatus, _ description: String) {
    self.status = status
    self.description = description
  }
}
