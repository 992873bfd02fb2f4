import Analysis
import Foundation
import HeicBenchKit
import Model
import Pixels
import Store
import TestSupport
import Testing

@testable import View

/// A blind test's messages, ladder and course, without codecs.
struct BlindTests {
  private static func begin(_ view: String = "[1,2,128,256]") -> String {
    #"{"type":"begin","picture":0,"view":\#(view),"shown":"flicker","viewport":[1280,900],"ratio":2}"#
  }

  @Test func messagesAreTakenOnlyWhereTheyMakeSense() throws {
    guard case .begin(let begin) = try BlindCommand(Self.begin(), pictures: 1) else {
      Issue.record("a test began")
      return
    }
    #expect(begin.part == PixelRegion(x: 1, y: 2, width: 128, height: 256) && !begin.isFresh)
    #expect(throws: PageCommand.Refusal.self) { try BlindCommand(Self.begin("[0,0,128,4096]"), pictures: 1) }
    #expect(throws: PageCommand.Refusal.self) { try BlindCommand(Self.begin("[-1,0,128,128]"), pictures: 1) }
    #expect(throws: PageCommand.Refusal.self) { try BlindCommand(Self.begin(), pictures: 0) }
    #expect(throws: PageCommand.Refusal.self) {
      try BlindCommand(#"{"type":"answer","number":1}"#, pictures: 1)
    }
    #expect(try BlindCommand(#"{"type":"undo"}"#, pictures: 1) == .undo)
    #expect(try BlindCommand(#"{"type":"show","picture":0}"#, pictures: 1) == nil)
  }

  private static func rung(_ native: Int, score: Double, shade: UInt8) throws -> MadeRung {
    MadeRung(
      rung: .init(quality: try #require(Quality(native: native)), score: score, bytes: native),
      hash: "\(native)",
      pixels: Outbox.Pixels(width: 1, height: 1, rgba: [shade, 0, 0, 255]))
  }

  /// A file on a curve like JPEG's, which is steep at both ends.
  private static func likeJPEG(_ quality: Quality) -> MadeRung? {
    let q = quality.value
    return try? rung(Int((q * 100).rounded()), score: 90 * q.squareRoot() + 8 * q * q, shade: 0)
  }

  @Test func aLadderHasNoWideSteps() throws {
    var search = LadderSearch(range: 0...100)
    let rungs = try search.run(Self.likeJPEG)
    let scores = try #require(rungs).map(\.rung.score)
    #expect(scores.count < 40 && scores == scores.sorted())
    let inner = scores.filter { $0 >= 30 }
    #expect(zip(inner, inner.dropFirst()).allSatisfy { $1 - $0 <= 3 })
    #expect(try #require(scores.first) < 30 && #require(scores.last) > 90)
  }

  @Test("a ladder whose test was dropped while its files were made is not kept")
  func droppedLadder() throws {
    var (search, left) = (LadderSearch(range: 0...100), 9)
    let rungs = try search.run { quality -> MadeRung? in
      left -= 1
      return left < 0 ? nil : Self.likeJPEG(quality)
    }
    #expect(rungs == nil && search.next != nil)
  }

  @Test("a part without details, which has nothing to see, is refused instead of giving an empty result")
  func flatPart() throws {
    var search = LadderSearch(range: 0...100)
    let error = #expect(throws: Failure.self) {
      try search.run { try? Self.rung(Int(($0.value * 100).rounded()), score: 100, shade: 0) }
    }
    #expect(error?.message.contains("choose a part with more detail") == true)
  }

  private static func session(
    _ kept: [BlindRecord] = [], aim: BlindTest.Aim = .threshold, last: BlindRecord.Place? = nil
  ) throws -> BlindSession {
    guard case .begin(let begin) = try BlindCommand(begin(), pictures: 1) else { throw CancellationError() }
    let ladder = try (1...30).map { try rung($0 * 3, score: Double($0 * 3), shade: UInt8($0)) }
    let properties = BlindRecord.Session(
      aim: aim, image: "a", imageHash: "b", part: begin.part, presentation: .flicker,
      variants: ["heic", "jpeg"])
    let original = Outbox.Pixels(width: 1, height: 1, rgba: [0, 0, 0, 255])
    return BlindSession(
      begin, properties, original: original, ladders: [ladder, ladder], kept: kept, last: last)
  }

  @Test func oneOfFourPlanesIsCoded() throws {
    var session = try Self.session()
    for _ in 0..<20 {
      let next = session.showNext()
      let trial = try #require(next)
      let planes = session.planes(of: trial).map { $0.rgba[0] }
      let shade = UInt8(trial.rung + 1)
      #expect(planes == (trial.isLeft ? [0, shade, 0, 0] : [0, 0, 0, shade]))
      let number = try #require(session.shown?.number)
      let foreign = session.answer(number + 1, .left, milliseconds: 1)
      #expect(foreign == nil, "an answer to another trial")
      let record = session.answer(number, .left, milliseconds: 1)
      #expect(try #require(record).isRight == trial.isLeft)
      let second = session.answer(number, .left, milliseconds: 1)
      #expect(second == nil, "a second answer")
    }
  }

