import CodecKit
import Foundation
import Model
import TestSupport
import Testing
import Workers

@testable import HeicBenchKit

@Suite("The library")
struct LibraryTests {
  @Test("a program of another package sweeps and runs the gate", .timeLimit(.minutes(30)))
  func example() throws {
    let user = try UserFolder()
    try user.writeImage("images/a.ppm")
    let program = try #require(BuiltProgram("heicbench-example"), "build heicbench-example")
    func run(_ word: String) throws -> BuiltProgram.Result {
      try program.run([word, "images", "results"], in: user.folder.url)
    }
    let sweep = try run("sweep")
    #expect(sweep.status == 0, "\(sweep.output)\(sweep.errors)")
    #expect(sweep.output.contains("a.ppm heic:preset=ultrafast ") && sweep.output.contains(" points"))
    #expect(FileManager.default.fileExists(atPath: user.path("results/measurements.csv")))
    let decode = try run("decode")
    #expect(
      decode.status == 0 && decode.output.contains("a.ppm jpeg full "), "\(decode.output)\(decode.errors)")
    #expect(try run("gate").status == 0)
    let gate = try run("gate")
    #expect(gate.status == 0 && gate.output.hasSuffix(" points compared\n"), "\(gate.output)\(gate.errors)")
    #expect(!gate.output.hasPrefix("0"))
    // A baseline with less than the run needs makes it a regression.
    let baseline = URL(filePath: user.path("results/baseline.csv"))
    var lines = try String(contentsOf: baseline, encoding: .utf8).split(separator: "\n").map(String.init)
    let column = try #require(lines[0].split(separator: ",").firstIndex(of: "encoded_bytes"))
    lines[1...] = ArraySlice(
      lines.dropFirst().map { line in
        var cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        cells[column] = "10"
        return cells.joined(separator: ",")
      })
    try (lines.joined(separator: "\n") + "\n").write(to: baseline, atomically: true, encoding: .utf8)
    let worse = try run("gate")
    #expect(worse.status == 1 && worse.output.contains("\nworse "), "\(worse.output)\(worse.errors)")
    #expect(try program.run([]).status == 64)
    // A codec that exists only in this program.
    let codec = try run("codec")
    #expect(codec.status == 0 && !codec.output.contains("broken"), "\(codec.output)\(codec.errors)")
    #expect(
      codec.output.split(separator: "\n").filter { $0.hasPrefix("a.ppm runs ") }.count >= 3, "\(codec.output)"
    )
  }

  @Test("a program that does not serve workers starts none")
  func workers() throws {
    let error = #expect(throws: HeicBenchError.self) {
      try WorkerSettings().configuration(limits: ReadLimits())
    }
    #expect(error?.description.contains("serveIfWorker") == true)
    var settings = WorkerSettings()
    settings.program = "/usr/bin/heicbench"
    #expect(try settings.configuration(limits: ReadLimits()).workerExecutable == "/usr/bin/heicbench")
  }

  @Test("impossible requests are refused before anything is made")
  func refusesWhatTheCommandRefuses() throws {
    let user = try UserFolder()
    try user.writeImage("images/a.ppm")
    let results = user.path("results")
    var requests: [SweepRequest] = []
    for change: (inout SweepRequest) -> Void in [
      { $0.qualities = [] }, { $0.downscale = 0 }, { $0.repeats = 0 }, { $0.background = [1] },
      { $0.target = "nonsense=1" }, { $0.metrics = ["nonsense"] }, { $0.judgement.scores = [1000] },
      { $0.gate = GateRequest(baseline: "nowhere.csv") }, { $0.timing = .qualities([0.123]) },
      { ($0.target, $0.timing) = ("ssimulacra2=70", .all) }, { $0.budget = .infinity }, { $0.budget = .nan },
    ] {
      var request = SweepRequest(images: [InputPath(user.path("images"))], output: results)
      change(&request)
      requests.append(request)
    }
    for request in requests {
      #expect(throws: HeicBenchError.self) { try request.run(cancellation: Cancellation()) }
    }
    #expect(!FileManager.default.fileExists(atPath: results))
    #expect(throws: HeicBenchError.self) { try CodecVariant("nonsense") }
  }

  @Test("an observer of what is already cancelled is called at once and released")
  func cancellation() {
    let cancellation = Cancellation()
    let calls = Counter()
    cancellation.perform { calls.add() }
    cancellation.cancel()
    #expect(calls.count == 1)
    cancellation.perform { calls.add() }
    #expect(calls.count == 2 && cancellation.hasAction)
    cancellation.release()
    cancellation.cancel()
    #expect(calls.count == 2 && !cancellation.hasAction)
  }
}

private final class Counter: @unchecked Sendable {
  // Sendable because only one thread of the test calls it.
  private(set) var count = 0
  func add() { count += 1 }
}
