import Foundation
import Model
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite struct SweepRunnerTests {
  @Test func everyPointIsMeasuredOnceAfterItsImage() throws {
    let sweep = try ScriptedSweep(images: ["nothing", "nothing", "nothing"], jobs: 2)
    let summary = try sweep.run()
    #expect(summary.measured == 30)
    #expect(Set(sweep.sink.points.map(\.key)).count == 30)
    #expect(sweep.sink.images.count == 3)
    var seen: Set<ImageIdentity> = []
    for record in sweep.sink.records {
      switch record {
      case .image(let image): seen.insert(image.identity)
      case .point(let point): #expect(seen.contains(point.key.image))
      case .timing, .reuse: Issue.record("a plain sweep has no timing pass and refines nothing")
      }
    }
  }

  @Test func sizesAndQualitiesAreTheCodecsOwn() throws {
    let sweep = try ScriptedSweep(qualities: "0.25")
    _ = try sweep.run()
    let measurement = try #require(sweep.sink.measurements.first)
    #expect(measurement.nativeQuality == 25)
    #expect(measurement.encodedBytes == "scripted 16 16".utf8.count + 1 + 350)
    #expect(measurement.timing.conditions == .contended)
    #expect(measurement.timing.encode.count == 1)
    // An image of 16 × 16 needs almost no memory, and nothing else counts.
    let peaks = [measurement.figures[.encodePeak], measurement.figures[.decodePeak]].compactMap(\.self)
    #expect(measurement.figures[.peakMemory] == peaks.max())
    #expect(peaks.allSatisfy { $0 < 1 << 20 })
  }

  @Test func aPointIsNotFiledUnderLibrariesThatTheWorkerHasNot() throws {
    var sweep = try ScriptedSweep(qualities: "0.25")
    sweep.plan.variants[0].libraries = [LibraryVersion(name: "script", version: "1", build: "0a1b2c3d")]
    let summary = try sweep.run()
    #expect(summary.measured == 0)
    let outcome = try #require(sweep.sink.points.first?.outcome)
    guard case .failed(let failure) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(
      failure.message.contains("has loaded script 1, but the run began with script 1 (build 0a1b2c3d)"),
      "\(failure.message)")
  }

  @Test func anImageIsOpenedByOneWorkerWhileOthersAreLeft() throws {
    var sweep = try ScriptedSweep(images: Array(repeating: "nothing", count: 8), jobs: 2)
    sweep.plan.repeats = 3
    // If one worker is late, the other makes nearly all of the 240 encodes, and must not be replaced for that.
    sweep.configuration.renewAfter = 1000
    let summary = try sweep.run()
    #expect(summary.workersStarted == 2)
    // The last image may be shared between workers.
    #expect((8...9).contains(summary.imagesOpened))
    #expect(sweep.sink.measurements.allSatisfy { $0.timing.encode.count == 3 && $0.repeatsAgree })
  }

  @Test func finishedPointsAreSkipped() throws {
    var sweep = try ScriptedSweep(images: ["nothing", "nothing"], qualities: "0.1,0.2")
    #expect(try sweep.run().measured == 4)
    sweep.plan.qualities = try QualityList(parsing: "0.1...0.3").qualities
    let second = try sweep.run()
    #expect(second.measured == 2)
    #expect(second.skipped == 4)
    #expect(try sweep.run().workersStarted == 0)
  }

  @Test func anUnreadableImageCostsOneRecord() throws {
    let sweep = try ScriptedSweep(images: ["broken", "nothing"])
    let summary = try sweep.run()
    #expect(summary.imageProblems == 1)
    #expect(summary.measured == 10)
    #expect(sweep.sink.images.count { $0.problem != nil } == 1)
    #expect(sweep.sink.images.first { $0.problem != nil }?.problem?.message == "broken on purpose")
  }

  @Test func aChangedFileIsNotMeasured() throws {
    let sweep = try ScriptedSweep()
    let path = String(decoding: sweep.plan.entries[0].path, as: UTF8.self)
    try Data(ScriptedReader.file(width: 9, height: 9)).write(to: URL(filePath: path))
    #expect(try sweep.run().imageProblems == 1)
    #expect(sweep.sink.images.first?.problem?.message.contains("changed") == true)
  }

  @Test func aSinkThatFailsEndsTheRun() throws {
    struct Full: Error {}
    let sink = RecordingSink { $0 >= 5 ? Full() : nil }
    let sweep = try ScriptedSweep(images: ["nothing", "nothing"], sink: sink)
    #expect(throws: Full.self) { try sweep.run() }
    #expect(sink.records.count == 5)
  }

  @Test func workersAreRenewed() throws {
    var sweep = try ScriptedSweep(images: ["nothing"], jobs: 1)
    sweep.configuration.renewAfter = 4
    let summary = try sweep.run()
    #expect(summary.measured == 10)
    #expect(summary.workersStarted == 3)
  }

  @Test func unsupportedAndCodecErrorsAreNoCrashes() throws {
    let sweep = try ScriptedSweep(
      variants: [
        "scripted:do=unsupported", "scripted:do=error", "scripted:do=wrong-size", "scripted:do=undecodable",
        "scripted:do=unsteady", "scripted:do=print",
      ], qualities: "0.5")
    let summary = try sweep.run()
    #expect(summary.unsupported == 1)
    #expect(summary.failed == 3)
    #expect(summary.measured == 2)
    #expect(summary.workersStarted <= 2)
    #expect(
      Set(sweep.sink.failures.map(\.message)) == [
        "script: it said no", "its output decodes to 17×16 instead of 16×16",
        "its output cannot be decoded: no scripted file",
      ])
  }

  @Test func timesThatIncludeAStopAreTakenAgain() throws {
    // Continued in each of its encodes. After three attempts, the time is kept with a remark.
    let sweep = try ScriptedSweep(variants: ["scripted:do=resume"], qualities: "0.5")
    _ = try sweep.run()
    let measurement = try #require(sweep.sink.measurements.first)
    #expect(measurement.timing.encode.count == 1)
    #expect(measurement.remarks == ["the process was stopped while it was timed"])
  }

  @Test func aProgramThatCannotBeStartedEndsTheRun() throws {
    var sweep = try ScriptedSweep()
    sweep.configuration.workerExecutable = "/nonexistent/heicbench"
    #expect(throws: WorkerStartError.self) { try sweep.run() }
    sweep.configuration.workerExecutable = "/bin/true"
    #expect(throws: WorkerStartError.self) { try sweep.run() }
  }
}
