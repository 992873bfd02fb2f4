package import Model
import Workers

/// What became of a sweep as a whole.
package struct SweepSummary: Sendable, Hashable {
  /// Points measured by this run.
  package var measured = 0
  /// Points that a codec cannot do.
  package var unsupported = 0
  /// Points that failed.
  package var failed = 0
  /// Scores of measured points that their programs did not give.
  package var failedScores = 0
  /// Points that earlier runs had finished.
  package var skipped = 0
  /// Images that could not be used at all.
  package var imageProblems = 0
  /// Points that were tried a second time, alone, after a worker was lost.
  package var retried = 0
  /// Whether the run was cancelled before it was done.
  package var wasCancelled = false
  /// Whether it was cancelled because its time was up.
  package var ranOutOfTime = false
  /// Elapsed time, nanoseconds.
  package var wallNanoseconds: Int64 = 0
  /// CPU time of all encodes, decodes and scores in all workers, seconds.
  private(set) var cpuSeconds = 0.0
  /// Workers side by side.
  package var jobs = 1
  /// Workers that were started in all.
  package var workersStarted = 0
  /// Images that were opened, counted once for each worker that opened them.
  package var imagesOpened = 0
  /// The highest resident memory of any worker, bytes, scoring included; nil where the system does not tell.
  package var peakWorkerBytes: Int?
  /// What the kernel held the workers with; nil when none was started.
  package var sandbox: SandboxStatus?

  /// A run in which nothing has happened yet.
  package init() {}

  /// Whether all that was to be done had been done before.
  package var changedNothing: Bool {
    measured + unsupported + failed + imageProblems == 0 && !wasCancelled
  }

  /// Counts a point.
  mutating func count(_ outcome: PointOutcome) {
    switch outcome {
    case .measured(let measurement):
      measured += 1
      failedScores += measurement.failedScores.count
      let calls = measurement.timing.encode + measurement.timing.decode
      cpuSeconds +=
        calls.reduce(Double(measurement.scoringCPUNanoseconds)) { $0 + Double($1.cpuNanoseconds) } / 1e9
    case .unsupported: unsupported += 1
    case .failed: failed += 1
    }
  }
}
