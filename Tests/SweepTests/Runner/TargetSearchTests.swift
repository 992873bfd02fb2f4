import CodecKit
import Foundation
import Model
import TestSupport
import Testing

@testable import Sweep
@testable import Workers

@Suite struct TargetSearchTests {
  private func search(_ sweep: ScriptedSweep, _ target: QualityTarget) -> TargetSearch {
    TargetSearch(
      plan: sweep.plan, target: target, registry: .scripted, configuration: sweep.configuration,
      sink: sweep.sink, known: sweep.sink.measurement)
  }

  @Test func findsTheQualityThatFits() throws {
    let sweep = try ScriptedSweep(images: ["nothing", "broken", "nothing"])
    // The scripted codec writes 10 bytes for each native step.
    let size = "scripted 16 16".utf8.count + 1 + 100 + 10 * 37
    let (results, summary) = try search(sweep, QualityTarget(.bytes(size + 3))).run()
    #expect(results.map(\.image.name) == ["image 0", "image 2"])
    #expect(results.allSatisfy { $0.isReached && $0.quality?.thousandths == 370 })
    #expect(results.first?.measurement?.encodedBytes == size)
    #expect(summary.measured == results.reduce(0) { $0 + $1.probes })
    #expect(summary.measured == sweep.sink.points.count)
    #expect(summary.imageProblems == 1)
    // A second search has nothing left to encode.
    let again = try search(sweep, QualityTarget(.bytes(size + 3))).run()
    #expect(again.results == results)
    #expect(again.summary.measured == 0)
  }

  @Test func whatIsOutOfReachIsSaid() throws {
    let sweep = try ScriptedSweep()
    let (results, _) = try search(sweep, QualityTarget(.bytes(5))).run()
    #expect(results.map(\.isReached) == [false])
    #expect(results.first?.quality?.thousandths == 0)
  }

  @Test func aProbeThatFailsEndsItsSearchAlone() throws {
    let sweep = try ScriptedSweep(variants: ["scripted:do=crash,at=50", "scripted"])
    let (results, summary) = try search(sweep, QualityTarget(.bytes(400))).run()
    #expect(results.count == 2)
    #expect(results[0].failure == Failure(kind: .crash, message: "killed by SIGSEGV"))
    #expect(results[1].isReached)
    #expect(summary.failed == 1)
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

extension RecordingSink {
  /// What was measured at a point.
  fileprivate func measurement(_ key: PointKey) -> Model.Measurement? {
    points.lazy.compactMap { record -> Model.Measurement? in
      guard record.key == key, case .measured(let measurement) = record.outcome else { return nil }
      return measurement
    }.first
  }
}
