import CodecKit
import Foundation
import Model
import Pixels
import Synchronization
import TestSupport
import Testing
import Workers

@testable import View

/// A codec as the view knows it, which keeps no alpha and only eight bits. The workers have the real one.
private struct PlainJPEG: ImageCodec {
  var traits: CodecTraits {
    CodecTraits(
      id: "jpeg", title: "JPEG", fileExtension: "jpg", libraries: [], nativeQuality: 0...100, settings: [])
  }

  func support(for _: CodecVariant) -> PixelSupport {
    PixelSupport(alpha: false, maximumBitDepth: 8, maximumSide: 65_535)
  }

  func encode(_: RasterImage, _: EncodeSettings) throws(CodecError) -> [UInt8] {
    throw .unsupported("only workers encode")
  }

  func decode(_: [UInt8]) throws(CodecError) -> RasterImage { throw .unsupported("only workers decode") }
}

/// What the page is told about pictures, by an engine with one lane.
@Suite(.timeLimit(.minutes(30))) struct ViewEnginePicturesTests {
  private let engine: ViewEngine
  private let outbox: Outbox

  /// The first picture can be opened, and its neighbour cannot.
  init() throws {
    let program = try #require(BuiltProgram("worker-fixture"))
    let files = ["nothing", "broken"].map { ScriptedReader.file(width: 16, height: 16, accident: $0) }
    var configuration = ViewConfiguration(
      pictures: files.map { ListedPicture(name: "picture", source: .memory($0)) }, roots: [],
      variants: [CodecVariant(codec: "scripted")], limits: ReadLimits())
    (configuration.workerExecutable, configuration.cores) = (program.executable.path, 1)
    engine = try ViewEngine(
      configuration,
      registry: CodecRegistry(
        codecs: [ScriptedCodec(), PlainJPEG()], readers: [], writer: ScriptedWriter()))
    outbox = engine.connect()
  }

  private func show(_ picture: Int) {
    engine.receive(#"{"type":"show","picture":\#(picture)}"#, from: outbox)
  }

  private func move(_ number: Int, on side: Side = .right, _ codec: String = "scripted") {
    engine.receive(
      """
      {"type":"move","side":"\(side.rawValue)","number":\(number),"picture":0,"view":[0,0,16,16],\
      "codec":"\(codec)","quality":0.5}
      """, from: outbox)
  }

  /// The types of the texts to the page, up to a move's last one or a failure.
  private func types(untilMove number: Int) async -> [String] {
    var types: [String] = []
    while let message = await outbox.next() {
      guard case .text(let text) = message,
        let fields = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
      else { continue }
      types.append(fields["type"] as? String ?? "")
      let isLast = fields["number"] as? Int == number && fields["isFinal"] as? Bool == true
      if isLast || types.last == "failed" { break }
    }
    return types
  }

  @Test("the page gets the original again when a codec changes its pixels, even back to earlier ones")
  func preparations() async {
    defer { engine.close() }
    show(0)
    move(1)
    #expect(await types(untilMove: 1).count { $0 == "opened" } == 1)
    move(2, on: .left, "jpeg")
    #expect(await types(untilMove: 2).count { $0 == "opened" } == 1)
    move(3, on: .left)
    #expect(await types(untilMove: 3).count { $0 == "opened" } == 1)
  }

  @Test("a codec that a side no longer shows does not decide how the picture is prepared")
  func originals() {
    defer { engine.close() }
    func showOriginal(on side: String) {
      engine.receive(#"{"type":"original","side":"\#(side)"}"#, from: outbox)
    }
    show(0)
    let first = engine.preparation
    move(1)
    move(2, on: .left, "jpeg")
    #expect(engine.preparation != first)
    showOriginal(on: "left")
    #expect(engine.preparation == first && !engine.isWanted(.move(.left, 2)))
    #expect(engine.isWanted(.move(.right, 1)))
    move(3, "jpeg")
    showOriginal(on: "right")
    #expect(engine.preparation == first, "two originals are prepared as at the start")
  }

  @Test("a picture whose preparation changes while it is announced is not announced") func changes() throws {
    defer { engine.close() }
    show(0)
    let first = engine.preparation
    #expect(ProcessTable.wait { engine.cached(0, first) != nil })
    let picture = try #require(engine.cached(0, first))
    let jpeg = [Side.left: CodecVariant(codec: "jpeg")]
    try #require(engine.commonPreparation(of: jpeg) != first)
    let announced = Atomic(0)
    let stale = Atomic(0)
    let isDone = Atomic(false)
    try PlainThread.start { [engine] in
      for index in 0..<400 {
        let isChange = index % 2 == 1
        engine.state.withLock { state in
          state.variants = isChange ? jpeg : [:]
          state.ledger.show(0, of: 2)
        }
        // The announcement in progress ends, and another one follows.
        let seen = announced.load(ordering: .relaxed)
        while announced.load(ordering: .relaxed) < seen + 2 { sched_yield() }
        let isOpen = engine.state.withLock { state in
          var ledger = state.ledger
          return !ledger.open(0, first)
        }
        if isChange, isOpen { stale.wrappingAdd(1, ordering: .relaxed) }
      }
      isDone.store(true, ordering: .releasing)
    }
    while !isDone.load(ordering: .acquiring) {
      engine.announce(picture, 0)
      announced.wrappingAdd(1, ordering: .relaxed)
    }
    let found = stale.load(ordering: .relaxed)
    #expect(found == 0)
  }

  @Test("a picture that cannot be opened is an error once the page turns to it, not while it is a neighbour")
  func neighbours() async {
    defer { engine.close() }
    show(0)
    #expect(ProcessTable.wait { !engine.jobs.has(.picture(1)) })
    move(1)
    #expect(await types(untilMove: 1).last == "scored")
    show(1)
    #expect(await types(untilMove: 2) == ["failed"])
  }

  @Test("small files that are too many are not refused as too large")
  func manyUploads() throws {
    defer { engine.close() }
    for _ in 0..<ViewEngine.UploadLimit.count { _ = try engine.add([1], name: "a") }
    let refusal = #expect(throws: PageCommand.Refusal.self) { try engine.add([1], name: "a") }
    #expect(refusal?.description.contains("1000 files") == true)
  }
}
