import Testing

@testable import Workers

/// The order in which different kinds of jobs begin.
struct JobLineTests {
  private func line(_ jobs: [String]) -> JobLine<String> {
    JobLine(jobs, kind: { $0.first == "-" ? nil : $0.first.map(String.init) })
  }

  private func begun(_ line: inout JobLine<String>, alone: Bool = false) -> [String] {
    var begun: [String] = []
    while let job = line.next(isAlone: alone, where: { _ in true }) { begun.append(job) }
    return begun
  }

  @Test func othersOfAKindWaitForTheFirst() {
    var line = line(["a1", "a2", "b1", "a3", "-1", "b2", "-2"])
    #expect(begun(&line) == ["a1", "b1", "-1", "-2"])
    line.end("b", isKnown: true)
    #expect(begun(&line) == ["b2"])
    line.end("a", isKnown: true)
    #expect(begun(&line) == ["a2", "a3"])
    // Known figures are kept.
    line.end("a", isKnown: false)
    #expect(begun(&line).isEmpty)
  }

  @Test func aFirstThatFindsOutNothingIsFollowedByAnother() {
    var line = line(["a1", "a2", "a3"])
    #expect(begun(&line) == ["a1"])
    line.end("a", isKnown: false)
    #expect(begun(&line) == ["a2"])
    line.end("a", isKnown: true)
    #expect(begun(&line) == ["a3"])
  }

  @Test func withNothingToWaitForNobodyWaits() {
    var line = line(["a1", "a2", "a3"])
    #expect(begun(&line, alone: true) == ["a1", "a2", "a3"])
  }

  @Test func whatDoesNotFitKeepsItsPlace() {
    var line = line(["-large", "-small"])
    #expect(line.next(isAlone: false, where: { $0 != "-large" }) == nil)
    #expect(begun(&line) == ["-large", "-small"])
  }

  @Test func onlySoManyAreLookedAt() {
    let most = JobLine<String>.mostAhead
    var taken = 0
    let jobs = sequence(first: 0) { $0 + 1 }.lazy.map { number -> String in
      taken = max(taken, number)
      return "a\(number)"
    }
    var line = JobLine(jobs, kind: { _ in "a" })
    #expect(line.next(isAlone: false, where: { _ in true }) == "a0")
    #expect(line.next(isAlone: false, where: { _ in true }) == nil)
    #expect(taken <= most + 1)
  }
}
