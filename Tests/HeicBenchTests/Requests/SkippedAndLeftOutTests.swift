import ArgumentParser
import Foundation
import HeicBenchKit
import TestSupport
import Testing

@testable import Commands

/// Every command that reads images says which files it skips and what it leaves out of those that it reads.
struct SkippedAndLeftOutTests {
  private let desk: ProgramDesk

  /// Makes a folder with a JPEG that has a gain map, a GIF, a video and a folder of a NAS.
  init() throws {
    desk = try ProgramDesk()
    for name in ["base", "map"] { try desk.writeImage("raw/\(name).ppm", width: 96, height: 80) }
    let made = try desk.run(["thumbnails", "raw", "made", "--size", "512"])
    try #require(made.status == 0, "\(made.errors)")
    let (base, map) = (
      [UInt8](try desk.data("made/base.ppm.jpg")), [UInt8](try desk.data("made/map.ppm.jpg"))
    )
    let packet = Array("http://ns.adobe.com/xap/1.0/\0<x hdrgm:Version=\"1.0\" hdrgm:GainMapMax=\"2\"/>".utf8)
    let file = base + map.prefix(2) + [0xFF, 0xE1, 0, UInt8(packet.count + 2)] + packet + map.dropFirst(2)
    let photos = desk.folder.url.appending(path: "photos")
    let hidden = photos.appending(path: "@eaDir/a.jpg")
    try FileManager.default.createDirectory(at: hidden, withIntermediateDirectories: true)
    for (name, bytes) in [
      ("a.jpg", file), ("b.gif", Array("GIF89a".utf8) + [UInt8](repeating: 0, count: 1994)),
      ("c.mov", [0, 0, 0, 20] + Array("ftypqt  ".utf8)), ("@eaDir/a.jpg/thumb.jpg", base),
      ("x_edited.jpg", base),
    ] {
      try Data(bytes).write(to: photos.appending(path: name))
    }
  }

  /// The commands that take images. `bisect`, which takes builds, reads images like the others, and `shards` is a sweep
  /// of a sample.
  private static let lines: [(command: String, arguments: [String])] = [
    ("sweep", ["photos", "--codec", "jpeg", "--qualities", "0.5", "--refine", "off", "--images", "none"]),
    ("thumbnails", ["photos", "thumbnails"]),
    ("tiles", ["measure", "photos", "--codec", "jpeg", "--qualities", "0.5"]),
    ("tiles", ["export", "photos", "tiles"]),
    ("decode", ["photos", "--sizes", "full", "--region", "none", "--repeat", "1", "--images", "none"]),
    ("convert-check", ["photos", "--codec", "jpeg", "--score", "50"]),
    ("import", ["--reference", "photos", "again=photos/../again", "--output", "imports"]),
    (
      "generations",
      ["photos", "--codec", "jpeg", "--qualities", "0.5", "--generations", "2", "--output", "chains"]
    ),
    ("score", ["photos/a.jpg", "photos/x_edited.jpg"]), ("view", ["photos"]),
  ]

  /// The commands that read results or nothing, and `tune`, which needs more images and has its own test.
  private static let others: Set = [
    "tune", "report", "recommend", "check", "baseline", "compare", "bisect", "shards", "merge", "failures",
    "codecs",
    "corpus", "doctor", "worker",
  ]

  @Test func noCommandIsForgotten() {
    let commands = RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
    #expect(Set(commands) == Self.others.union(Self.lines.map(\.command)))
  }

  /// Every list of formats has those of the readers.
  @Test func theFormatsThatAreReadAreListed() throws {
    let reads = ImageInput.readableFormats
    let formats = reads.replacing(" and ", with: ", ").split(separator: ", ")
    #expect(formats.count > 5)
    let help = try desk.run(["--help"]).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(help.contains("Reads \(reads)."), "\(help)")
    for name in ["README.md", "docs/sweep.md"] {
      let text = try String(contentsOf: DocumentText.root.appending(path: name), encoding: .utf8)
      let line = text.split(separator: "\n").first { line in formats.allSatisfy { line.contains($0) } }
      #expect(line != nil, "\(name) does not list \(formats)")
    }
  }

