import HeicBenchKit
import Synchronization
import Workers

/// Shows progress on standard error: a redrawn bar on a terminal, a line every few seconds elsewhere.
final class ProgressReporter: Sendable {
  private struct State {
    let start: Int64
    var lastShown: Int64
    var isLineOpen = false
    var headline: [Saving] = []
  }

  private let isQuiet: Bool
  private let isTerminal: Bool
  private let state: Mutex<State>

  /// The minimum nanoseconds between two lines in a log, and between two redraws of a bar.
  private static let intervals: (log: Int64, bar: Int64) = (5_000_000_000, 100_000_000)
  /// Log lines are at least this fraction of the elapsed time apart, so hours of work do not print thousands of lines.
  private static let logShare: Int64 = 10

  init(isQuiet: Bool, isTerminal: Bool = StandardError.isTerminal, at now: Int64 = MonotonicClock.now()) {
    (self.isQuiet, self.isTerminal) = (isQuiet, isTerminal)
    // A log starts with one silent interval: most resumed runs end within it.
    state = Mutex(State(start: now, lastShown: isTerminal ? 0 : now))
  }

  func tell(_ headline: [Saving]) { state.withLock { $0.headline = headline } }

  /// Shows the progress of the sweep, or of a named pass over its points, if an update is due.
  func show(_ progress: SweepProgress, named name: String = "") {
    show {
      let headline = name.isEmpty ? self.state.withLock { $0.headline } : []
      return name
        + (self.isTerminal
          ? ProgressLine.bar(progress, headline, columns: StandardError.columns - name.count)
          : ProgressLine.text(progress, headline))
    }
  }

  /// Removes a bar, which would look like unfinished work.
  func close() {
    let wasOpen = state.withLock { state in
      defer { state.isLineOpen = false }
      return state.isLineOpen
    }
    if wasOpen { StandardError.redraw() }
  }

  /// Shows a text if an update is due. Threads may arrive out of order of their times, which are in nanoseconds.
  func show(at now: Int64 = MonotonicClock.now(), _ text: () -> String) {
    guard !isQuiet else { return }
    let isDue = state.withLock { state in
      let rest =
        isTerminal ? Self.intervals.bar : max(Self.intervals.log, (now - state.start) / Self.logShare)
      guard now - state.lastShown >= rest else { return false }
      state.lastShown = now
      state.isLineOpen = isTerminal
      return true
    }
    guard isDue else { return }
    isTerminal ? StandardError.redraw(text()) : StandardError.write("heicbench: \(text())\n")
  }
}
