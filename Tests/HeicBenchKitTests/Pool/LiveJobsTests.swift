import Foundation
import Model
import Synchronization
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

/// Jobs that arrive while a pool serves, done by real worker processes.
@Suite struct LiveJobsTests {
  /// A pool that serves with one lane, until `body` is done.
  private func serve(
    _ sweep: ScriptedSweep, standby: Int = 1, _ body: (LiveJobs<Int>) throws -> Void
  ) throws {
    var configuration = sweep.configuration
    configuration.jobs = 1
    let pool = WorkerPool(configuration, preparation: Preparation(), standby: standby)
    let jobs = LiveJobs<Int>(pool, lanes: 1)
    let ended = DispatchSemaphore(value: 0)
    try PlainThread.start {
      #expect(throws: Never.self) { try pool.serve(jobs) { Issue.record("\($0)") } }
      ended.signal()
    }
    defer {
      pool.cancel()
      ended.wait()
    }
    try body(jobs)
  }

  private func job(
    _ purpose: Int, priority: Int = 0, isBackground: Bool = false,
    work: @escaping @Sendable (WorkerSlot) -> Void
  ) -> LiveJob<Int> {
    LiveJob(purpose, build: nil, priority: priority, isBackground: isBackground, work: work)
  }

  @Test("a dropped job loses its worker, and the next one gets another at once", .timeLimit(.minutes(30)))
  func dropping() throws {
    var sweep = try ScriptedSweep()
    let variant = sweep.letEncodesHang()
    let slow = RenderRequest(.encoded(variant, try #require(Quality("0.5")), kept: nil), [.file])
    let file = try #require(sweep.plan.entries.first).file
    let answers = Mutex<[String]>([])
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try serve(sweep) { jobs in
      jobs.add([
        job(1) { session in
          let response = try? session.render(slow, of: file)
          // All that it asks afterwards is cancelled, too.
          let next = try? session.render(RenderRequest(.prepared, [.picture]), of: file)
          for case .cancelled? in [response, next] { answers.withLock { $0.append("cancelled") } }
          first.signal()
        }
      ])
      #expect(ProcessTable.wait { sweep.areHanging(1) })
      #expect(jobs.has(1))
      jobs.drop { $0 == 1 }
      first.wait()
      jobs.add([
        job(2) { session in
          let response = try? session.render(RenderRequest(.prepared, [.picture]), of: file)
          if response?.value != nil { answers.withLock { $0.append("answered") } }
          second.signal()
        }
      ])
      second.wait()
      #expect(jobs.killed == 1)
    }
    #expect(answers.withLock { $0 } == ["cancelled", "cancelled", "answered"])
  }

  @Test("the most urgent job comes first, a dropped one never, and a background job beside the others")
  func urgency() throws {
    let sweep = try ScriptedSweep()
    let order = Mutex<[Int]>([])
    let (begun, rest, end) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    try serve(sweep, standby: 2) { jobs in
      jobs.add([
        job(0) { _ in
          begun.signal()
          rest.wait()
        }
      ])
      begun.wait()
      jobs.add(
        [3, 1, 4, 2].map { number in
          job(number, priority: number) { _ in
            order.withLock { $0.append(number) }
            if number == 4 { end.signal() }
          }
        })
      jobs.drop { $0 == 2 }
      // Needs the lane of the background: the other one is taken.
      jobs.add([job(9, priority: 9, isBackground: true) { _ in rest.signal() }])
      end.wait()
    }
    #expect(order.withLock { $0 } == [1, 3, 4])
  }
}
