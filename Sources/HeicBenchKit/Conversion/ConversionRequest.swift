import Analysis
import Codecs
import Metrics
import Model
import Reports
import Workers

/// An estimate of whether converting the files of a folder pays: bytes saved, CPU time and loss. Measures a sample and
/// projects it; converts nothing and writes nothing.
package struct ConversionRequest: Request {
  package var images: ImageSource
  /// Target codecs; empty for all that can be used here, with JPEG only if there are files of other formats.
  package var codecs: [CodecVariant] = []
  /// Scores (SSIMULACRA2) that converted files must keep against the original file; 90 is visually lossless.
  package var scores: [Double] = [90]
  /// Number of files measured; the projection is exact if that is all of them.
  package var sample = 12
  /// Seed of the sample; the same folder, size and seed give the same files.
  package var seed: UInt64 = 1
  /// Time limit in seconds, after which the answer covers the files done; nil for none.
  package var budget: Double?
  package var workers = WorkerSettings()

  package init(images: [InputPath]) { self.images = ImageSource(images) }

  /// Measures the sample and projects it; a run that was stopped covers the files done.
  package func run(
    cancellation: Cancellation, events: @escaping @Sendable (JobEvent) -> Void = { _ in }
  ) throws -> ConversionOutcome {
    try HeicBenchError.mapping {
      try check()
      return try ConversionRun(request: self, cancellation: cancellation, events: events).run()
    }
  }

  private func check() throws(HeicBenchError) {
    let metric = MetricTraits.standard.first { $0.id == ConversionRun.metric }
    try Limits.sample.check(sample)
    try Limits.budget.check(budget)
    try HeicBenchError.require(!scores.isEmpty, "there is no score to convert at")
    for score in scores where metric?.isPossible(score) == false {
      throw HeicBenchError(
        .usage, "nothing can be converted at SSIMULACRA2 \(Numerals.short(score)), which is at most 100")
    }
    if let build = codecs.compactMap(\.build).first {
      throw HeicBenchError(.usage, "conversions are tried with the system’s libraries, not with “@\(build)”")
    }
  }
}

package struct ConversionOutcome: Sendable {
  package let wasInterrupted: Bool
  package let ranOutOfTime: Bool
  /// True if converting a file of the sample failed though it should have worked.
  package var hasFailures: Bool { !report.failures.isEmpty }
  /// True if there is nothing to report, as when the run stopped before the first file was done.
  package var isEmpty: Bool { report.isEmpty }
  /// The report for people, with no table wider than `width`.
  package func text(width: Int = .max) -> String { report.text(width: width) }
  /// The report as JSON, described in docs/convert-check.md.
  package var json: String { report.json }

  package let report: ConversionReport
}
