import CProcessShim
import Foundation
import Model
import Testing

@testable import Workers

@Suite struct TerminationStatusTests {
  private func failure(_ ending: TerminationStatus, starved: Bool = false, said: String? = nil) -> Failure {
    ending.failure(memoryLimit: 2 << 30, starved: starved, said: said)
  }

  @Test func namesWhatHappened() {
    #expect(failure(.signalled(SIGSEGV)) == Failure(kind: .crash, message: "killed by SIGSEGV"))
    #expect(failure(.signalled(40)) == Failure(kind: .crash, message: "killed by signal 40"))
    #expect(failure(.exited(3)) == Failure(kind: .broken, message: "ended with status 3"))
    #expect(
      failure(.exited(HB_EXIT_OUT_OF_MEMORY)) == Failure(kind: .memory, message: "over 2 GiB"))
    #expect(
      failure(.signalled(SIGABRT), said: "index out of range").message
        == "killed by SIGABRT; it said “index out of range”")
  }

  @Test func aKillIsBlamedOnTheSystemWhenItWasStarved() {
    #expect(failure(.signalled(SIGKILL)).kind == .crash)
    #expect(failure(.signalled(SIGKILL), starved: true).kind == .memory)
    #expect(failure(.signalled(SIGSEGV), starved: true).kind == .crash)
  }

  @Test func killsAreCounted() {
    #expect(OutOfMemoryKills.count(text: "pgfault 5\noom_kill 3\nother 9") == 3)
    #expect(OutOfMemoryKills.count(text: "pgfault 5") == nil)
    #expect(OutOfMemoryKills.count(text: nil) == nil)
  }

  @Test(arguments: [
    (0, "0 bytes"), (1023, "1023 bytes"), (1024, "1 KiB"), (1536, "1.5 KiB"), (2 << 30, "2 GiB"),
    (-5, "0 bytes"), (.max, "8192 PiB"),
  ]) func bytesAreReadable(_ bytes: Int, _ text: String) { #expect(ByteSize.text(bytes) == text) }

  @Test func theLastLineOfALogIsPrintable() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    var log = WorkerLog(descriptor: ends[0])
    #expect(log.lastLine == nil)
    let text = "first\nsecond \u{1b}[31mred\n \n"
    _ = write(ends[1], text, text.utf8.count)
    log.drain()
    #expect(log.lastLine == "second  [31mred")
  }
}
