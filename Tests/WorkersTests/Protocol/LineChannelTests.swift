import Foundation
import Testing

@testable import Workers

@Suite struct LineChannelTests {
  /// Both ends of a pipe, closed when the object is released.
  final class Ends {
    let reading: Int32
    private(set) var writing: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { throw POSIXError(.EMFILE) }
      (reading, writing) = (ends[0], ends[1])
    }

    deinit {
      close(reading)
      hangUp()
    }

    func hangUp() {
      if writing >= 0 { close(writing) }
      writing = -1
    }

    func write(_ text: String) { _ = Foundation.write(writing, text, text.utf8.count) }

    func channel(longestLine: Int = 1000) -> LineChannel {
      LineChannel(input: reading, output: writing, longestLine: longestLine)
    }
  }

  @Test func linesArriveWholeHoweverTheyWereWritten() throws {
    let ends = try Ends()
    var channel = ends.channel()
    ends.write("one\ntw")
    #expect(try channel.readLine() == Array("one".utf8))
    ends.write("o\n\nthree\n")
    #expect(try channel.readLine() == Array("two".utf8))
    #expect(try channel.readLine() == [])
    #expect(try channel.readLine() == Array("three".utf8))
  }

  @Test func whatIsWrittenIsReadBack() throws {
    let ends = try Ends()
    var channel = ends.channel()
    try channel.write([1, 2, 255, 0x0a])
    #expect(try channel.readLine() == [1, 2, 255])
  }

  @Test func nothingComesUntilTheDeadline() throws {
    let ends = try Ends()
    var channel = ends.channel()
    ends.write("half a line")
    #expect(throws: LineChannel.Problem.timedOut) {
      try channel.readLine(deadline: MonotonicClock.now() + 1_000_000)
    }
  }

  @Test func whatHasArrivedIsTakenAfterTheDeadline() throws {
    let ends = try Ends()
    var channel = ends.channel()
    ends.write("late\n")
    #expect(try channel.readLine(deadline: MonotonicClock.now() - 1) == Array("late".utf8))
  }

  @Test func aClosedEndIsNoLine() throws {
    let ends = try Ends()
    var channel = ends.channel()
    ends.write("half a line")
    ends.hangUp()
    #expect(throws: LineChannel.Problem.closed) { try channel.readLine() }
  }

  @Test func aLineWithoutAnEndIsRefused() throws {
    let ends = try Ends()
    var channel = ends.channel(longestLine: 100)
    ends.write(String(repeating: "x", count: 200))
    #expect(throws: LineChannel.Problem.tooLong) { try channel.readLine() }
  }
}