  @Test(.timeLimit(.minutes(30))) func everyCommandSaysWhatItSkipsAndLeavesOut() throws {
    try FileManager.default.createDirectory(
      at: desk.folder.url.appending(path: "again"), withIntermediateDirectories: true)
    try desk.data("made/base.ppm.jpg").write(to: desk.folder.url.appending(path: "again/a.jpg"))
    for (command, arguments) in Self.lines {
      let said: String
      if command == "view" {
        said = try view(arguments)
      } else {
        let excluding = command == "score" ? [] : ["--exclude", "*_edited*"]
        let result = try desk.run([command] + arguments + excluding)
        #expect(result.status == 0, "\(command): \(result.errors)")
        said = result.output + result.errors
        let isOfFiles = command == "sweep" ? "has an HDR gain map" : "gain map left out"
        #expect(said.contains(isOfFiles), "\(command) \(arguments): \(said)")
      }
      guard command != "score" else { continue }
      #expect(
        said.contains("Skipped 2 files that heicbench cannot read"), "\(command): \(said)")
      #expect(said.contains("1 excluded (x_edited.jpg)"), "\(command): \(said)")
      #expect(said.contains("1 folder of a NAS or the system (@eaDir)"), "\(command): \(said)")
    }
    let row = try #require(try desk.rows(of: "results/measurements.csv").first)
    #expect(row["remarks"]?.contains("gain map left out") == true)
    let summary = try desk.text("results/summary.md")
    #expect(summary.contains("1 GIF, 2.0 kB (b.gif)"), "\(summary)")
  }

  /// What `view` writes to standard error before it serves its page.
  private func view(_ arguments: [String]) throws -> String {
    let process = desk.program.process(
      ["view"] + arguments + ["--exclude", "*_edited*"], in: desk.folder.url, environment: [:])
    let (output, errors) = (Pipe(), Pipe())
    (process.standardOutput, process.standardError) = (output, errors)
    try process.run()
    _ = try output.fileHandleForReading.read(upToCount: 1)
    process.terminate()
    process.waitUntilExit()
    return String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }

  @Test func programsGetItAsJSON() throws {
    let check = try desk.run([
      "convert-check", "photos", "--codec", "jpeg", "--score", "50", "--format", "json",
    ])
    let json = try #require(try JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any])
    let folder = try #require(json["folder"] as? [String: Any])
    let unread = try #require(folder["unread"] as? [[String: Any]])
    #expect(unread.map { $0["format"] as? String } == ["GIF", "video"])
    #expect(unread.first?["names"] as? [String] == ["b.gif"] && unread.first?["bytes"] as? Int == 2000)
    let remarks = try #require(json["remarks"] as? [[String: Any]])
    #expect(remarks.first?["examples"] as? [String] == ["a.jpg"])
    let score = try desk.run(["score", "photos/x_edited.jpg", "photos/a.jpg", "--format", "json"])
    #expect(score.output.contains("\"remarks\": \"gain map left out"), "\(score.output)")
    let sweep = try desk.run([
      "photos", "--codec", "null", "--qualities", "0.5", "--metrics", "none", "--format", "json", "--images",
      "none",
    ])
    let results = try #require(
      try JSONSerialization.jsonObject(with: Data(sweep.output.utf8)) as? [String: Any])
    let manifest = try #require(results["manifest"] as? [String: Any])
    #expect((manifest["unread"] as? [[String: Any]])?.map { $0["format"] as? String } == ["GIF", "video"])
  }

  @Test(
    "decode, tiles measure and generations list skipped files in their JSON",
    arguments: [
      (["decode", "photos", "--sizes", "64"], "decode.json"),
      (
        ["tiles", "measure", "photos", "--codec", "jpeg", "--qualities", "0.5", "--tile-sizes", "64"],
        "tiles.json"
      ),
      (
        ["generations", "photos", "--codec", "jpeg", "--qualities", "0.5", "--generations", "2"],
        "generations.json"
      ),
    ])
  func featuresHaveItInJSON(_ command: [String], _ file: String) throws {
    let run = try desk.run(command)
    #expect(run.status == 0, "\(run.errors)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: desk.data("results/\(file)")) as? [String: Any])
    let unread = try #require(json["unread"] as? [[String: Any]])
    #expect(unread.map { $0["format"] as? String } == ["GIF", "video"])
    let skipped = try #require(json["skipped"] as? [String: Int])
    #expect(skipped["a format that heicbench does not read"] == 2, "\(skipped)")
  }
}
