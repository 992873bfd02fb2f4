import CodecKit
import Codecs
import Foundation
import Model
import Store
import TestSupport
import Testing

@testable import HeicBenchKit
@testable import Workers

/// Files whose headers claim large sizes: a sweep's limits also hold for reads, cuts and thumbnails.
struct WorkerLimitTests {
  private let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  private static let decode = ["decode", "photos", "--sizes", "full", "--region", "none", "--repeat", "1"]
  private static let tiles = [
    "tiles", "photos", "--codec", "jpeg", "--qualities", "0.5", "--tile-sizes", "512",
  ]

  private static let bomb = PNGFile.black(width: 14_143, height: 14_142)

  /// Writes 200 megapixels in 160 kB, with a small picture beside them.
  private func writeBomb() throws {
    try desk.writeImage("photos/a.ppm", width: 64, height: 48)
    try Data(Self.bomb).write(
      to: desk.folder.url.appending(path: "photos/bomb.png"))
  }

  @Test(arguments: [decode, tiles])
  func rowsTellOfMemoryThatWasRefused(command: [String]) throws {
    try writeBomb()
    let result = try desk.run(command + ["--memory-per-job", "160MiB", "--timeout", "120"])
    #expect(result.status == 3, "\(result.errors)")
    let rows = try desk.rows(of: "results/\(command[0] == "tiles" ? "tiles" : "decodes").csv")
    let lost = rows.filter { $0["image"] == "bomb.png" && $0["status"] == "failed" }
    #expect(!lost.isEmpty && lost.allSatisfy { $0["error"] == "memory: over 160 MiB" }, "\(lost)")
    #expect(rows.contains { $0["image"] == "a.ppm" && $0["status"] == "measured" })
  }

  @Test func thumbnailsTellOfMemoryThatWasRefused() throws {
    try writeBomb()
    let result = try desk.run(["thumbnails", "photos", "out", "--memory-per-job", "160MiB"])
    #expect(result.status == 3 && result.errors.contains("bomb.png: over 160 MiB"), "\(result.errors)")
    #expect(result.output.contains("1 thumbnail:"), "\(result.output)")
  }

  /// Each row of tiles must arrive in time, so the codec must take longer than that on any machine.
  @Test(arguments: [
    ["thumbnails", "photos", "out"], ["tiles", "export", "photos/bomb.png", "out", "--codec", "heic"],
  ])
  func filesThatTakeTooLongAreNamed(command: [String]) throws {
    try writeBomb()
    let result = try desk.run(command + ["--timeout", "0.1", "--nice"])
    #expect(result.status == 3 && result.errors.contains("no answer in 0.1 s"), "\(result.errors)")
  }

  @Test(arguments: [decode, tiles])
  func rowsTellOfDeadlines(command: [String]) throws {
    try writeBomb()
    let result = try desk.run(command + ["--timeout", "0.1", "--nice"])
    #expect(result.status == 3, "\(result.errors)")
    let rows = try desk.rows(of: "results/\(command[0] == "tiles" ? "tiles" : "decodes").csv")
    let late = rows.filter { $0["image"] == "bomb.png" && $0["error"] == "timeout: no answer in 0.1 s" }
    #expect(!late.isEmpty, "\(rows)")
  }

  /// Once a cut takes too long, others by the same codec are not tried, so a picture costs at most one deadline for
  /// each codec.
  @Test func lateCutsAreNotTriedOneByOne() throws {
    try writeBomb()
    let bytes = [UInt8](try desk.data("photos/bomb.png"))
    let entry = CorpusEntry(
      identity: ImageIdentity(name: "bomb.png", contentHash: SHA256.hexDigest(of: bytes)),
      path: Array("\(desk.folder.path)/photos/bomb.png".utf8), fileBytes: bytes.count, header: nil)
    let variants = try ["jpeg", "heic"].map {
      VariantDescription(variant: try CodecRegistry.standard.variant($0), libraries: [], threads: 1)
    }
    var request = TileCostRequest(images: [])
    request.viewport = PixelSize(width: 100, height: 80)
    let pool = TileCostRequest.pool(
      RunnerConfiguration(jobs: 1, timeout: 0.1, workerExecutable: desk.program.executable.path),
      Preparation(), ["ssimulacra2"])
    let store = try ResultStore(folder: desk.folder.path + "/cuts")
    _ = try request.cut(
      request.jobs([entry], variants, Preparation()), by: pool, ["ssimulacra2"], into: store, Cancellation())
    let late = try store.results(.tiles) { $0.image == entry.identity }
    #expect(late.count { $0.outcome.failure?.kind == .timeout } == 18)
    // One worker for each codec, and another for the second try.
    #expect(pool.sessions.reduce(0) { $0 + $1.started } == 4)
  }

  @Test func deadlinesAreBounded() {
    let configuration = RunnerConfiguration()
    #expect(configuration.timeout(pixels: 12_000_000, repeats: 1) == 420)
    #expect(configuration.timeout(pixels: .max, repeats: 1) == 3600)
    #expect(RunnerConfiguration(timeout: 5).timeout(pixels: .max, repeats: 9) == 5)
  }

  /// A refused header's claim does not count, and does not overflow a sum.
  @Test(arguments: [decode, tiles])
  func refusedClaimsAreNotSummed(command: [String]) throws {
    try desk.writeImage("photos/a.ppm", width: 100, height: 100)
    for (name, side) in [("b", UInt32(60_000)), ("c", UInt32(Int32.max))] {
      try Data(PNGFile.header(width: side, height: side)).write(
        to: desk.folder.url.appending(path: "photos/\(name).png"))
    }
    let result = try desk.run(command)
    #expect(result.status == 3, "\(result.errors)")
    if command[0] == "decode" {
      #expect(result.errors.contains("3 images, 0.010 megapixels"), "\(result.errors)")
    }
  }
}
