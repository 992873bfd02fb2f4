import Foundation
import Model
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite struct CancellationTests {
  @Test func cancellingEndsARunInTheMiddleOfAnEncode() throws {
    var sweep = try ScriptedSweep(images: ["nothing", "nothing"], jobs: 2)
    let hanging = sweep.letEncodesHang()
    sweep.configuration.workerExecutable = try ScriptedWorker.copy(in: sweep.folder)
    let program = sweep.configuration.workerExecutable
    let runner = sweep.runner()
    let canceller = Thread {
      _ = ProcessTable.wait { hanging.are(2) }
      runner.cancel()
    }
    canceller.start()
    let summary = try runner.run()
    #expect(hanging.are(2))
    #expect(summary.wasCancelled)
    #expect(summary.measured + summary.failed == 0)
    #expect(sweep.sink.points.isEmpty)
    #expect(ProcessTable.running(program).isEmpty)
  }

  @Test func whatWasFinishedStaysAndTheRestComesWithTheNextRun() throws {
    let sweep = try ScriptedSweep(images: Array(repeating: "nothing", count: 6), jobs: 2)
    let box = RunnerBox()
    let runner = sweep.runner { progress in if progress.done >= 7 { box.runner?.cancel() } }
    box.runner = runner
    let first = try runner.run()
    #expect(first.wasCancelled)
    #expect(first.measured == sweep.sink.points.count)
    let second = try sweep.run()
    #expect(second.skipped == first.measured)
    #expect(first.measured + second.measured == 60)
    #expect(Set(sweep.sink.points.map(\.key)).count == 60)
  }

  @Test func aRunThatWasCancelledBeforehandDoesNothing() throws {
    let sweep = try ScriptedSweep()
    let runner = sweep.runner()
    runner.cancel()
    let summary = try runner.run()
    #expect(summary.wasCancelled)
    #expect(summary.workersStarted == 0)
  }

  @Test(arguments: [SIGKILL, SIGTERM]) func workersEndWithTheirParent(_ signal: Int32) throws {
    let folder = try TemporaryFolder()
    let program = try ScriptedWorker.copy(in: folder)
    let image = folder.url.appending(path: "image")
    try Data(ScriptedReader.file(width: 8, height: 8)).write(to: image)
    let parent = try ProcessTable.start([program, "parent", image.path])
    // The parent and its two workers, in the middle of their encodes; one worker is stopped.
    let mark = image.path + ".mark"
    #expect(ProcessTable.wait { FileManager.default.contents(atPath: mark)?.count == 2 })
    #expect(ProcessTable.running(program).count == 3)
    let workers = ProcessTable.running(program).filter { $0 != parent }
    if let first = workers.first { kill(first, SIGSTOP) }
    kill(parent, signal)
    waitpid(parent, nil, 0)
    #expect(ProcessTable.wait { ProcessTable.running(program).isEmpty })
    for left in ProcessTable.running(program) { kill(left, SIGKILL) }
  }
}

/// Gives a runner to its own progress callback.
private final class RunnerBox: @unchecked Sendable {
  // Sendable because it is set before the run that reads it.
  var runner: SweepRunner?
}