  @Test(arguments: [BlindTest.Aim.threshold, .equal])
  func whoComesBackGoesOn(aim: BlindTest.Aim) throws {
    var session = try Self.session(aim: aim)
    var kept: [BlindRecord] = []
    for index in 0..<12 {
      _ = session.showNext()
      let number = try #require(session.shown?.number)
      let record = session.answer(number, index % 3 == 0 ? .left : .right, milliseconds: 9)
      kept.append(try #require(record))
    }
    let taken = session.undo()
    let undone = try #require(taken)
    #expect(undone.kind == .undone && undone.number == kept.removeLast().number)
    var again = try Self.session(kept, aim: aim, last: undone.place)
    let (next, same) = (again.showNext(), session.showNext())
    #expect(again.id == session.id && next == same)
    #expect(try #require(again.shown).number == undone.number + 1, "a new number")
    #expect(session.records == kept && again.records == kept, "the result covers these")
  }

  @Test func aTrialOfAFileThatIsNoLongerMadeCountsButIsNotTakenBack() throws {
    var session = try Self.session()
    _ = session.showNext()
    let first = session.answer(1, .left, milliseconds: 9)
    var kept = [try #require(first)]
    kept.append(kept[0])
    kept[0].coded.rung.quality = 0.001
    kept[1].number = 2
    var again = try Self.session(kept)
    #expect(again.records == kept && again.test.answers.count == 1)
    let undone = [again.undo()?.number, again.undo()?.number]
    #expect(undone == [2, nil] && !again.canUndo && again.records == [kept[0]])
    _ = again.showNext()
    #expect(again.shown?.number == 3)
    // The log takes back only the last answer.
    kept.swapAt(0, 1)
    var reversed = try Self.session(kept)
    let taken = reversed.undo()
    #expect(taken == nil && !reversed.canUndo && reversed.records == kept && reversed.test.answers.count == 1)
  }

  @Test("a comparison of which one file is no longer made is not continued as a trial against the original")
  func lostOtherFile() throws {
    var session = try Self.session(aim: .equal)
    _ = session.showNext()
    let first = session.answer(1, .left, milliseconds: 9)
    var kept = [try #require(first)]
    kept[0].other?.rung.quality = 0.001
    let again = try Self.session(kept, aim: .equal)
    #expect(again.test.answers.isEmpty && again.records == kept && !again.canUndo)
  }

  @Test("two programs cannot number the same trials or take back each other's answers")
  func oneProgramRunsATest() throws {
    let folder = try TemporaryFolder()
    let log = try BlindLog(folder: folder.path)
    var first = try Self.session()
    func answer(_ session: inout BlindSession) throws -> BlindRecord {
      _ = session.showNext()
      let record = session.answer(try #require(session.shown?.number), .left, milliseconds: 1)
      return try #require(record)
    }
    try log.append(try answer(&first), after: nil)
    let found = try log.latest(first.properties)
    let kept = try #require(found)
    var second = try Self.session(kept.records, last: kept.last)
    #expect(second.id == first.id)
    var last = first.last
    try log.append(try answer(&first), after: last)
    last = second.last
    let late = try answer(&second)
    #expect(late.number == 2)
    #expect(throws: BlindLog.Conflict.self) { try log.append(late, after: last) }
    var third = try Self.session(kept.records, last: kept.last)
    let undone = third.undo()
    #expect(throws: BlindLog.Conflict.self) { try log.append(try #require(undone), after: kept.last) }
    #expect(try log.latest(first.properties)?.records.map(\.number) == [1, 2])
    last = first.last
    let own = first.undo()
    try log.append(try #require(own), after: last)
    #expect(try log.latest(first.properties)?.records.map(\.number) == [1])
    #expect(try log.latest(first.properties)?.last == .init(number: 2, kind: .undone))
  }

  @Test func aQualityReachesAScore() throws {
    let session = try Self.session()
    #expect(session.quality(of: 0, reaching: 61) == 0.61)
    #expect(session.quality(of: 0, reaching: 1) == 0.03)
    #expect(session.quality(of: 0, reaching: 95) == nil)
  }

  @Test func theErrorMapFindsWhatChanged() {
    var coded = [UInt8](repeating: 128, count: 256 * 192 * 4)
    let original = Outbox.Pixels(width: 256, height: 192, rgba: coded)
    for y in 96..<160 { for x in 128..<224 { coded[(y * 256 + x) * 4] = 90 } }
    let corner = ErrorMap(original, coded).largest(width: 96, height: 64)
    #expect(corner == (128, 96))
  }
}
