import Analysis
import CodecKit
import Foundation
import HeicBenchKit
import Model
import Pixels
import Synchronization
import TestSupport
import Testing
import Workers

@testable import View

/// What the page gets at the end of a blind test.
@Suite(.timeLimit(.minutes(30))) struct BlindResultTests {
  private static let variant = "scripted:do=error"

  private static func engine(_ folder: TemporaryFolder) throws -> ViewEngine {
    let program = try #require(BuiltProgram("worker-fixture"))
    let file = ScriptedReader.file(width: 64, height: 64)
    var configuration = ViewConfiguration(
      pictures: [ListedPicture(name: "a", source: .memory(file))], roots: [],
      variants: [try #require(CodecVariant(unchecked: variant))], limits: ReadLimits())
    (configuration.workerExecutable, configuration.cores) = (program.executable.path, 1)
    configuration.blindFolder = folder.path
    return try ViewEngine(
      configuration, registry: CodecRegistry(codecs: [ScriptedCodec()], readers: [], writer: ScriptedWriter())
    )
  }

  /// Forty answers by a person who sees differences below 60 and guesses above.
  private static func session(_ begin: BlindCommand.Begin) throws -> BlindSession {
    let pixels = Outbox.Pixels(width: 1, height: 1, rgba: [0, 0, 0, 255])
    let ladder = try (1...30).map { step in
      MadeRung(
        rung: .init(quality: try #require(Quality(native: step * 3)), score: Double(step * 3), bytes: step),
        hash: "\(step)", pixels: pixels)
    }
    let properties = BlindRecord.Session(
      aim: .threshold, image: "a", imageHash: "b", part: begin.part, presentation: .flicker,
      variants: [variant])
    let kept = (1...40).map { number in
      let rung = ladder[9 + number % 20].rung
      return BlindRecord(
        id: "1", seed: 1, session: properties, number: number, kind: .trial,
        coded: .init(variant: variant, rung: rung, hash: "c"), isLeft: true,
        answer: rung.score < 60 || number > 20 ? .left : .right, milliseconds: 1, viewport: [9, 9],
        pixelRatio: 1)
    }
    return BlindSession(
      begin, properties, original: pixels, ladders: [ladder], kept: kept, last: kept.last?.place)
  }

  /// The next message of a type to the page, or a failure.
  private static func event(_ wanted: String, _ outbox: Outbox) async -> [String: Any]? {
    while let message = await outbox.next() {
      guard case .text(let text) = message,
        let fields = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any],
        let type = fields["type"] as? String
      else { continue }
      if type == wanted || type == "failed" { return fields }
    }
    return nil
  }

  @Test("a test has its threshold even if the codec cannot encode the whole picture")
  func wholePicture() async throws {
    let folder = try TemporaryFolder()
    let engine = try Self.engine(folder)
    defer { engine.close() }
    let outbox = engine.connect()
    engine.receive(#"{"type":"show","picture":0}"#, from: outbox)
    _ = await Self.event("opened", outbox)
    let message =
      #"{"type":"begin","picture":0,"view":[0,0,64,64],"shown":"flicker","viewport":[1280,900],"ratio":2}"#
    guard case .begin(let begin) = try BlindCommand(message, pictures: 1) else {
      Issue.record("a test began")
      return
    }
    engine.state.withLock { $0.ledger.blind = begin }
    engine.finish(try Self.session(begin))
    let result = try #require(await Self.event("finished", outbox))
    let table = try #require(result["table"] as? [[String]], "\(result)")
    #expect(Double(table[1][1]) != nil && table[1][4] == "–", "\(table)")
  }
}
