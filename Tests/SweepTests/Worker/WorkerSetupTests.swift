import BenchModel
import CodecKit
import Testing

@testable import Sweep

@Suite struct WorkerSetupTests {
  @Test("Scores that nobody asked for are no answer") func inventedScores() {
    let setup = WorkerSetup(
      preparation: Preparation(), limits: ReadLimits(), metrics: ["psnr-y"],
      externalMetrics: [ExternalMetric(id: "mine", words: ["true"])])
    func outcome(_ scores: [String: Double]) -> Outcome {
      var measurement = Measurement(
        nativeQuality: 1, encodedBytes: 1, encodedHash: "", repeatsAgree: true,
        timing: TimingSeries(conditions: .single, encode: [], decode: []), peakMemoryBytes: nil)
      measurement.scores = scores
      return .measured(measurement)
    }
    #expect(setup.covers(outcome(["psnr-y": 40, "mine": 1])))
    #expect(setup.covers(Outcome.failed(Failure(kind: .codec, message: "broken"))))
    #expect(!setup.covers(outcome(["psnr-y": 40, "made-up": 1])))
  }
}
