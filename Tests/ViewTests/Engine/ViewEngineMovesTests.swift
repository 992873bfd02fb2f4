import CodecKit
import Foundation
import Model
import Pixels
import Synchronization
import TestSupport
import Testing
import Workers

@testable import View

/// What the page shows when a slider moves, for an engine with scripted codecs.
@Suite(.timeLimit(.minutes(30))) struct ViewEngineMovesTests {
  /// A message to the page; pixels have the type `pixels`.
  private struct Message {
    var type: String
    var fields: [String: Any] = [:]
    /// Canvas, number, x, y, width and height.
    var place: [Int] = []

    init(_ message: Outbox.Message) {
      switch message {
      case .text(let text):
        fields = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
        type = fields["type"] as? String ?? ""
      case .binary(let data):
        let bytes = [UInt8](data)
        let numbers = (0..<5).map { index in
          bytes[4 + index * 4..<8 + index * 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        (type, place) = ("pixels", [Int(bytes[1])] + numbers)
      }
    }

    var number: Int? { type == "pixels" && place[0] > 0 ? place[1] : fields["number"] as? Int }
    var isFinal: Bool { fields["isFinal"] as? Bool == true }
    var quality: Double? { fields["quality"] as? Double }
    var bytes: Int? { fields["bytes"] as? Int }
  }

  private let engine: ViewEngine
  private let outbox: Outbox

  /// An engine with one lane, so that the order shows the urgency. Its page shows the only picture.
  init() throws {
    let program = try #require(BuiltProgram("worker-fixture"))
    var configuration = ViewConfiguration(
      pictures: Self.sizes.map {
        ListedPicture(
          name: "folder/\($0.0).png", source: .memory(ScriptedReader.file(width: $0.0, height: $0.1)))
      }, roots: [], variants: [CodecVariant(codec: "scripted")], limits: ReadLimits())
    (configuration.workerExecutable, configuration.cores) = (program.executable.path, 1)
    engine = try ViewEngine(
      configuration, registry: CodecRegistry(codecs: [ScriptedCodec()], readers: [], writer: ScriptedWriter())
    )
    outbox = engine.connect()
  }

  /// One piece, three pieces for a slow codec, a picture that is too small to be scored, and one square that a slow
  /// codec gets in two pieces.
  private static let sizes = [(16, 16), (600, 40), (4, 4), (300, 40)]

  private func move(
    _ number: Int, on side: Side = .right, picture: Int = 0, _ codec: String = "scripted",
    quality: Double = 0.5, and more: String = ""
  ) {
    engine.receive(
      """
      {"type":"move","side":"\(side.rawValue)","number":\(number),"picture":\(picture),"view":[0,0,40,40],\
      "codec":"\(codec)","quality":\(quality)\(more.isEmpty ? "" : "," + more)}
      """, from: outbox)
  }

  private func show(_ picture: Int) {
    engine.receive(#"{"type":"show","picture":\#(picture)}"#, from: outbox)
  }

  /// The messages about moves, up to the last one or a failure.
  private func messages(until isLast: (Message) -> Bool) async -> [Message] {
    var messages: [Message] = []
    while let next = await outbox.next() {
      let message = Message(next)
      let hasFailed = message.type == "failed"
      if message.number != nil || hasFailed { messages.append(message) }
      if isLast(message) || hasFailed { break }
    }
    return messages
  }

  /// Bytes of a scripted file.
  private func bytes(_ width: Int, _ height: Int, _ native: Int) -> Int {
    "scripted \(width) \(height)".utf8.count + 101 + 10 * native
  }

  @Test func aSmallPictureComesAsOneFile() async throws {
    defer { engine.close() }
    show(0)
    // The move arrives before its picture is open.
    move(1)
    let messages = await messages { $0.isFinal }
    #expect(messages.map(\.type) == ["whole", "pixels", "decoded", "scored"])
    #expect(messages.allSatisfy { $0.number == 1 })
    #expect(messages[0].bytes == bytes(16, 16, 50) && messages[0].quality == 0.5)
    #expect(messages[1].place == [2, 1, 0, 0, 16, 16])
    let file = try #require(engine.file(of: .right, number: 1))
    #expect(file.name == "16.png-scripted-q0.5.scripted" && file.bytes.count == bytes(16, 16, 50))
    #expect(engine.file(of: .right, number: 2) == nil && engine.file(of: .left, number: 1) == nil)
  }

  @Test func aLargePictureComesInPiecesAndItsFileOnceTheSliderRests() async throws {
    defer { engine.close() }
    show(1)
    move(1, picture: 1, and: #""settled":false"#)
    var found = await messages { $0.fields["pieces"] as? Int == 3 }
    #expect(found.map(\.type) == ["pixels", "progress", "pixels", "progress", "pixels", "progress"])
    let regions = found.filter { $0.type == "pixels" }.map { Array($0.place[2...]) }
    #expect(regions == [[0, 0, 256, 40], [256, 0, 256, 40], [512, 0, 88, 40]], "what is seen comes first")
    let progress = found.filter { $0.type == "progress" }
    #expect(progress.allSatisfy { $0.fields["of"] as? Int == 3 })
    let sums = [(256, 1), (256, 1), (88, 1)].reduce(into: [Int]()) { sums, piece in
      sums.append((sums.last ?? 0) + bytes(piece.0, 40, 50))
    }
    #expect(progress.map(\.bytes) == sums)
    #expect(engine.file(of: .right, number: 1) == nil)
    for number in [1, 1, 9] {
      engine.receive(#"{"type":"settle","side":"right","number":\#(number)}"#, from: outbox)
    }
    found = await messages { $0.isFinal }
    #expect(found.first?.type == "whole" && found.first?.bytes == bytes(600, 40, 50))
    // Another file would come before the next move's.
    move(2, on: .left, picture: 1, and: #""pieces":false"#)
    found = await messages { $0.isFinal }
    #expect(found.filter { $0.type != "pixels" }.map(\.number) == [2, 2, 2])
    #expect(found.allSatisfy { $0.type != "progress" }, "in one step")
  }

  @Test("the whole file follows once the slider rests, also if only a slow codec gets the picture in pieces")
  func cutSquare() async throws {
    defer { engine.close() }
    show(3)
    move(1, picture: 3, and: #""settled":false"#)
    _ = await messages { $0.fields["pieces"] as? Int == 2 }
    engine.receive(#"{"type":"settle","side":"right","number":1}"#, from: outbox)
    // Comes after it, so that the test ends without it, too.
    move(2, on: .left, picture: 3, and: #""pieces":false"#)
    let found = await messages { $0.isFinal && $0.number == 2 }
    #expect(found.contains { $0.type == "whole" && $0.number == 1 })
  }

  @Test func aNewerMoveEndsTheWorkOfAnOlderOne() async throws {
    defer { engine.close() }
    show(1)
    move(1, picture: 1, "scripted:do=hang")
    move(2, picture: 1, quality: 0.3)
    let messages = await messages { $0.isFinal }
    #expect(messages.allSatisfy { $0.number == 2 })
    #expect(ProcessTable.wait { !engine.jobs.has(.move(.right, 1)) })
    #expect(try #require(engine.file(of: .right, number: 2)).bytes.count == bytes(600, 40, 30))
  }

  @Test(arguments: [
    ("do=error", "it said no"), ("do=crash", "SIGSEGV"), ("do=wrong-size", "a different size"),
  ])
  func aFailedMoveSaysSoOnceAndStopsNothingElse(script: String, reason: String) async throws {
    defer { engine.close() }
    show(1)
    move(1, picture: 1, "scripted:\(script)")
    var found = await messages { $0.type == "failed" }
    let message = try #require(found.last?.fields["message"] as? String)
    #expect(found.last?.number == 1 && found.last?.fields["side"] as? String == "right")
    #expect(message.contains(reason), "\(message)")
    move(2, on: .left, picture: 1)
    found = await messages { $0.isFinal }
    #expect(found.allSatisfy { $0.number == 2 }, "its other pieces are dropped")
    move(3, picture: 1)
    found = await messages { $0.isFinal }
    #expect(found.allSatisfy { $0.type != "failed" && $0.number == 3 })
  }

  @Test func aSearchEndsAtTheLargestFileThatIsSmallEnough() async throws {
    defer { engine.close() }
    show(0)
    move(1, and: #""bytes":\#(bytes(16, 16, 37) + 9)"#)
    var found = await messages { $0.isFinal }
    #expect(found.last?.quality == 0.37 && found.last?.bytes == bytes(16, 16, 37))
    #expect(found.last?.fields["isReached"] as? Bool == true)
    // The screen and the saved file show what was found, not what was tried last.
    #expect(found.last { $0.type == "whole" }?.quality == 0.37)
    #expect(engine.file(of: .right, number: 1)?.bytes.count == bytes(16, 16, 37))
    let tried = found.filter { $0.type == "whole" }.count
    #expect(tried > 2)
    // What is known of the picture is not tried again, so only its answer is made, for the screen.
    move(2, on: .left, and: #""bytes":\#(bytes(16, 16, 37) + 9)"#)
    found = await messages { $0.isFinal }
    #expect(found.filter { $0.type == "whole" }.map(\.quality) == [0.37])
    #expect(found.last?.quality == 0.37)
  }

  @Test func aGoalOutOfReachGivesTheNearestEnd() async throws {
    defer { engine.close() }
    show(0)
    move(1, and: #""bytes":1"#)
    var found = await messages { $0.isFinal }
    #expect(found.last?.quality == 0 && found.last?.fields["isReached"] as? Bool == false)
    // A flat gray of another shade scores far below this at any quality.
    move(2, and: #""score":99"#)
    found = await messages { $0.isFinal }
    #expect(found.last?.quality == 1 && found.last?.fields["isReached"] as? Bool == false)
    // And far above this one.
    move(3, and: #""score":-100000,"nearest":0.5"#)
    found = await messages { $0.isFinal }
    #expect(found.last?.fields["isReached"] as? Bool == false)
  }

  @Test func aScoreThatIsNotDefinedIsNoGoal() async throws {
    defer { engine.close() }
    show(2)
    move(1, picture: 2, and: #""score":60"#)
    let found = await messages { $0.type == "failed" || $0.isFinal }
    #expect(
      (found.last?.fields["message"] as? String)?.contains("not defined for pictures this small") == true)
    move(2, picture: 2)
    #expect(await messages { $0.isFinal }.last?.number == 2, "without a goal, it is shown")
  }

  @Test func aFormerPagesWorkIsNotTakenForTheNewOnes() async throws {
    defer { engine.close() }
    show(1)
    move(1, picture: 1, "scripted:do=sleep,ms=200")
    // Other pieces are in progress.
    _ = await messages { $0.type == "progress" }
    let next = engine.connect()
    #expect(engine.file(of: .right, number: 1) == nil)
    move(2, picture: 1)
    #expect(!engine.jobs.has(.move(.right, 2)) && engine.state.withLock { $0.ledger.picture } == nil)
    // Once told so, the former page does not take over again.
    #expect(await outbox.next().map { Message($0).type } == "replaced")
    #expect(await outbox.next() == nil)
    // Like every page, the new one counts from one.
    engine.receive(#"{"type":"show","picture":1}"#, from: next)
    engine.receive(
      #"{"type":"move","side":"right","number":1,"picture":1,"view":[0,0,9,9],"codec":"scripted","quality":0.1}"#,
      from: next)
    var qualities: [Double] = []
    while let message = await next.next().map(Message.init), !message.isFinal {
      if message.number != nil { qualities += [message.quality].compactMap(\.self) }
    }
    #expect(!qualities.isEmpty && qualities.allSatisfy { $0 == 0.1 }, "\(qualities)")
  }
}
