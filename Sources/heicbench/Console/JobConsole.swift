import ArgumentParser
import HeicBenchKit
import Synchronization

/// What work on files one by one says on a terminal while it lasts.
struct JobConsole: Sendable {
  /// What is counted: `reads`.
  let unit: String
  let isQuiet: Bool
  private let pace = JobPace()

  /// Counts in this unit.
  init(unit: String, isQuiet: Bool) { (self.unit, self.isQuiet) = (unit, isQuiet) }

  /// Shows what goes on. What failed is said even when quiet.
  func show(_ event: JobEvent) {
    switch event {
    case .progress(let done, let total):
      let left = pace.secondsLeft(done: done, total: total).map {
        "  about \(ProgressLine.duration($0)) left"
      }
      let count = "\(done)\(total.map { "/\($0)" } ?? "") \(unit)"
      if isShown { StandardError.write(Self.line + count + (left ?? "")) }
    case .status(let text): if isShown { StandardError.write(Self.line + text) }
    case .ended: if isShown { StandardError.write(Self.line) }
    case .failed(let file, let message): say("\(file): \(message)")
    case .notice(let text): if !isQuiet { say(text) }
    }
  }

  /// Says something in lines of its own, in place of the line that shows how far it is.
  private func say(_ text: String) {
    if isShown { StandardError.write(Self.line) }
    StandardError.notice(text)
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

  /// To the start of the line, which is cleared.
  private static let line = "\r\u{1B}[K"

  private var isShown: Bool { !isQuiet && StandardError.isTerminal }
}

extension QuietOption {
  /// Says answers, a line each.
  func say(_ sentences: [String]) {
    if !quiet { StandardOutput.write(lines: sentences) }
  }
}

/// How fast jobs go, from the first of them on.
final class JobPace: Sendable {
  /// Less than this of the work, or of seconds, tells nothing of the rest.
  private static let least = (share: 0.05, seconds: 3.0)

  private let start: Mutex<(time: ContinuousClock.Instant, done: Int)?> = Mutex(nil)

  /// The seconds that the rest takes as the part that is done has gone; nil where nobody can tell.
  func secondsLeft(done: Int, total: Int?, at now: ContinuousClock.Instant = .now) -> Double? {
    let first = start.withLock { start in
      start = start ?? (now, done)
      return start ?? (now, done)
    }
    guard let total, total > done, done > first.done else { return nil }
    let (share, seconds) = (Double(done) / Double(total), (now - first.time) / .seconds(1))
    guard share >= Self.least.share, seconds >= Self.least.seconds else { return nil }
    return seconds / Double(done - first.done) * Double(total - done)
  }
}
