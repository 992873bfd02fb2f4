import Foundation
import Model
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

/// What a codec does to its worker, and what happens to the point.
@Suite struct IsolationTests {
  struct Accident: CustomTestStringConvertible, Sendable {
    var script: String
    var kind: Failure.Kind
    var message: String
    var testDescription: String { script }
  }

  static let accidents = [
    Accident(script: "crash", kind: .crash, message: "killed by SIGSEGV"),
    Accident(script: "exit", kind: .broken, message: "ended with status 7"),
    Accident(script: "garbage", kind: .broken, message: "gave an unreadable answer"),
    Accident(script: "hang", kind: .timeout, message: "no answer in 3 s"),
    Accident(script: "stop", kind: .timeout, message: "no answer in 3 s"),
    Accident(script: "flood", kind: .broken, message: "gave an unreadable answer"),
    Accident(script: "dribble", kind: .timeout, message: "no answer in 3 s"),
    Accident(script: "leave", kind: .timeout, message: "no answer in 3 s"),
    Accident(
      script: "lie", kind: .broken,
      message: "gave an answer that does not match the request: the encoded size"),
  ]

  @Test(arguments: accidents)
  func costsItsPointAlone(_ accident: Accident) throws {
    var sweep = try ScriptedSweep(
      images: ["nothing", "nothing"], variants: ["scripted:do=\(accident.script),at=50"],
      qualities: "0.4...0.6")
    // Only cases that must time out get a short time, so that a busy machine does not fail others.
    sweep.configuration.timeout = accident.kind == .timeout ? 3 : 60
    let summary = try sweep.run()
    #expect(summary.measured == 4)
    #expect(summary.failed == 2)
    #expect(summary.retried == 2)
    let failed = sweep.sink.points.filter { if case .failed = $0.outcome { true } else { false } }
    #expect(failed.map(\.key.quality.thousandths) == [500, 500])
    for failure in sweep.sink.failures {
      #expect(failure.kind == accident.kind)
      #expect(failure.message == accident.message)
    }
  }

  @Test func aWorkerThatLeavesItsGroupEndsAllTheSame() throws {
    // Without the sandbox, which would not let it leave.
    var sweep = try ScriptedSweep(variants: ["scripted:do=leave,at=50"], qualities: "0.4...0.6", jobs: 1)
    sweep.configuration.workerExecutable = try ScriptedWorker.script(
      "export HEICBENCH_UNFENCED=1\nexec '\(ScriptedWorker.program)' \"$@\"", named: "unfenced",
      in: sweep.folder)
    sweep.configuration.timeout = 3
    let summary = try sweep.run()
    #expect(summary.measured == 2)
    #expect(sweep.sink.failures.map(\.message) == ["no answer in 3 s"])
  }

  @Test func aWorkerThatNeverStopsMutteringIsNotListenedToForEver() throws {
    let summary = try ScriptedSweep(variants: ["scripted:do=mutter,at=10"]).run()
    #expect(summary.measured == 10)
  }

  @Test(
    .enabled(if: !Sanitizer.isPresent, "SKIPPED: sanitizers reserve more memory than a limit allows"),
    arguments: ["allocate", "allocate-checked"])
  func memoryIsLimited(_ script: String) throws {
    var sweep = try ScriptedSweep(variants: ["scripted:do=\(script),at=50"], qualities: "0.4...0.6")
    sweep.configuration.memoryPerJob = 512 << 20
    let summary = try sweep.run()
    #expect(summary.measured == 2)
    #expect(sweep.sink.failures == [Failure(kind: .memory, message: "over 512 MiB")])
    #expect(summary.peakWorkerBytes ?? 0 < 600 << 20)
  }

  @Test(arguments: [2, 3])
  func aWorkerThatIsKilledBeforeItIsReadyIsReplaced(_ kills: Int) throws {
    var sweep = try ScriptedSweep(qualities: "0.5", jobs: 1)
    // Stands in for the worker, and kills itself a number of times.
    sweep.configuration.workerExecutable = try ScriptedWorker.script(
      """
      for mark in $(seq \(kills)); do
        mkdir '\(sweep.folder.path)'/mark-$mark 2>/dev/null && kill -KILL $$
      done
      exec '\(ScriptedWorker.program)' "$@"
      """, named: "unlucky", in: sweep.folder)
    if kills < 3 {
      #expect(try sweep.run().measured == 1)
    } else {
      #expect(throws: WorkerStartError.self) { try sweep.run() }
    }
  }

