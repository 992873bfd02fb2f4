import CodecKit
import Codecs
import Foundation
import Model
import Pixels
import Store
import Synchronization
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

/// A picture's tiles: which are kept, made again, or left after a failure.
@Suite(.timeLimit(.minutes(30))) struct TileSetMakerTests {
  private let folder: TemporaryFolder
  private let output: OwnedFolder
  private let scratch: String

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path + "/out", withIntermediateDirectories: false)
    output = try OwnedFolder(folder.path + "/out")
    scratch = try output.makeScratch()
  }

  private func entry(_ bytes: [UInt8]) throws -> CorpusEntry {
    let path = folder.path + "/picture"
    try ScratchFile.write(bytes, to: path)
    return CorpusEntry(
      identity: ImageIdentity(name: "picture", contentHash: SHA256.hexDigest(of: bytes)),
      path: Array(path.utf8), fileBytes: bytes.count, header: nil)
  }

  private static func plain(_ width: Int, _ height: Int) throws -> [UInt8] {
    let image = try #require(SyntheticImage.waves(width: width, height: height))
    return try Array("P6 \(width) \(height) 255\n".utf8) + image.samples.eightBits()
  }

  /// A picture that becomes three tiles, two and one, each in a separate request.
  private static let long = Result { try plain(9000, 1) }
  private static let side = 4096

  /// A request for tiles that are named after their levels and places.
  private func request(tileSize: Int = side, program: String = ScriptedWorker.program) -> TilesRequest {
    var request = TilesRequest(images: [InputPath(folder.path + "/picture")], output: output.path)
    (request.layout, request.tileSize) = (.names, tileSize)
    (request.workers.program, request.workers.jobs) = (program, 1)
    return request
  }

  /// Makes the tiles and returns the reports about them. `progress` may end the worker.
  @discardableResult
  private func make(
    _ request: TilesRequest, of entry: CorpusEntry,
    at progress: @escaping @Sendable (Int, WorkerSlot) -> Void = { _, _ in }
  ) throws -> [String] {
    var coding = try TileCoding(request)
    coding.configuration.keepFolder = scratch
    let pool = WorkerPool(coding.configuration, preparation: coding.preparation, sessions: 1)
    defer { pool.retire() }
    let slot = pool.sessions[0]
    let told = Mutex<[String]>([])
    var maker = try TileSetMaker(
      request, coding, entry, "set", slot, folder: output, scratch: scratch
    ) { event in
      if case .progress(_, let tiles) = event { progress(tiles, slot) }
      if case .made(_, let sentences) = event { told.withLock { $0 += sentences } }
    }
    try maker.make()
    return told.withLock { $0 }
  }

  /// The files and folders of the output that are not hidden.
  private func found() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: output.path).filter { path in
      !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }.sorted()
  }

  private func tiles(_ size: Int = side) throws -> [String] {
    try found().filter { $0.hasPrefix("set/\(size)/") }.map { String($0.dropFirst("set/\(size)/".count)) }
  }

  private var set: TileSet? { TileSet.read("set.tiles.json", in: output) }

  private static let all = ["1_0_0", "2_0_0", "2_1_0", "3_0_0", "3_1_0", "3_2_0"].map { "set_4096_\($0).jpg" }

  @Test func whatIsDoneAtAStopIsKeptAndContinued() throws {
    let entry = try entry(Self.long.get())
    #expect(throws: CancellationError.self) {
      try make(request(), of: entry) { tiles, slot in if tiles == 2 { slot.cancel() } }
    }
    #expect(try tiles().count == 2 && set?.isComplete == false)
    #expect(try #require(make(request(), of: entry).first).contains("; 4 made with "))
    #expect(try tiles() == Self.all)
    let made = try #require(set)
    let sizes = try made.levels.map { level in
      try made.recipe.pyramid.places(of: level).map { place in
        try FileSystem.status(of: Array("\(output.path)/\(made.path(place))".utf8)).size
      }
    }
    #expect(made.isComplete && made.tileBytes == sizes)
    // The third time there is nothing to do, and the figures are those of the files.
    let again = try #require(make(request(), of: entry).first)
    #expect(again.contains("; 6 kept") && !again.contains("made"))
    #expect(set == made)
  }

  /// The first call's tiles are gone once the second call begins.
  @Test func aPageDoesNotOutliveItsTiles() throws {
    _ = try entry(Self.long.get())
    let page = folder.path + "/pages/index.html"
    var request = request()
    request.output = folder.path + "/pages"
    #expect(try request.run(cancellation: Cancellation()).page == page)
    #expect(FileManager.default.fileExists(atPath: page))
    let cancellation = Cancellation()
    request.tileSize = 2048
    let outcome = try request.run(cancellation: cancellation) { event in
      if case .progress = event { cancellation.cancel() }
    }
    #expect(outcome.wasInterrupted && !FileManager.default.fileExists(atPath: page))
  }

  @Test func aTileThatIsGoneIsMadeAgainAsItWas() throws {
    let entry = try entry(Self.long.get())
    try make(request(), of: entry)
    let path = "\(output.path)/set/4096/set_4096_2_1_0.jpg"
    let before = try Data(contentsOf: URL(filePath: path))
    try FileManager.default.removeItem(atPath: path)
    #expect(try #require(make(request(), of: entry).first).contains("1 made with "))
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func tilesOfAnotherRecipeGoAndWhatElseIsThereStays() throws {
    let entry = try entry(Self.long.get())
    try make(request(), of: entry)
    let mine = "\(output.path)/set/4096/notes.txt"
    try ScratchFile.write(Array("mine".utf8), to: mine)
    try make(request(tileSize: 16_384), of: entry)
    #expect(try tiles() == ["notes.txt"])
    #expect(try tiles(16_384) == ["set_16384_1_0_0.jpg"])
    // An edited picture counts as another one, too.
    let first = try Data(contentsOf: URL(filePath: "\(output.path)/set/16384/set_16384_1_0_0.jpg"))
    let edited = try self.entry(Self.plain(9000, 2))
    let said = try make(request(tileSize: 16_384), of: edited)
    #expect(said.first?.contains("9000×2 pixels") == true && said.first?.contains("kept") == false)
    #expect(try Data(contentsOf: URL(filePath: "\(output.path)/set/16384/set_16384_1_0_0.jpg")) != first)
  }

  @Test func aFileOfTheUsersInTheWayIsNamedBeforeAnythingIsMade() throws {
    let entry = try entry(Self.long.get())
    try FileManager.default.createDirectory(
      atPath: output.path + "/set/4096", withIntermediateDirectories: true)
    let mine = "\(output.path)/set/4096/set_4096_1_0_0.jpg"
    try ScratchFile.write(Array("mine".utf8), to: mine)
    let error = #expect(throws: OutputError.self) { try make(request(), of: entry) }
    #expect(error?.description.contains("set_4096_1_0_0.jpg") == true)
    #expect(try tiles() == ["set_4096_1_0_0.jpg"] && set == nil)
    #expect(try String(contentsOfFile: mine, encoding: .utf8) == "mine")
  }

  @Test("a file that ends after its first rows of tiles leaves nothing behind") func brokenEnd() throws {
    let image = try #require(SyntheticImage.waves(width: 2, height: 9000))
    let whole = try CodecRegistry.standard.writer.write(image)
    let entry = try entry(Array(whole.prefix(whole.count * 3 / 4)))
    let written = Mutex(0)
    let failure = #expect(throws: Failure.self) {
      try make(request(), of: entry) { tiles, _ in written.withLock { $0 = tiles } }
    }
    #expect(failure?.kind == .source && written.withLock { $0 } > 0)
    #expect(try found().isEmpty)
  }

  @Test func whatIsNoPictureHasNoTiles() throws {
    let failure = #expect(throws: Failure.self) {
      try make(request(), of: try entry(Array("P6 9 9 255\n".utf8)))
    }
    #expect(failure?.kind == .source)
    var rewrap = request()
    rewrap.rewraps = true
    #expect(throws: Failure.self) { try make(rewrap, of: try entry(Self.plain(8, 8))) }
    #expect(try found().isEmpty)
  }

  // MARK: A worker that does not say what is so

  /// A program that opens a picture of one tile, leaves a file of four bytes as its tile, and sends this answer.
  private func program(
    _ entry: CorpusEntry, _ answer: [UInt8], does further: String = ":"
  ) throws -> String {
    let preparation = try TileCoding(request()).preparation
    let record = ImageRecord(
      identity: entry.identity, preparation: preparation.canonicalSpelling, fileBytes: entry.fileBytes,
      header: ImageHeader(format: "ppm", width: 8, height: 8, bitDepth: 8, layout: .rgb, isLossy: false),
      preparedWidth: 8, preparedHeight: 8, preparedFormat: PixelFormat(layout: .rgb), profile: "sRGB",
      steps: [])
    let head = try WorkerProtocol.line(ReplyHead.answer(attachment: 0))
    let ready = try WorkerProtocol.line(Readiness(sandbox: SandboxStatus(landlock: 1, seccomp: true)))
    for (name, bytes) in try [
      ("ready", head + ready), ("record", head + WorkerProtocol.line(record)), ("answer", answer),
    ] { try ScratchFile.write(bytes, to: "\(folder.path)/\(name)") }
    return try ScriptedWorker.script(
      """
      cd '\(folder.path)'
      read -r setup; cat ready
      read -r head; read -r question; cat record
      read -r head; read -r question; printf tile > '\(scratch)/0'; \(further); cat answer
      read -r end
      """, named: "liar", in: folder)
  }

  private func tiles(hash: String) throws -> [UInt8] {
    let tiles = ExportedTiles(
      tiles: [.init(bytes: 4, hash: hash)], encodeNanoseconds: 1, pyramidNanoseconds: 1)
    return try WorkerProtocol.line(ReplyHead.answer(attachment: 0)) + WorkerProtocol.line(tiles)
  }

  @Test func aTileIsTakenOnlyIfItIsWhatTheWorkerSays() throws {
    let entry = try entry(Self.plain(8, 8))
    let lie = try program(entry, try tiles(hash: SHA256.hexDigest(of: Array("else".utf8))))
    let failure = #expect(throws: Failure.self) { try make(request(program: lie), of: entry) }
    #expect(failure?.message == "a tile differs from what the worker reported")
    #expect(try tiles().isEmpty && set?.isComplete == false)
    let truth = try program(entry, try tiles(hash: SHA256.hexDigest(of: Array("tile".utf8))))
    try make(request(program: truth), of: entry)
    #expect(try tiles() == ["set_4096_1_0_0.jpg"] && set?.tileBytes == [[4]])
  }

  @Test(
    "a failed write fails one picture if there is room on the disk, and all if there is none")
  func room() throws {
    let entry = try entry(Self.plain(8, 8))
    let broken = Failure(kind: .broken, message: "a tile could not be written: no space")
    let answer = try WorkerProtocol.line(ReplyHead.failure(broken))
    let failing = try program(entry, answer)
    #expect(throws: broken) { try make(request(program: failing), of: entry) }
    let full = try program(entry, answer, does: "rm -r '\(scratch)'")
    #expect(throws: OutputError.self) { try make(request(program: full), of: entry) }
  }
}
