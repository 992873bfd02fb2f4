import HeicBenchKit
import Synchronization

struct JobConsole: Sendable {
  /// The noun counted, such as `reads`.
  let unit: String
  let isQuiet: Bool
  private let pace = JobPace()
  private let progress: ProgressReporter

  init(unit: String, isQuiet: Bool) {
    (self.unit, self.isQuiet, progress) = (unit, isQuiet, ProgressReporter(isQuiet: isQuiet))
  }

  /// Shows an event; failures are shown even when quiet.
  func show(_ event: JobEvent) {
    switch event {
    case .progress(let done, let total):
      let left = pace.secondsLeft(done: done, total: total).map {
        "  about \(ProgressLine.duration($0)) left"
      }
      let all = total.map { "/\($0)" } ?? ""
      progress.show { "\(done)\(all) \(unit)\(left ?? "")  \(pace.answer)" }
    case .ended:
      progress.close()
      pace.restart()
    case .failed(let file, let message): StandardError.notice("\(file): \(message)")
    case .notice(let text): if !isQuiet { StandardError.notice(text) }
    case .answer(let text): pace.tell(text)
    }
  }

  /// Writes the answers from reads or cuts; `table` is the file that lists failures.
  func close(_ outcome: CostOutcome, table: String) throws {
    if !isQuiet { StandardOutput.tell(outcome.text(width: StandardOutput.width)) }
    if outcome.failed > 0, !outcome.wasInterrupted {
      StandardError.notice("\(outcome.failed) of \(outcome.total) \(unit) failed; \(table) says why")
    }
    try ExitStatus.check(wasInterrupted: outcome.wasInterrupted, hasFailures: outcome.failed > 0)
  }
}

extension QuietOption {
  func say(_ sentences: [String]) {
    if !quiet { StandardOutput.write(lines: sentences) }
  }
}

/// The speed of jobs while they run, and the answer so far.
final class JobPace: Sendable {
  /// The smallest share of the work and the fewest seconds that allow an estimate.
  private static let least = (share: 0.05, seconds: 3.0)

  private let start: Mutex<(time: ContinuousClock.Instant, done: Int)?> = Mutex(nil)
  private let soFar = Mutex("")

  var answer: String { soFar.withLock { $0 } }

  func tell(_ answer: String) { soFar.withLock { $0 = answer } }

  /// Forgets the speed before another kind of work starts.
  func restart() { start.withLock { $0 = nil } }

  /// Seconds left at the speed so far; nil while unknown.
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
