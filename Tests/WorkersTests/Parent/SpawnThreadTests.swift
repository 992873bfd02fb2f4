import Synchronization
import Testing

@testable import Workers

struct SpawnThreadTests {
  @Test("a refused start is tried again, and a thread that has started is kept") func refusal() throws {
    #expect(try SpawnThread.run { 7 } == 7)
    let running = SpawnThread.own.withLock { $0 }
    let thread = try #require(running)
    let own = Mutex<SpawnThread?>(nil)
    let refuse = { () throws(WorkerStartError) -> SpawnThread in
      throw WorkerStartError(description: "no room")
    }
    #expect(throws: WorkerStartError.self) { try SpawnThread.started(in: own, by: refuse) }
    let later = try SpawnThread.started(in: own) { thread }
    let again = try SpawnThread.started(in: own, by: refuse)
    #expect(later === thread && again === thread)
  }
}
