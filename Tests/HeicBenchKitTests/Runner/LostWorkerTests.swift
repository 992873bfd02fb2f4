import Model
import Store
import Synchronization
import TestSupport
import Testing
import Workers

@testable import HeicBenchKit

/// Cuts and chains whose worker is lost: each is tried again, as points and reads are.
@Suite struct LostWorkerTests {
  /// A sweep whose first encode ends its worker.
  private func sweep(_ folder: TemporaryFolder) throws -> ScriptedSweep {
    var sweep = try ScriptedSweep(
      variants: ["scripted:do=crash-once,file:mark=\(folder.path)/mark"], qualities: "0.5", side: 32,
      jobs: 1)
    sweep.configuration.keepFolder = folder.path
    return sweep
  }

  @Test func aCutIsTriedAgain() throws {
    let folder = try TemporaryFolder()
    let sweep = try sweep(folder)
    let plan = TilePlan(
      entries: sweep.plan.entries, variants: sweep.plan.variants, qualities: sweep.plan.qualities,
      tileSizes: [16, 32], overlap: 0, view: PixelSize(width: 16, height: 16),
      preparation: Preparation(), metrics: [])
    let records = Mutex<[CaseRecord]>([])
    try TileRunner(plan, sweep.configuration).run(isKnown: { _ in false }, points: { _ in [] }) { record in
      records.withLock { $0.append(record) }
    }
    let cuts = records.withLock { $0 }.filter { $0.key.way.kind == .tiles }
    #expect(Set(cuts.map(\.key)) == Set(plan.keys) && cuts.count == 2)
    #expect(cuts.allSatisfy { $0.outcome.value != nil }, "\(cuts.map(\.outcome))")
  }

  @Test func aChainIsTriedAgain() throws {
    let folder = try TemporaryFolder()
    let sweep = try sweep(folder)
    let plan = GenerationsPlan(sweep: sweep.plan, count: 3)
    let store = try ResultStore(folder: folder.path)
    let measured = try plan.measure(known: [], into: store, sweep.configuration, Cancellation())
    let chains = try store.results(.generations) { _ in true }
    #expect(chains.map { $0.outcome.value?.generations?.count } == [3], "\(chains.map(\.outcome))")
    #expect(measured.total == 1 && measured.known == 0 && !measured.wasInterrupted)
  }
}
