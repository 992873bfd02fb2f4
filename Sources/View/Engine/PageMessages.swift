import Foundation
package import Model
import Pixels

package enum PageMessages {
  /// Incremented with every change.
  package static let version = 4
  package static let longestCommand = 1 << 16

  static func text(_ event: some Encodable) -> String {
    let encoder = ScoreJSON.encoder([.withoutEscapingSlashes])
    return (try? encoder.encode(event)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// A header of 24 bytes, with little-endian numbers, followed by the pixels of `region`.
  static func pixels(
    _ pixels: Outbox.Pixels, _ region: PixelRegion, at place: PixelRegion, canvas: Outbox.Canvas, id: Int
  ) -> Data {
    var data = Data(capacity: 24 + region.width * region.height * 4)
    data.append(contentsOf: [UInt8(version), canvas.rawValue, 0, 0])
    for number in [id, place.x, place.y, place.width, place.height] {
      withUnsafeBytes(of: UInt32(clamping: number).littleEndian) { data.append(contentsOf: $0) }
    }
    pixels.rgba.withUnsafeBytes { bytes in
      for row in region.y..<region.maximumY {
        let start = (row * pixels.width + region.x) * 4
        data.append(contentsOf: bytes[start..<(start + region.width * 4)])
      }
    }
    return data
  }
}

/// A message from the page as received. It is not trusted before `PageCommand` has checked it.
struct PageMessage: Decodable {
  var type: String
  var side: Side?
  var number: Int?
  var picture: Int?
  var codec: String?
  var quality: Double?
  var score: Double?
  var nearest: Double?
  var bytes: Int?
  var view: [Int]?
  var pieces: Bool?
  var settled: Bool?
  var pictures: [Int]?
}

package enum PageCommand: Sendable, Hashable {
  case show(Int)
  case move(Move)
  /// A side shows the original.
  case original(Side)
  /// The slider rests at this move of a side, so the whole file is to be made, too.
  case settle(Side, Int)
  /// Fill these cells of the gallery, most urgent first.
  case thumbnails([Int])

  package struct Refusal: Error, CustomStringConvertible {
    package let description: String
    /// The refused move, if the message is one.
    var purpose: Purpose?
  }

  /// The most cells that a page can request at a time.
  static let mostThumbnails = 400

  package init(_ text: String, pictures count: Int, variant: (String) throws -> CodecVariant) throws {
    guard text.utf8.count <= PageMessages.longestCommand,
      let message = try? JSONDecoder().decode(PageMessage.self, from: Data(text.utf8))
    else { throw Refusal(description: "not a message of version \(PageMessages.version)") }
    func picture() throws -> Int {
      guard let index = message.picture, (0..<count).contains(index) else {
        throw Refusal(description: "there is no such picture")
      }
      return index
    }
    switch message.type {
    case "show": self = .show(try picture())
    case "move": self = .move(try Self.move(message, picture: try picture(), variant))
    case "original":
      guard let side = message.side else { throw Refusal(description: "original needs a side") }
      self = .original(side)
    case "settle":
      guard let side = message.side, let number = message.number else {
        throw Refusal(description: "settle needs a side and a move's number")
      }
      self = .settle(side, number)
    case "thumbnails":
      let wanted = (message.pictures ?? []).filter((0..<count).contains).prefix(Self.mostThumbnails)
      self = .thumbnails(Array(wanted))
    default: throw Refusal(description: "there is no message “\(PlainText.line(message.type))”")
    }
  }

  private static func move(
    _ message: PageMessage, picture: Int, _ read: (String) throws -> CodecVariant
  ) throws -> Move {
    guard let side = message.side, let number = message.number, (1...Int(Int32.max)).contains(number),
      let view = message.view, view.count == 4, view.allSatisfy((0...65_535).contains)
    else { throw Refusal(description: "a move needs a side, a number and a view") }
    let variant: CodecVariant
    do { variant = try read(message.codec ?? "") } catch {
      throw Refusal(description: "\(error)", purpose: .move(side, number))
    }
    guard let value = message.quality, (0...1).contains(value),
      let quality = Quality(thousandths: Int((value * 1000).rounded()))
    else { throw Refusal(description: "a move needs a quality from 0 to 1") }
    return Move(
      side: side, number: number, picture: picture, variant: variant, quality: quality,
      goal: try goal(message),
      visible: PixelRegion(x: view[0], y: view[1], width: view[2], height: view[3]),
      showsPieces: message.pieces ?? true, isSettled: message.settled ?? true)
  }

  private static func goal(_ message: PageMessage) throws -> Goal? {
    if let score = message.score {
      guard score.isFinite, score < 100 else { throw Refusal(description: "a score must be below 100") }
      return message.nearest.map { .nearestScore(score, within: $0) } ?? .score(score)
    }
    guard let bytes = message.bytes else { return nil }
    guard (1...(1 << 40)).contains(bytes) else {
      throw Refusal(description: "a size must be at least 1 byte")
    }
    return .bytes(bytes)
  }
}
