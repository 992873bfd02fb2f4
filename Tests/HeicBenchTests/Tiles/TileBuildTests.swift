#if os(Linux)
  import Foundation
  import Model
  import TestSupport
  import Testing
  import Workers

  @testable import HeicBenchKit

  /// Tiles with libraries from a folder.
  @Suite("Tiles with builds of libraries") struct TileBuildTests {
    private let desk: ProgramDesk

    init() throws { desk = try ProgramDesk() }

    private func rows() throws -> [[String: String]] { try desk.rows(of: "results/tiles.csv") }

    @Test("are cut by each build with its own libraries")
    func cut() throws {
      try desk.writeImage("photos/a.ppm", width: 200, height: 130)
      try desk.writeImage("photos/b.ppm", width: 150, height: 130, seed: 2)
      let folder = desk.folder.url.appending(path: "other")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let library = folder.appending(path: "libjpeg.so.62")
      try Data(MappedJPEG.bytes(buildID: [0xDE, 0xAD, 0xBE, 0xEF])).write(to: library)
      let tiles = [
        "tiles", "photos", "--qualities", "0.5", "--tile-sizes", "64", "--viewport", "100x80", "--codec",
        "jpeg", "--build", "other=other",
      ]
      let both = tiles + ["--codec", "jpeg@other"]
      let first = try desk.run(both)
      #expect(first.status == 0, "\(first.errors)")
      let rows = try rows()
      #expect(rows.count == 4 && rows.count { $0["build"] == "other" } == 2)
      // The same code under another name gives the same tiles and scores.
      let byImage = Dictionary(grouping: rows) { $0["image"] }
      for name in ["tiles", "total_bytes", "whole_bytes", "level0_ssimulacra2", "matched_overhead_percent"] {
        #expect(byImage.values.allSatisfy { Set($0.map { $0[name] }).count == 1 && $0.count == 2 }, "\(name)")
      }
      #expect(
        Set(rows.map { $0["total_bytes"] }).count == 2 && rows.allSatisfy { $0["status"] == "measured" })
      #expect(try desk.text("results/tiles.md").contains("JPEG@other"))
      #expect(try desk.run(both).errors.contains("4 of 4 cuts already there"))
      // Other libraries under the same name make other cuts.
      try Data(MappedJPEG.bytes(buildID: [1, 2, 3, 4])).write(to: library)
      #expect(try desk.run(both).errors.contains("2 of 4 cuts already there"))
      let idle = try desk.run(tiles)
      #expect(idle.status == 64 && idle.errors.contains("no --codec uses build “other”"), "\(idle.errors)")
      let unknown = try desk.run(tiles + ["--codec", "jpeg@othr"])
      #expect(unknown.status == 64 && unknown.errors.contains("did you mean “other”"), "\(unknown.errors)")
    }

    private func tiles(_ folder: String) throws -> [String: Data] {
      let root = desk.folder.url.appending(path: folder)
      let names = try FileManager.default.subpathsOfDirectory(atPath: root.path).filter {
        $0.hasSuffix(".jpg")
      }
      return try Dictionary(
        uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: root.appending(path: $0))) })
    }

    @Test("are exported by one build")
    func exported() throws {
      try desk.writeImage("a.ppm", width: 200, height: 130)
      let folder = desk.folder.url.appending(path: "other")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let library = folder.appending(path: "libjpeg.so.62")
      try Data(MappedJPEG.bytes(buildID: [0xDE, 0xAD, 0xBE, 0xEF])).write(to: library)
      let export = ["tiles", "export", "a.ppm", "--tile-size", "64"]
      func plain(_ more: [String]) throws -> BuiltProgram.Result { try desk.run(export + more) }
      let build = ["built", "--codec", "jpeg@other", "--build", "other=other"]
      #expect(try plain(["plain"]).status == 0)
      let expected = try tiles("plain")
      let count = expected.count
      let first = try plain(build)
      #expect(first.status == 0 && first.output.contains("\(count) made"), "\(first.errors)\(first.output)")
      // The same code under another name makes the same tiles.
      let made = try tiles("built")
      #expect(expected == made && count > 12)
      #expect(try plain(build).output.contains("\(count) kept"))
      // Other libraries under the same name make them again.
      try Data(MappedJPEG.bytes(buildID: [1, 2, 3, 4])).write(to: library)
      #expect(try plain(build).output.contains("\(count) made"))
      let idle = try plain(["c", "--build", "other=other"])
      #expect(idle.status == 64 && idle.errors.contains("no --codec uses build “other”"), "\(idle.errors)")
      let unknown = try plain(["c", "--codec", "jpeg@othr", "--build", "other=other"])
      #expect(unknown.status == 64 && unknown.errors.contains("did you mean “other”"), "\(unknown.errors)")
    }

    /// The libraries that `scripts/builds libheif-VERSION` has made.
    private static let bundles: [String] = {
      let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../builds")
        .standardized.path
      let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return names.filter { $0.hasPrefix("libheif-") }.sorted().map { "\(path)/\($0)" }
    }()

    /// The picture of a file, or of a region in its middle, as PNG, decoded by the libraries of a folder.
    private func picture(
      _ name: String, _ route: ReadRoute, _ wanted: WantedPixels, with bundle: String
    ) throws -> [UInt8] {
      let url = desk.folder.url.appending(path: name)
      let bytes = [UInt8](try Data(contentsOf: url))
      let image = ImageIdentity(name: name, contentHash: SHA256.hexDigest(of: bytes))
      var configuration = RunnerConfiguration(workerExecutable: desk.program.executable.path)
      configuration.builds = [LibraryBuild(name: "new", folder: bundle)]
      let pool = WorkerPool(configuration, sessions: 1)
      defer { pool.retire() }
      let path = Array(url.path.utf8)
      let key = Case(image: image, encoding: nil, route: route, wanted: wanted, build: "new")
      let file = ImageFile(path: path, identity: image, fileBytes: bytes.count, header: nil)
      let response = try pool.sessions[0].show(
        RouteQuestion(path: file.path, key: key, repeats: 1), of: file, within: 120)
      return try #require(response.value)
    }

    /// The tile in the middle shows the region in the middle.
    @Test(
      "that are packed show the same pixels in newer versions of libheif",
      .enabled(if: !bundles.isEmpty, "SKIPPED: needs builds/libheif-…, which scripts/builds makes"))
    func packsTilesOfABuild() throws {
      try desk.writeImage("a.ppm", width: 192, height: 192)
      let export = try desk.run([
        "tiles", "export", "a.ppm", "out", "--tile-size", "64", "--layout", "names", "--codec",
        "heic:preset=ultrafast",
      ])
      #expect(export.status == 0, "\(export.errors)")
      #expect(try desk.run(["tiles", "pack", "out/a/64", "p.heic"]).status == 0)
      for bundle in Self.bundles {
        let part = try picture("p.heic", .region, .part(width: 64, height: 64), with: bundle)
        let tile = try picture("out/a/64/a_64_3_1_1.heic", .full, .all, with: bundle)
        let other = try picture("out/a/64/a_64_3_0_1.heic", .full, .all, with: bundle)
        #expect(part == tile && part != other && part.count > 100, "\(bundle)")
      }
    }
  }
#endif
