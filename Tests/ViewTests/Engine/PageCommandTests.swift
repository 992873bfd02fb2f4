import CodecKit
import Model
import Pixels
import TestSupport
import Testing

@testable import View

/// A page may send anything, and only valid commands are accepted.
struct PageCommandTests {
  private let registry = CodecRegistry(
    codecs: [ScriptedCodec()], readers: [], writer: ScriptedWriter())

  private func command(_ text: String, pictures: Int = 3) throws -> PageCommand {
    try PageCommand(text, pictures: pictures, variant: { try registry.variant($0) })
  }

  @Test func pagesTurnAndAskForThumbnails() throws {
    #expect(try command(#"{"type":"show","picture":2}"#) == .show(2))
    #expect(try command(#"{"type":"thumbnails","pictures":[2,0,7,-1]}"#) == .thumbnails([2, 0]))
    #expect(try command(#"{"type":"settle","side":"left","number":4}"#) == .settle(.left, 4))
    #expect(try command(#"{"type":"original","side":"left"}"#) == .original(.left))
  }

  @Test func aMoveHasAQualityAndPerhapsAGoal() throws {
    func move(_ more: String) throws -> Move? {
      let start = #"{"type":"move","side":"right","number":1,"picture":0,"view":[0,0,1,1],"codec":"scripted""#
      guard case .move(let move) = try command("\(start),\(more)}") else { return nil }
      return move
    }
    let plain = try #require(try move(#""quality":0.5"#))
    #expect(plain.quality.value == 0.5 && plain.goal == nil && plain.showsPieces && plain.isSettled)
    let search = try #require(try move(#""quality":0.62,"score":80,"nearest":0.5,"pieces":false"#))
    #expect(search.quality.value == 0.62 && search.goal == .nearestScore(80, within: 0.5))
    #expect(!search.showsPieces)
    #expect(try move(#""quality":0.5,"score":80"#)?.goal == .score(80))
    #expect(try move(#""quality":0.5,"bytes":9000"#)?.goal == .bytes(9000))
    for wrong in [#""score":80"#, #""quality":0.5,"score":100"#, #""quality":0.5,"bytes":0"#] {
      #expect(throws: PageCommand.Refusal.self, "\(wrong)") { try move(wrong) }
    }
  }

  @Test func aRefusedSettingNamesItsMove() {
    let text =
      #"{"type":"move","side":"left","number":7,"picture":0,"view":[0,0,1,1],"codec":"scripted:no-such=1","quality":0.5}"#
    let refusal = #expect(throws: PageCommand.Refusal.self) { try command(text) }
    #expect(refusal?.purpose == .move(.left, 7))
  }

  @Test(arguments: [
    "", "null", "[]", "{", #"{"type":"show"}"#, #"{"type":"show","picture":3}"#,
    #"{"type":"show","picture":-1}"#,
    #"{"type":"show","picture":"../etc/passwd"}"#, #"{"type":"open","picture":1}"#, #"{"type":"original"}"#,
    #"{"type":"move","side":"middle","number":1,"picture":0,"view":[0,0,1,1],"quality":0.5}"#,
    #"{"type":"move","side":"left","number":0,"picture":0,"view":[0,0,1,1],"quality":0.5}"#,
    #"{"type":"move","side":"left","number":1,"picture":0,"view":[0,0,1],"quality":0.5}"#,
    #"{"type":"move","side":"left","number":1,"picture":0,"view":[0,0,1,-1],"quality":0.5}"#,
    #"{"type":"move","side":"left","number":99999999999,"picture":0,"view":[0,0,1,1],"quality":0.5}"#,
    #"{"type":"move","side":"left","number":1,"picture":0,"view":[0,0,1,1],"codec":"nothing","quality":0.5}"#,
  ])
  func nonsenseIsRefusedWithAReason(text: String) {
    #expect(throws: PageCommand.Refusal.self) { try command(text) }
  }

  @Test func longMessagesAreNotRead() {
    let text = #"{"type":"thumbnails","pictures":[\#(String(repeating: "0,", count: 40_000))0]}"#
    #expect(throws: PageCommand.Refusal.self) { try command(text) }
  }
}
