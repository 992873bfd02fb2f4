import ArgumentParser
import HeicBenchKit

/// What work on files one by one says on a terminal while it lasts.
struct JobConsole: Sendable {
  /// What is counted: `reads`.
  let unit: String
  let isQuiet: Bool

  /// Shows what goes on. What failed is said even when quiet.
  func show(_ event: JobEvent) {
    switch event {
    case .progress(let done, let total):
      if isShown { StandardError.write("\r\(done)\(total.map { "/\($0)" } ?? "") \(unit)") }
    case .ended: if isShown { StandardError.write("\r") }
    case .failed(let file, let message): StandardError.notice("\(file): \(message)")
    case .notice(let text): if !isQuiet { StandardError.notice(text) }
    }
  }

  /// Says the answers of reads or cuts.
  /// - Parameter table: the file that tells of what failed.
  /// - Throws: `ExitCode` for a run that was interrupted, or of which something failed.
  func close(_ outcome: CostOutcome, _ sentences: [String], table: String) throws {
    if !isQuiet { StandardOutput.write(lines: sentences) }
    if outcome.failed > 0, !outcome.wasInterrupted {
      StandardError.notice("\(outcome.failed) of \(outcome.total) \(unit) failed; \(table) says why")
    }
    try ExitStatus.check(wasInterrupted: outcome.wasInterrupted, hasFailures: outcome.failed > 0)
  }

  private var isShown: Bool { !isQuiet && StandardError.isTerminal }
}

extension QuietOption {
  /// Says answers, a line each.
  func say(_ sentences: [String]) {
    if !quiet { StandardOutput.write(lines: sentences) }
  }
}
