package import Model
import Workers

package struct SweepSummary: Sendable, Hashable {
  package var measured = 0
  package var unsupported = 0
  package var failed = 0
  package var failedScores = 0
  package var skipped = 0
  package var imageProblems = 0
  /// Points retried alone after a lost worker.
  package var retried = 0
  package var wasCancelled = false
  package var ranOutOfTime = false
  package var wallNanoseconds: Int64 = 0
  /// CPU time of all encodes, decodes and scores in all workers, seconds.
  private(set) var cpuSeconds = 0.0
  package var jobs = 1
  package var workersStarted = 0
  package var imagesOpened = 0
  /// The highest resident memory of any worker, bytes, scoring included; nil if the system does not tell.
  package var peakWorkerBytes: Int?
  /// The kernel's restrictions on the workers; nil if none was started.
  package var sandbox: SandboxStatus?

  package init() {}

  package var changedNothing: Bool {
    measured + unsupported + failed + imageProblems == 0 && !wasCancelled
  }

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
