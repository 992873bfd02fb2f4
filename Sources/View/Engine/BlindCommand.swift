import Analysis
import Foundation
package import HeicBenchKit
import Model
import Pixels
import Reports

/// A message from the blind test's page, checked.
package enum BlindCommand: Sendable, Hashable {
  package struct Begin: Sendable, Hashable {
    var aim: BlindTest.Aim
    var picture: Int
    var part: PixelRegion
    var presentation: BlindRecord.Presentation
    /// True to ignore an unfinished test of the same part.
    var isFresh: Bool
    var viewport: [Int]
    var pixelRatio: Double
  }

  /// Asks for a part of this size that is worth looking at.
  case suggest(Int, width: Int, height: Int)
  case begin(Begin)
  case answer(Int, BlindRecord.Answer, milliseconds: Int)
  case undo

  private struct Message: Decodable {
    var type: String
    var picture: Int?
    var view: [Int]?
    var test: BlindTest.Aim?
    var shown: BlindRecord.Presentation?
    var fresh: Bool?
    var viewport: [Int]?
    var ratio: Double?
    var number: Int?
    var answer: BlindRecord.Answer?
    var milliseconds: Int?
  }

  /// Sides of a part: large enough for SSIMULACRA2, and small enough to be sent at once.
  fileprivate static let sides = 64...1024

  /// Reads a message; nil for another kind of message. Throws for an impossible one.
  init?(_ text: String, pictures count: Int) throws {
    guard text.utf8.count <= PageMessages.longestCommand,
      let message = try? JSONDecoder().decode(Message.self, from: Data(text.utf8))
    else { return nil }
    switch message.type {
    case "suggest", "begin":
      guard let picture = message.picture, (0..<count).contains(picture), let view = message.view,
        view.count == 4, view.prefix(2).allSatisfy((0...65_535).contains),
        view.suffix(2).allSatisfy(Self.sides.contains)
      else { throw Self.refusal("a part needs a picture, a place and sides of 64 to 1024 pixels") }
      let part = PixelRegion(x: view[0], y: view[1], width: view[2], height: view[3])
      guard message.type == "begin" else {
        self = .suggest(picture, width: part.width, height: part.height)
        return
      }
      guard let shown = message.shown, let viewport = message.viewport, viewport.count == 2,
        viewport.allSatisfy((1...100_000).contains), let ratio = message.ratio, (0.1...20).contains(ratio)
      else { throw Self.refusal("a test needs a presentation, a window and its pixel ratio") }
      self = .begin(
        Begin(
          aim: message.test ?? .threshold, picture: picture, part: part, presentation: shown,
          isFresh: message.fresh ?? false,
          viewport: viewport, pixelRatio: ratio))
    case "answer":
      guard let number = message.number, let answer = message.answer, let time = message.milliseconds,
        (0...(1 << 40)).contains(time)
      else { throw Self.refusal("an answer needs a trial, a side and a time") }
      self = .answer(number, answer, milliseconds: time)
    case "undo": self = .undo
    default: return nil
    }
  }

  private static func refusal(_ text: String) -> PageCommand.Refusal {
    PageCommand.Refusal(description: text)
  }
}

enum BlindEvent {
  struct Suggested: Encodable {
    var type = "suggested"
    var picture: Int
    var view: [Int]
  }

  /// Coded files made so far. The total is not known in advance.
  struct Preparing: Encodable {
    var type = "preparing"
    var made: Int
  }

  /// The planes of a trial have been sent. `answered` is the number of valid answers.
  struct Shown: Encodable {
    var type = "trial"
    var number, answered, most: Int
    var canUndo: Bool
    var width, height: Int
  }

  /// The test cannot continue.
  struct Ended: Encodable {
    var type = "ended"
    var message: String
  }

  struct Finished: Encodable {
    var type = "finished"
    var sentence: String
    /// Cells by row, headings first.
    var table: [[String]]
    var kept: String
  }
}
