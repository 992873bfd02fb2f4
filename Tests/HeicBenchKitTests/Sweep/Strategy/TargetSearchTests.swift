import CodecKit
import Foundation
import Model
import Synchronization
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite struct TargetSearchTests {
  /// The same images and preparation, with a search instead of a grid.
  private func searching(_ sweep: ScriptedSweep, _ target: QualityTarget) -> ScriptedSweep {
    var search = sweep
    search.plan = PlanBuilder(registry: .scripted).plan(
      entries: sweep.plan.entries, variants: sweep.plan.variants, qualities: QualityList([]), target: target,
      metrics: [])
    search.plan.preparation = sweep.plan.preparation
    return search
  }

  /// Searches, and returns what was found and measured.
  private func search(
    _ sweep: ScriptedSweep, _ target: QualityTarget
  ) throws -> (results: [(image: String, TargetResult)], summary: SweepSummary) {
    let sweep = searching(sweep, target)
    let summary = try sweep.run()
    let results = try sweep.plan.entries.flatMap { [plan = sweep.plan, sink = sweep.sink] entry in
      try plan.variants.compactMap { description -> (image: String, TargetResult)? in
        let known = try sink.finished(
          entry.identity, preparation: plan.preparation.canonicalSpelling, metric: nil
        ).points(description.variant, libraries: description.librariesInKey)
        return plan.target?.result(description.variant, known: known).map { (entry.identity.name, $0) }
      }
    }
    return (results, summary)
  }

  @Test func findsTheQualityThatFits() throws {
    let sweep = try ScriptedSweep(images: ["nothing", "broken", "nothing"])
    // The scripted codec writes 10 bytes for each native step.
    let size = "scripted 16 16".utf8.count + 1 + 100 + 10 * 37
    let (results, summary) = try search(sweep, QualityTarget(.bytes(size + 3)))
    #expect(results.map(\.image) == ["image 0", "image 2"])
    #expect(results.allSatisfy { $1.isReached && $1.quality?.thousandths == 370 && $1.obstacle == nil })
    #expect(summary.measured == results.reduce(0) { $0 + $1.1.probes })
    #expect(summary.measured == sweep.sink.points.count)
    #expect(sweep.sink.points.allSatisfy { $0.origin == .searched })
    #expect(summary.imageProblems == 1)
    // A second search has nothing left to encode.
    let again = try search(sweep, QualityTarget(.bytes(size + 3)))
    #expect(again.results.map(\.1) == results.map(\.1))
    #expect(again.summary.measured == 0)
  }

  @Test func whatIsThereAlreadyDoesNotChangeTheSearch() throws {
    let fresh = try ScriptedSweep()
    let expected = try search(fresh, QualityTarget(.bytes(444))).results.map(\.1)
    let swept = try ScriptedSweep(qualities: "0...1:0.01")
    _ = try swept.run()
    let (results, summary) = try search(swept, QualityTarget(.bytes(444)))
    #expect(results.map(\.1) == expected)
    #expect(summary.measured == 0)
  }

  @Test func whatIsOutOfReachIsSaid() throws {
    let sweep = try ScriptedSweep()
    let (results, _) = try search(sweep, QualityTarget(.bytes(5)))
    #expect(results.map(\.1.isReached) == [false])
    #expect(results.first?.1.quality?.thousandths == 0)
  }

  @Test func aPointThatFailsEndsItsSearchAlone() throws {
    let sweep = try ScriptedSweep(variants: ["scripted:do=crash,at=50", "scripted"])
    let (results, summary) = try search(sweep, QualityTarget(.bytes(400)))
    #expect(results.map(\.1.obstacle?.thousandths) == [500, nil])
    #expect(results[1].1.isReached)
    #expect(summary.failed == 1)
    let failures = sweep.sink.points.compactMap {
      if case .failed(let failure) = $0.outcome { failure } else { nil }
    }
    #expect(failures == [Failure(kind: .crash, message: "killed by SIGSEGV")])
    // A later run tries it again.
    #expect(try search(sweep, QualityTarget(.bytes(400))).summary.failed == 1)
  }

  @Test func searchesAreWhatProgressCounts() throws {
    let seen = Mutex<[SweepProgress]>([])
    var sweep = try ScriptedSweep(
      images: ["nothing", "broken", "nothing"], variants: ["scripted", "scripted:at=1"])
    sweep = searching(sweep, QualityTarget(.bytes(400)))
    #expect(sweep.plan.pointCount == 6)
    _ = try sweep.runner { progress in seen.withLock { $0.append(progress) } }.run()
    let last = try #require(seen.withLock { $0.last })
    #expect((last.done, last.total) == (4, 4))
    #expect(last.remaining == 0)
    #expect(seen.withLock { $0 }.allSatisfy { $0.done <= $0.total })
  }

  @Test func targetsAreReadAsTheyAreWritten() throws {
    let traits = [MetricTraits(id: "ssimulacra2", column: "", title: "", decimals: 1)]
    for text in ["ssimulacra2=80", "ssimulacra2=72.5", "bytes=50000"] {
      #expect(try #require(QualityTarget(text, metrics: traits)).description == text)
    }
    for text in ["", "80", "ssimulacra2", "ssim=1", "ssimulacra2=nan", "bytes=0", "bytes=1.5", "bytes=-4"] {
      #expect(QualityTarget(text, metrics: traits) == nil)
    }
  }
}
