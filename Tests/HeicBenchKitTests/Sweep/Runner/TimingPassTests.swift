import Foundation
import Model
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

@Suite struct TimingPassTests {
  private func pass(
    _ sweep: ScriptedSweep, of wanted: @escaping @Sendable (Case) -> Bool = { _ in true }
  ) -> TimingPass {
    TimingPass(
      plan: sweep.plan, configuration: sweep.configuration, minimumSeconds: 0.01, maximumRepeats: 3,
      points: { [plan = sweep.plan] in plan.points(of: $0).filter(wanted) }, sink: sweep.sink)
  }

  @Test func everyPointGetsItsTurns() throws {
    let sweep = try ScriptedSweep(
      images: ["nothing", "nothing"], variants: ["scripted", "scripted:do=sleep,ms=1"], qualities: "0.2,0.8")
    let summary = try pass(sweep).run()
    #expect(summary.timed == 8)
    #expect(summary.failed == 0)
    #expect(summary.driftPercent != nil)
    #expect(Set(sweep.sink.timings.map(\.key)).count == 8)
    for record in sweep.sink.timings {
      #expect(record.timing.conditions == .exclusive)
      #expect((5...15).contains(record.timing.encode.count))
      #expect((5...15).contains(record.timing.decode.count))
      #expect(record.timing.encode.allSatisfy { $0.wallNanoseconds > 0 })
    }
    let slept = sweep.sink.timings.filter { !$0.key.variant.settings.isEmpty }
    #expect(slept.allSatisfy { $0.timing.medianEncodeSeconds >= 0.001 })
  }

  @Test func aPointThatCannotBeTimedIsCountedAndLeftOut() throws {
    let sweep = try ScriptedSweep(
      images: ["broken", "nothing"], variants: ["scripted", "scripted:do=crash,at=80"], qualities: "0.2,0.8")
    let summary = try pass(sweep).run()
    #expect(summary.timed == 3)
    #expect(summary.failed == 5)
  }

  @Test func whatIsTimedAlreadyIsLeftOut() throws {
    let sweep = try ScriptedSweep(qualities: "0.2,0.8")
    #expect(try pass(sweep) { $0.quality.thousandths != 200 }.run().timed == 1)
    #expect(sweep.sink.timings.map(\.key.quality.thousandths) == [800])
  }

  @Test func cancellingStopsIt() throws {
    var sweep = try ScriptedSweep()
    let hanging = sweep.letEncodesHang()
    let pass = pass(sweep)
    let canceller = Thread {
      _ = ProcessTable.wait { hanging.are(1) }
      pass.cancel()
    }
    canceller.start()
    let summary = try pass.run()
    #expect(hanging.are(1))
    #expect(summary.wasCancelled)
    #expect(summary.timed == 0)
  }

  @Test func theMedianOfAnEvenNumberIsBetweenTheTwo() {
    let samples = [4, 1, 3, 2].map { TimingSample(wallNanoseconds: $0 * 1_000_000_000, cpuNanoseconds: 0) }
    #expect(TimingSeries(conditions: .exclusive, encode: samples, decode: []).medianEncodeSeconds == 2.5)
    #expect(TimingSeries(conditions: .exclusive, encode: [], decode: []).medianEncodeSeconds == 0)
  }
}
