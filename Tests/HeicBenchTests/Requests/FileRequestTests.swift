import Foundation
import HeicBenchKit
import Synchronization
import TestSupport
import Testing

/// Requests for single files, as other programs call them.
@Suite("Requests for files")
struct FileRequestTests {
  private func settings(_ user: UserFolder) -> WorkerSettings {
    var settings = WorkerSettings()
    settings.program = user.program.executable.path
    settings.jobs = 1
    return settings
  }

  @Test("a program reads, shrinks and cuts files, and receives progress", .timeLimit(.minutes(30)))
  func runs() throws {
    let user = try UserFolder()
    try user.writeImage("images/a.ppm")
    let images: ImageSource = [InputPath(user.path("images"))]
    var reads = DecodeCostRequest(images: images, output: user.path("results"))
    (reads.sizes, reads.workers) = ([.side(12), .all], settings(user))
    let progress = Mutex<[JobEvent]>([])
    let outcome = try reads.run(cancellation: Cancellation()) { event in
      progress.withLock { $0.append(event) }
    }
    #expect(!outcome.wasInterrupted && outcome.failed == 0 && outcome.known == 0)
    let events = progress.withLock { $0 }
    #expect(events.contains(.progress(done: outcome.total, total: outcome.total)) && events.last == .ended)
    #expect(try reads.run(cancellation: Cancellation()).known == outcome.total)
    #expect(FileManager.default.fileExists(atPath: user.path("results/decodes.csv")))

    var thumbnails = ThumbnailsRequest(images: images, output: user.path("small"))
    (thumbnails.sizes, thumbnails.encoding, thumbnails.workers) = ([12], nil, settings(user))
    #expect(try thumbnails.run(cancellation: Cancellation()).made == 1)
    #expect(try thumbnails.run(cancellation: Cancellation()).skipped == 1)

    var tiles = TilesRequest(images: images, output: user.path("tiles"))
    (tiles.tileSize, tiles.workers) = (16, settings(user))
    let made = try tiles.run(cancellation: Cancellation())
    #expect(made.failed == 0 && made.page == user.path("tiles/index.html"))
  }

  @Test("a request that is cancelled before it begins makes nothing")
  func cancelled() throws {
    let user = try UserFolder()
    try user.writeImage("images/a.ppm")
    let images: ImageSource = [InputPath(user.path("images"))]
    let cancellation = Cancellation()
    cancellation.cancel()
    var reads = DecodeCostRequest(images: images, output: user.path("results"))
    reads.workers = settings(user)
    #expect(try reads.run(cancellation: cancellation).wasInterrupted)
    var thumbnails = ThumbnailsRequest(images: images, output: user.path("small"))
    thumbnails.workers = settings(user)
    let small = try thumbnails.run(cancellation: cancellation)
    #expect(small.wasInterrupted && small.made == 0)
    var cuts = TileCostRequest(images: images, output: user.path("cuts"))
    cuts.workers = settings(user)
    #expect(try cuts.run(cancellation: cancellation).wasInterrupted)
    var tiles = TilesRequest(images: images, output: user.path("tiles"))
    tiles.workers = settings(user)
    #expect(try tiles.run(cancellation: cancellation).wasInterrupted)
    #expect(!FileManager.default.fileExists(atPath: user.path("tiles/index.html")))
  }

  @Test("cuts are compared at equal score even if the call is stopped after the last one")
  func stoppedTiles() throws {
    let user = try UserFolder()
    try user.writeImage("images/a.ppm", width: 140, height: 140)
    var cuts = TileCostRequest(images: [InputPath(user.path("images"))], output: user.path("cuts"))
    (cuts.codecs, cuts.qualities, cuts.tileSizes) = ([try CodecVariant("jpeg")], [0.6], [64, 128])
    cuts.workers = settings(user)
    let cancellation = Cancellation()
    _ = try cuts.run(cancellation: cancellation) { event in
      if case .progress(let done, let total?) = event, done == total { cancellation.cancel() }
    }
    #expect(try cuts.run(cancellation: Cancellation()).known == 2)
    let rows = try ProgramDesk.rows(in: user.text("cuts/tiles.csv"))
    #expect(rows.map { $0["matched_overhead_percent"]?.isEmpty } == [false, false])
  }

  @Test("impossible requests are refused before anything is made")
  func refusals() throws {
    let user = try UserFolder()
    try user.writeImage("images/a.ppm")
    let images: ImageSource = [InputPath(user.path("images"))]
    let output = user.path("made")
    func refused(_ body: () throws -> Void) {
      #expect(#expect(throws: HeicBenchError.self, performing: body)?.kind == .usage)
    }
    for change: (inout DecodeCostRequest) -> Void in [
      { $0.sizes = [] }, { $0.sizes = [.side(0)] }, { $0.repeats = 0 },
      { $0.score = .nan },
      { $0.sizes = [.part(width: 1, height: .max)] }, { $0.bandwidth = -.infinity },
      { ($0.codecs, $0.qualities) = ([try! CodecVariant("jpeg")], []) }, { $0.output = "" },
    ] {
      var request = DecodeCostRequest(images: images, output: output)
      request.workers = settings(user)
      change(&request)
      refused { _ = try request.run(cancellation: Cancellation()) }
    }
    for change: (inout ThumbnailsRequest) -> Void in [
      { $0.sizes = [0] }, { $0.sizes = [.max] }, { $0.sizes = [] }, { $0.score = .nan },
      { $0.workers.jobs = 0 },
    ] {
      var request = ThumbnailsRequest(images: images, output: output)
      request.workers = settings(user)
      change(&request)
      refused { _ = try request.run(cancellation: Cancellation()) }
    }
    for change: (inout TileCostRequest) -> Void in [
      { $0.tileSizes = [] }, { $0.tileSizes = [65] }, { $0.overlap = .max }, { $0.qualities = [] },
      { $0.viewport.width = .min }, { $0.downscale = 65 },
    ] {
      var request = TileCostRequest(images: images, output: output)
      request.workers = settings(user)
      change(&request)
      refused { _ = try request.run(cancellation: Cancellation()) }
    }
    for change: (inout TilesRequest) -> Void in [
      { $0.tileSize = .max }, { $0.overlap = -1 }, { ($0.overlap, $0.layout) = (1, .iiif) },
      { $0.padsEdges = true }, { $0.downscale = 0 },
      { ($0.rewraps, $0.codec) = (true, try! CodecVariant("avif")) },
      { $0.codec = try! CodecVariant("heic:grid=512") },
    ] {
      var request = TilesRequest(images: images, output: output)
      request.workers = settings(user)
      change(&request)
      refused { _ = try request.run(cancellation: Cancellation()) }
    }
    let build = LibraryBuild(name: "old", folder: "nowhere")
    for change: (inout BisectRequest) -> Void in [
      { $0.builds = [build] }, { $0.threshold = .nan }, { $0.rounds = 0 }, { $0.codec = "heic@old" },
      { ($0.readsFilesAsFound, $0.quantities) = (true, [.bytes]) },
    ] {
      var request = BisectRequest(images: images, builds: [build, build])
      change(&request)
      refused { _ = try request.run(cancellation: Cancellation()) }
    }
    #expect(!FileManager.default.fileExists(atPath: output))
  }
}
