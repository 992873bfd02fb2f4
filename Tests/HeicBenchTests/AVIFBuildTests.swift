#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// AVIF through the libavif of a build: one that `scripts/builds` made, or else the system's.
  @Suite("AVIF of libavif") struct AVIFBuildTests {
    private let desk: ProgramDesk

    init() throws { desk = try ProgramDesk() }

    private static let library: String? = {
      let builds = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "builds").path
      let made = (try? FileManager.default.contentsOfDirectory(atPath: builds)) ?? []
      let folders =
        made.filter { $0.hasPrefix("libavif-") }.sorted().map { "\(builds)/\($0)" }
        + ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/local/lib"]
      return folders.map { $0 + "/libavif.so.16" }.first { FileManager.default.fileExists(atPath: $0) }
    }()
    private static let needsLibrary =
      "SKIPPED: needs libavif 1.0 or later: run scripts/builds libavif-1.6.0 before"

    /// An avifenc that loads `library`: Debian 12's has libavif 0.11, whose name is another.
    private static let tool = ["/usr/bin/avifenc", "/usr/local/bin/avifenc"].first {
      FileManager.default.contents(atPath: $0)?.range(of: Data("libavif.so.16".utf8)) != nil
    }

    /// The folder of a build with libavif. For the system's libavif, a new folder that holds nothing else.
    private func build() throws -> String {
      let library = URL(filePath: try #require(Self.library))
      guard library.path.hasPrefix("/usr/") else { return library.deletingLastPathComponent().path }
      let folder = desk.folder.url.appending(path: "library")
      if !FileManager.default.fileExists(atPath: folder.path) {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
          at: folder.appending(path: library.lastPathComponent), withDestinationURL: library)
      }
      return folder.path
    }

    /// Sweeps a committed picture, and returns the row and the file of its only point.
    private func point(_ picture: String, _ settings: String, _ more: String...) throws -> (
      row: [String: String], file: Data
    ) {
      let source = "\(ReferenceFolder.committed)/refs/\(picture).png"
      let name = "\(picture)-\(settings.filter { $0.isLetter || $0.isNumber })\(more.count)"
      let result = try desk.run(
        [
          source, "--codec", "avif@new" + settings, "--build", "new=\(build())", "--qualities", "0.6",
          "--refine", "off", "--metrics", "psnr-rgb", "--images", "none", "--output", name, "--keep-encoded",
          name + "/kept",
        ] + more)
      #expect(result.status == 0, "\(settings): \(result.errors)")
      let folder = desk.folder.path + "/" + name + "/kept"
      let file = try #require(
        FileManager.default.subpathsOfDirectory(atPath: folder).first { $0.hasSuffix(".avif") })
      let row = try #require(try desk.rows(of: name + "/measurements.csv").first)
      return (row, try Data(contentsOf: URL(filePath: folder + "/" + file)))
    }

    @Test(
      "is recorded with its codecs, and decoded by libheif or by the build itself",
      .enabled(if: library != nil, "\(needsLibrary)"), arguments: ["market", "gray", "alpha", "display-p3"])
    func isMeasured(picture: String) throws {
      for settings in ["", ":chroma=444"] {
        let (scored, own) = (try point(picture, settings), try point(picture, settings, "--decoder", "own"))
        #expect(scored.row["libraries"]?.contains("; scored through libheif") == true)
        #expect(own.row["libraries"]?.hasPrefix("libavif 1.") == true)
        #expect(own.row["libraries"]?.contains("aom") == true && scored.file == own.file)
        let scores = [scored.row, own.row].compactMap { $0["psnr_rgb_db"].flatMap(Double.init) }
        #expect(
          scores.count == 2 && scores.allSatisfy { $0 > 28 } && abs(scores[0] - scores[1]) < 3, "\(scores)")
      }
      #expect(try point(picture, ":lossless").row["psnr_rgb_db"].flatMap(Double.init) == 100)
      // aom codes losslessly at 1.0 and then ignores the tuning.
      let best = try point(picture, "", "--qualities", "1.0", "--quiet").row["psnr_rgb_db"].flatMap(
        Double.init)
      #expect(try #require(best) > 30)
    }

    @Test("does not read files, which libheif does", .enabled(if: library != nil, "\(needsLibrary)"))
    func isNoReader() throws {
      let file = try point("market", "").file
      try file.write(to: desk.folder.url.appending(path: "a.avif"))
      let source = "\(ReferenceFolder.committed)/refs/market.png"
      for arguments in [
        ["decode", "a.avif"], ["decode", source, "--codec", "avif@new"], ["bisect", "a.avif", "--as-found"],
      ] {
        let builds = ["--build", "new=\(try build())"]
        let system = arguments[0] == "bisect" ? ["--build", "now=system"] : []
        let result = try desk.run(arguments + system + builds)
        #expect(result.status == 64, "\(arguments): \(result.errors)")
      }
    }

    @Test(
      "makes the same bytes as avifenc",
      .enabled(if: library != nil && tool != nil, "SKIPPED: needs libavif and avifenc 1.0 or later"),
      arguments: [
        ("market", "", ["-y", "420"]), ("market", ":chroma=444,speed=8", ["-y", "444", "-s", "8"]),
        ("market", ":chroma=422,tune=ssim", ["-y", "422", "-a", "color:tune=ssim"]),
        ("market", ":tune=psnr,speed=9", ["-y", "420", "-a", "color:tune=psnr", "-s", "9"]),
        ("market", ":lossless,speed=9", ["--lossless", "-s", "9"]),
        ("gray", "", ["-y", "400"]), ("alpha", "", ["-y", "420"]), ("display-p3", "", ["-y", "420"]),
      ])
    func bytesAreThoseOfTheTool(picture: String, settings: String, arguments: [String]) throws {
      let files = try files(picture, settings, arguments)
      #expect(files.own == files.tool)
    }

    @Test(
      "makes the same bytes as avifenc with SVT-AV1",
      .enabled(
        if: tool != nil && library?.contains("builds/libavif-") == true,
        "SKIPPED: needs avifenc 1.0 or later, and builds/libavif-…, which scripts/builds makes"),
      arguments: [
        ("", [String]()), (",depth=10,speed=8", ["-d", "10", "-s", "8"]), (",tune=iq", ["-a", "tune=3"]),
        (",tune=ms-ssim", ["-a", "tune=4"]),
      ])
    func bytesAreThoseOfTheToolWithSVT(settings: String, arguments: [String]) throws {
      let files = try files("market", ":encoder=svt" + settings, ["-c", "svt", "-y", "420"] + arguments)
      #expect(files.own == files.tool)
    }

    /// The file that heicbench makes of a picture, and the one that avifenc makes with the same library.
    private func files(_ picture: String, _ settings: String, _ arguments: [String]) throws -> (
      own: Data, tool: Data
    ) {
      let file = try point(picture, settings).file
      let output = desk.folder.path + "/tool.avif"
      let process = Process()
      process.executableURL = URL(filePath: try #require(Self.tool))
      // Without a profile, avifenc does not state colours, while heicbench states those of sRGB.
      let colours =
        picture == "display-p3" ? [] : ["--cicp", settings.contains("lossless") ? "1/13/0" : "1/13/6"]
      let quality = settings.contains("lossless") ? [] : ["-q", "60"]
      process.arguments =
        arguments + colours + quality + [
          "-j", "1", "\(ReferenceFolder.committed)/refs/\(picture).png", output,
        ]
      process.environment = ["LD_LIBRARY_PATH": try build()]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0)
      return (file, try Data(contentsOf: URL(filePath: output)))
    }
  }
#endif
