import Foundation
import Model
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite struct ExternalMetricTests {
  @Test func aCommandIsRunOnBothFiles() throws {
    var sweep = try ScriptedSweep(images: ["nothing", "nothing"], qualities: "0.5")
    // The scripted writer writes only the size, so the two files are equal.
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
      // The output of wc ends with “10 total”.
      #expect(measurement.scores == ["lines": 10])
      #expect(
        measurement.failedScores == [
          "missing": "cannot be started: No such file or directory", "failing": "ended with status 1",
          "mute": "printed no number",
        ])
      #expect(measurement.remarks.isEmpty)
    }
    #expect(summary.failedScores == 6)
  }

  @Test func aCommandThatHangsCostsItsScore() throws {
    var sweep = try ScriptedSweep(qualities: "0.5")
    sweep.configuration.timeout = 1
    sweep.configuration.externalMetrics = [ExternalMetric(id: "slow", words: ["sleep", "1000"])]
    #expect(try sweep.run().measured == 1)
    #expect(sweep.sink.measurements.map(\.failedScores) == [["slow": "took too long"]])
  }

  @Test(
    "an awkward program loses its score, not its point, and takes at most its time", .timeLimit(.minutes(30)),
    arguments: [
      ("exec >&-; sleep 1000", "closed its output and kept running"), ("yes", "took too long"),
      ("echo nan", "printed nan, which is not a finite number"),
      ("echo 1e400", "printed 1e400, which is not a finite number"), ("kill -SEGV $$", "killed by SIGSEGV"),
      ("kill -9 $PPID; sleep 1000", "ended together with the process that watches it"),
    ])
  func awkwardPrograms(_ script: String, _ reason: String) throws {
    var sweep = try ScriptedSweep(qualities: "0.5")
    sweep.configuration.timeout = 2
    sweep.configuration.externalMetrics = [ExternalMetric(id: "odd", words: ["sh", "-c", script])]
    sweep.plan.metrics = ["odd"]
    #expect(try sweep.run().measured == 1)
    #expect(sweep.sink.measurements.map(\.failedScores) == [["odd": reason]])
  }

  @Test("no process that a program starts outlives it, even in its own session", .timeLimit(.minutes(30)))
  func descendantsEnd() throws {
    // A time that no other process sleeps for identifies these.
    let time = "1000.\(UInt32.random(in: 1_000_000...9_999_999))"
    var sweep = try ScriptedSweep(qualities: "0.5")
    let script =
      "setsid sleep \(time) & sleep \(time) & (sleep \(time) &) & grep -l \(time) /proc/[0-9]*/cmdline | wc -l"
    sweep.configuration.externalMetrics = [ExternalMetric(id: "p", words: ["sh", "-c", script])]
    sweep.plan.metrics = ["p"]
    #expect(try sweep.run().measured == 1)
    // They existed: the shells with the script as argument, and the sleepers.
    #expect(try #require(sweep.sink.measurements.first?.scores["p"]) >= 1)
    #expect(ProcessTable.mentioning(time).isEmpty)
  }

  @Test(
    "programs write to their folder, and change nothing else",
    .enabled(if: KernelSandbox.isWhole, "\(KernelSandbox.isMissing)"))
  func programsAreSandboxed() throws {
    var sweep = try ScriptedSweep(qualities: "0.5")
    let outside = sweep.folder.path + "/outside"
    try Data().write(to: URL(filePath: outside))
    let script = """
      n=0; echo x > {reference}-own && n=1
      (echo x > \(outside)-new) && n=$((n + 10))
      chmod 777 \(outside) && n=$((n + 100))
      grep -q '^Seccomp:.2' /proc/self/status || n=$((n + 1000))
      echo x > /dev/null && n=$((n + 10000))
      echo $n
      """
    sweep.configuration.externalMetrics = [ExternalMetric(id: "p", words: ["sh", "-c", script])]
    sweep.plan.metrics = ["p"]
    _ = try sweep.run()
    #expect(sweep.sink.measurements.map(\.scores) == [["p": 10_001]])
  }

  @Test("a program that kills its watcher does not affect other programs")
  func keepersAreTheirOwn() throws {
    var sweep = try ScriptedSweep(qualities: "0.3,0.5", jobs: 1)
    sweep.configuration.externalMetrics = [
      ExternalMetric(id: "killer", words: ["sh", "-c", "kill -9 $PPID; sleep 1000"]),
      ExternalMetric(id: "group", words: ["sh", "-c", "kill -9 0; sleep 1000"]),
      ExternalMetric(id: "other", words: ["echo", "5"]),
    ]
    sweep.plan.metrics = ["killer", "group", "other"]
    let summary = try sweep.run()
    #expect(summary.measured == 2 && summary.workersStarted == 1)
    for measurement in sweep.sink.measurements {
      #expect(measurement.scores == ["other": 5])
      #expect(Set(measurement.failedScores.values) == ["ended together with the process that watches it"])
    }
  }
}
