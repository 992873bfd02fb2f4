import Model
import Store
import Synchronization
import TestSupport
import Testing
import Workers

@testable import HeicBenchKit

/// Cuts and chains that lose their worker are tried again, as points and reads are.
@Suite struct LostWorkerTests {
  /// A sweep whose first encode ends its worker.
  private func sweep(_ folder: TemporaryFolder) throws -> ScriptedSweep {
    var sweep = try ScriptedSweep(
      variants: ["scripted:do=crash-once,file:mark=\(folder.path)/mark"], qualities: "0.5", side: 32,
      jobs: 1)
    sweep.configuration.keepFolder = folder.path
    return sweep
  }

  /// Only the picture whose encode was lost is measured again with its cuts. Each worker encodes one picture, so a new
  /// worker for another picture would be counted.
  @Test func aCutIsTriedAgain() throws {
    let folder = try TemporaryFolder()
    var sweep = try sweep(folder)
    sweep.configuration.renewAfter = 1
    var request = TileCostRequest(images: [])
    (request.qualities, request.tileSizes) = (sweep.plan.qualities, [16, 32])
    request.viewport = PixelSize(width: 16, height: 16)
    let jobs = request.jobs(sweep.plan.entries, sweep.plan.variants, Preparation())
    let (pool, store) = (
      TileCostRequest.pool(sweep.configuration, Preparation(), []), try ResultStore(folder: folder.path)
    )
    let measured = try request.cut(jobs, by: pool, [], into: store, Cancellation())
    let cuts = try store.results(.tiles) { _ in true }
    #expect(Set(cuts.map(\.key)) == Set(jobs.flatMap(\.cases)) && cuts.count == 2)
    #expect(cuts.allSatisfy { $0.outcome.value != nil }, "\(cuts.map(\.outcome))")
    #expect(measured.total == 2 && !measured.wasInterrupted)
    #expect(try store.results(.whole) { _ in true }.count == 3)
    #expect(pool.sessions.reduce(0) { $0 + $1.started } == 5)
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