  @Test func aPointThatFailedOnceIsMeasuredTheSecondTime() throws {
    let folder = try TemporaryFolder()
    var sweep = try ScriptedSweep(
      variants: ["scripted:do=crash-once,file:mark=\(folder.path)/mark"], qualities: "0.5", jobs: 1)
    sweep.configuration.keepFolder = folder.path
    let summary = try sweep.run()
    #expect(summary.measured == 1)
    #expect(summary.failed == 0)
    #expect(summary.retried == 1)
    #expect(summary.workersStarted == 2)
  }

  @Test(arguments: [("crash", 60.0, "killed by SIGBUS"), ("hang", 3, "no answer in 3 s")])
  func aReaderThatFailsCostsOneRecordOfItsImage(
    _ accident: String, _ timeout: Double, _ message: String
  ) throws {
    var sweep = try ScriptedSweep(images: [accident, "nothing"])
    sweep.configuration.timeout = timeout
    let summary = try sweep.run()
    #expect(summary.measured == 10)
    #expect(summary.failed == 0)
    #expect(summary.imageProblems == 1)
    #expect(sweep.sink.images.compactMap(\.problem).map(\.message) == [message])
  }

  @Test func onlyWhatIsKeptIsWritten() throws {
    let folder = try TemporaryFolder()
    var sweep = try ScriptedSweep(qualities: "0.5,0.7")
    sweep.configuration.keepFolder = folder.path
    _ = try sweep.run()
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    #expect(
      files == ["image 0", "image 0/scripted-q0.5.scripted", "image 0/scripted-q0.7.scripted"])
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd")))
  func workersInheritNoDescriptors() throws {
    // Opened without close-on-exec, as careless libraries do.
    let careless = open("/dev/null", O_RDONLY)
    defer { close(careless) }
    let sweep = try ScriptedSweep(variants: ["scripted:do=list-descriptors"], qualities: "0.5")
    _ = try sweep.run()
    let message = try #require(sweep.sink.failures.first?.message)
    // Standard streams, the log, both ends of the conversation's socket, and the mark of the peak memory.
    #expect(
      message.filter { !$0.isNumber }.split(separator: " ").dropFirst().sorted() == [
        "/dev/null", "/dev/null", "/proc//clear_refs", "pipe", "socket", "socket",
      ])
  }

  @Test(.enabled(if: !Sanitizer.isPresent, "SKIPPED: sanitizers need what a sandbox takes"))
  func aWorkerIsHeldByWhatTheKernelHas() throws {
    let sandbox = try #require(try ScriptedSweep(qualities: "0.5").run().sandbox)
    #expect(
      sandbox == SandboxStatus(landlock: KernelSandbox.landlock, seccomp: KernelSandbox.hasSeccomp))
  }

  @Test(.enabled(if: KernelSandbox.isWhole, "\(KernelSandbox.isMissing)"), arguments: [false, true])
  func aWorkerIsSandboxed(besidePrograms: Bool) throws {
    var sweep = try ScriptedSweep(variants: ["scripted:do=sandbox"], qualities: "0.5")
    // Another process starts the programs, so the worker itself may do no more than without them.
    if besidePrograms {
      sweep.configuration.externalMetrics = [ExternalMetric(id: "one", words: ["echo", "1"])]
    }
    _ = try sweep.run()
    #expect(sweep.sink.failures.map(\.message) == ["script: sandboxed"])
  }

  private static let setpriv = "/usr/bin/setpriv"

  @Test(
    .enabled(if: KernelSandbox.isWhole, "\(KernelSandbox.isMissing)"),
    .enabled(
      if: geteuid() == 0 && FileManager.default.isExecutableFile(atPath: setpriv),
      "SKIPPED: to become nobody takes root and setpriv"))
  func aWorkerOfAnotherUserIsSandboxed() throws {
    let sweep = try ScriptedSweep()
    let nobody = BuiltProgram(URL(filePath: Self.setpriv))
    let run = try nobody.run(
      ["--reuid=65534", "--regid=65534", "--clear-groups", ScriptedWorker.program, "parent"]
        + ["\(sweep.folder.path)/image 0", "scripted:do=sandbox"])
    #expect(run.output == "script: sandboxed\n", "\(run.errors)")
  }
}
