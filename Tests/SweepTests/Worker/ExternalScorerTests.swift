import BenchModel
import Foundation
import TestSupport
import Testing

@testable import Sweep

@Suite struct ExternalScorerTests {
  @Test(arguments: [
    ("64.553", 64.553), ("score: 1.2e-3\n", 0.0012), ("PSNR 30, SSIM 0.92.\n", 0.92), ("-7\nok done", -7),
    ("1 2 3 the end", 3),
  ]) func takesTheLastNumber(_ text: String, _ number: Double) {
    #expect(ExternalScorer.lastNumber(in: Array(text.utf8)) == number)
  }

  @Test(arguments: ["", "nothing here", "e", "inf nan", "--"]) func findsNoNumber(_ text: String) {
    #expect(ExternalScorer.lastNumber(in: Array(text.utf8)) == nil)
  }

  @Test func aCommandIsRunOnBothFiles() throws {
    var sweep = try ScriptedSweep(images: ["nothing", "nothing"], qualities: "0.5")
    // The scripted writer writes the size: the two files are equal.
    sweep.configuration.externalMetrics = [
      ExternalMetric(id: "lines", words: ["wc", "-c", "{reference}", "{distorted}"]),
      ExternalMetric(id: "missing", words: ["/nonexistent/program", "{reference}"]),
      ExternalMetric(id: "failing", words: ["false"]),
      ExternalMetric(id: "mute", words: ["true"]),
    ]
    sweep.plan.metrics = ["lines", "missing", "failing", "mute"]
    let summary = try sweep.run()
    #expect(summary.measured == 2)
    for measurement in sweep.sink.measurements {
      // “10 total” is what wc ends with.
      #expect(measurement.scores == ["lines": 10])
      #expect(
        measurement.remarks == [
          "missing: cannot be started: No such file or directory", "failing: ended with status 1",
          "mute: printed no number",
        ])
    }
  }

  @Test func aCommandThatHangsCostsItsScore() throws {
    var sweep = try ScriptedSweep(qualities: "0.5")
    sweep.configuration.timeout = 1
    sweep.configuration.externalMetrics = [ExternalMetric(id: "slow", words: ["sleep", "1000"])]
    #expect(try sweep.run().measured == 1)
    #expect(sweep.sink.measurements.map(\.remarks) == [["slow: took too long"]])
  }
}
