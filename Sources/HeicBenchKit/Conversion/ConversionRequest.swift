import Codecs
import Curves
import Metrics
import Model
package import Reports
import Sweep
import Workers

/// Whether converting the files of a folder pays: what it would save and take, and what it would lose. Measures a
/// sample and projects it; converts nothing and writes nothing.
package struct ConversionRequest: Sendable {
  /// Which files.
  package var images: ImageSource
  /// Into what; empty for all codecs that can be used here, JPEG where there are files of other formats.
  package var codecs: [CodecVariant] = []
  /// The scores (SSIMULACRA2) that converted files are to keep, each against the file as it is; 90 is visually lossless.
  package var scores: [Double] = [90]
  /// How many files are measured; the projection is exact where that is all of them.
  package var sample = 12
  /// Which sample is drawn. The same folder, size and seed give the same files.
  package var seed: UInt64 = 1
  /// The most seconds that it may take; the answer then is of the files that are done. Nil for as long as it takes.
  package var budget: Double?
  /// How the work is done.
  package var workers = WorkerSettings()

  /// Checks the images of files and folders.
  package init(images: [InputPath]) { self.images = ImageSource(images) }

  /// Measures the sample and projects it. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - cancellation: stops early; the answer then is of the files that are done.
  ///   - events: told what goes on, from several threads.
  /// - Throws: `HeicBenchError` where the request or the images cannot be used, or no worker can be started.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> ConversionOutcome {
    try HeicBenchError.mapping {
      try check()
      return try ConversionRun(request: self, cancellation: cancellation, events: events).run()
    }
  }

  private func check() throws {
    let metric = MetricSuite.standard.first { $0.id == ConversionRun.metric }
    if sample < 1 { throw HeicBenchError(.usage, "a sample has at least one file, not \(sample)") }
    if let budget, !(budget > 0 && budget <= SweepRequest.longestBudget) {
      throw HeicBenchError(.usage, "a budget is more than 0 seconds and at most a year")
    }
    if scores.isEmpty { throw HeicBenchError(.usage, "there is no score to convert at") }
    for score in scores where metric?.isPossible(score) == false {
      throw HeicBenchError(
        .usage, "nothing can be converted at SSIMULACRA2 \(Numerals.short(score)), which is at most 100")
    }
    if let build = codecs.compactMap(\.build).first {
      throw HeicBenchError(.usage, "conversions are tried with the system’s libraries, not with “@\(build)”")
    }
  }
}

/// What conversions would save, take and lose.
package struct ConversionOutcome: Sendable {
  /// Whether it was stopped before all of the sample was measured.
  package let wasInterrupted: Bool
  /// Whether that was because the time of its budget was up.
  package let ranOutOfTime: Bool
  /// Whether a file of the sample could not be tried though it should have worked.
  package var hasFailures: Bool { !report.failures.isEmpty }
  /// Whether there is anything to tell, which there is not where it was stopped before the first file was done.
  package var isEmpty: Bool { report.isEmpty }
  /// The answer for people, no table wider than `width`.
  package func text(width: Int = .max) -> String { report.text(width: width) }
  /// The answer for programs; docs/convert-check.md describes it.
  package var json: String { report.json }

  package let report: ConversionReport
}
