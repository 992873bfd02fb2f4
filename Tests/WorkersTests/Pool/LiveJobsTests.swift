import Foundation
import Model
import Synchronization
import TestSupport
import Testing

@testable import Workers

/// Jobs that arrive while a pool serves, done by real worker processes.
@Suite struct LiveJobsTests {
  /// Serves with one lane until `body` is finished.
  private func serve(
    _ scripted: ScriptedFiles, standby: Int = 1, _ body: (LiveJobs<Int>) throws -> Void
  ) throws {
    var configuration = scripted.configuration
    configuration.jobs = 1
    let pool = WorkerPool(configuration, standby: standby)
    let jobs = LiveJobs<Int>(pool, lanes: 1)
    let ended = DispatchSemaphore(value: 0)
    try PlainThread.start {
      pool.serve(jobs) { Issue.record("\($0)") }
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

  /// Adds job 1 and waits until it runs, which it does until the returned semaphore is signalled.
  private func held(_ jobs: LiveJobs<Int>) -> DispatchSemaphore {
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    jobs.add([
      job(1) { _ in
        begun.signal()
        end.wait()
      }
    ])
    begun.wait()
    return end
  }

  @Test("a dropped job loses its worker, and the next one gets another at once", .timeLimit(.minutes(30)))
  func dropping() throws {
    var scripted = try ScriptedFiles()
    let hanging = scripted.letEncodesHang()
    let slow = RenderQuestion(.encoded(hanging.variant, try #require(Quality("0.5")), kept: nil), [.picture])
    let file = try #require(scripted.files.first)
    let answers = Mutex<[String]>([])
    let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    try serve(scripted) { jobs in
      jobs.add([
        job(1) { session in
          let response = try? session.render(slow, of: file)
          // Everything that it asks afterwards is cancelled, too.
          let next = try? session.render(RenderQuestion(.prepared, [.picture]), of: file)
          for case .cancelled? in [response, next] { answers.withLock { $0.append("cancelled") } }
          first.signal()
        }
      ])
      #expect(ProcessTable.wait { hanging.are(1) })
      #expect(jobs.has(1))
      jobs.drop { $0 == 1 }
      first.wait()
      jobs.add([
        job(2) { session in
          let response = try? session.render(RenderQuestion(.prepared, [.picture]), of: file)
          if response?.value != nil { answers.withLock { $0.append("answered") } }
          second.signal()
        }
      ])
      second.wait()
      #expect(jobs.killed == 1)
    }
    #expect(answers.withLock { $0 } == ["cancelled", "cancelled", "answered"])
  }

  @Test("a job that is wanted again within the grace period keeps its worker", .timeLimit(.minutes(30)))
  func wantedAgain() throws {
    let asked = Mutex(0)
    try serve(try ScriptedFiles()) { jobs in
      let end = held(jobs)
      // Stale when it is dropped, but no longer when its worker would be killed.
      jobs.drop { _ in
        asked.withLock { asked in
          asked += 1
          return asked == 1
        }
      }
      #expect(ProcessTable.wait { asked.withLock { $0 } == 2 })
      end.signal()
      #expect(ProcessTable.wait { !jobs.has(1) })
      #expect(jobs.killed == 0)
    }
  }

  @Test("a job whose workers were killed does not stand for one requested again", .timeLimit(.minutes(30)))
  func requestedAgain() throws {
    try serve(try ScriptedFiles()) { jobs in
      let end = held(jobs)
      #expect(jobs.has(1))
      jobs.end { $0 == 1 }
      #expect(!jobs.has(1))
      end.signal()
    }
  }

  @Test("an open pool serves again after a shortage of threads", .timeLimit(.minutes(30)))
  func shortage() throws {
    let scripted = try ScriptedFiles()
    let pool = WorkerPool(scripted.configuration)
    #expect(throws: WorkerStartError.self) {
      try pool.run(staysOpen: true) { _, _ -> WorkerPool.Next<Int> in
        throw WorkerStartError(description: "no thread")
      } ended: { _, _ in
      }
    }
    #expect(!pool.isCancelled)
    let file = try #require(scripted.files.first)
    let results = try pool.map([file], pixels: \.pixels) { worker, file in
      try worker.render(RenderQuestion(.prepared, [.picture]), of: file).value != nil
    }
    #expect(results == [true])
  }

  @Test("a job that is dropped while its worker starts sends no question", .timeLimit(.minutes(30)))
  func droppedAtTheStart() throws {
    var scripted = try ScriptedFiles()
    let folder = scripted.folder.path
    // The first worker never becomes ready and is killed; the second one becomes ready.
    scripted.configuration.workerExecutable = try ScriptedWorker.script(
      "mkdir '\(folder)/first' 2>/dev/null && exec sleep 1000\nexec '\(ScriptedWorker.program)' \"$@\"",
      named: "slow", in: scripted.folder)
    let pool = WorkerPool(scripted.configuration, sessions: 1)
    let slot = pool.sessions[0]
    let answer = Mutex("")
    let ended = DispatchSemaphore(value: 0)
    try PlainThread.start {
      let response = try? slot.ask(InspectQuestion(spellings: []), within: 60)
      answer.withLock { $0 = if case .cancelled? = response { "cancelled" } else { "asked" } }
      ended.signal()
    }
    #expect(ProcessTable.wait { FileManager.default.fileExists(atPath: folder + "/first") })
    slot.interrupt()
    // The process may have begun before its slot knew.
    while ended.wait(timeout: .now() + 10) == .timedOut { slot.interrupt() }
    #expect(answer.withLock { $0 } == "cancelled")
    pool.cancel()
  }

  @Test("the most urgent job comes first, a dropped one never, and a background job beside the others")
  func urgency() throws {
    let scripted = try ScriptedFiles()
    let order = Mutex<[Int]>([])
    let (begun, rest, end) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    try serve(scripted, standby: 2) { jobs in
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
      // Needs the lane for background jobs, since the other one is busy.
      jobs.add([job(9, priority: 9, isBackground: true) { _ in rest.signal() }])
      end.wait()
    }
    #expect(order.withLock { $0 } == [1, 3, 4])
  }
}
