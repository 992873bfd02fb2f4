import Foundation
import Model
import Store
import TestSupport
import Testing

@testable import HeicBenchKit

/// Files by other encoders, as users import them.
@Suite("heicbench import")
struct ImportProgramTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  /// Writes patches of 16 pixels that differ for every seed, so that no two pictures are the same.
  private func writePicture(_ name: String, width: Int = 128, height: Int = 96, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let cells = (0..<(width / 16 + 1) * (height / 16 + 1) * 3).map { _ in generator.unit() }
    // A comment makes a different file of the same picture.
    var bytes = Array("P6\n# \(name)\n\(width) \(height)\n255\n".utf8)
    for y in 0..<height {
      for x in 0..<width {
        let cell = (y / 16) * (width / 16 + 1) + x / 16
        for channel in 0..<3 {
          bytes.append(UInt8(30 + 190 * cells[cell * 3 + channel] + Double((x * 7 + y * 5) % 11)))
        }
      }
    }
    let file = desk.folder.url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  /// Sweeps three pictures and keeps every encoded file.
  private func sweep() throws {
    for (number, name) in ["a", "b", "c"].enumerated() {
      try writePicture("images/\(name).ppm", seed: UInt64(number + 1))
    }
    let result = try desk.run([
      "images", "--codec", "jpeg", "--codec", "heic", "--qualities", "0.4...0.7:0.05", "--refine", "off",
      "--metrics", "ssimulacra2,psnr-y", "--keep-encoded", "kept", "--images", "none", "--quiet",
    ])
    #expect(result.status == 0, "\(result.errors)")
  }

  private func copy(_ from: String, _ to: String) throws {
    let target = desk.folder.url.appending(path: to)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try? FileManager.default.removeItem(at: target)
    try FileManager.default.copyItem(at: desk.folder.url.appending(path: from), to: target)
  }

  @Test("a folder whose files have our names is refused before anything is made in it")
  func foreignFiles() throws {
    try writePicture("images/a.ppm", seed: 1)
    try writePicture("phone/a.ppm", width: 96, seed: 1)
    try FileManager.default.createDirectory(
      at: desk.folder.url.appending(path: "mine"), withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: desk.folder.url.appending(path: "mine/summary.md"))
    let result = try desk.run(["import", "--reference", "images", "phone=phone", "--output", "mine"])
    #expect(result.status == 74 && result.errors.contains("summary.md” is in the way"), "\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.folder.path + "/mine") == ["summary.md"])
  }

  private func rows() throws -> [[String: String]] {
    let path = desk.folder.path + "/results/measurements.csv"
    let columns = (TableCSV.columns(ofFile: path) ?? []).map { ($0, "") }
    return try TableCSV.rows(ofFile: path, required: []).map {
      Dictionary(columns, uniquingKeysWith: { $1 }).merging($0) { $1 }
    }
  }

  private static let command = ["import", "--reference", "images", "other=others", "--images", "1"]

  @Test("a list gives the bytes of files of a format that heicbench does not read")
  func givenBytes() throws {
    try sweep()
    try copy("kept/a.ppm/heic-q0.55.heic", "others/x.heic")
    func run(_ bytes: Int) throws -> BuiltProgram.Result {
      let list = "reference,file,bytes\na.ppm,x.heic,\(bytes)\n"
      try Data(list.utf8).write(to: desk.folder.url.appending(path: "pairs.csv"))
      return try desk.run(Self.command + ["--pairs", "pairs.csv"])
    }
    for bytes in [1000, 500] {
      let result = try run(bytes)
      #expect(result.status == 0 && result.errors.contains("1 file imported"), "\(result.errors)")
      let row = try #require(try rows().first { $0["codec"] == "other" })
      #expect(
        row["encoded_bytes"] == "\(bytes)" && row["imported_making"]?.hasPrefix("bytes as given") == true)
    }
    #expect(try run(500).errors.contains("all 1 file already there"))
    let wrong = try run(0)
    #expect(wrong.status != 0 && wrong.errors.contains("pairs.csv"), "\(wrong.errors)")
  }

  @Test("our own files under another name count with the same bytes, once")
  func ownFiles() throws {
    try sweep()
    for name in ["a", "b", "c"] { try copy("kept/\(name).ppm/heic-q0.55.heic", "others/\(name).heic") }
    let first = try desk.run(Self.command)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.contains("other’s files need 1.00 times the bytes of heic at equal SSIMULACRA2"))
    #expect(first.output.contains("heic looks the same at quality 0.55 (median)"))
    #expect(first.errors.contains("3 files imported"))
    let imported = try rows().filter { $0["codec"] == "other" }
    #expect(imported.map { $0["imported_file"] } == ["a.heic", "b.heic", "c.heic"])
    for row in imported {
      let own = try rows().first {
        $0["image"] == row["image"] && $0["codec"] == "heic" && $0["quality"] == "0.55"
      }
      #expect(row["quality"] == "" && row["native_quality"] == "" && row["status"] == "measured")
      #expect(row["encoded_bytes"] == own?["encoded_bytes"] && row["ssimulacra2"] == own?["ssimulacra2"])
      #expect(row["psnr_y_db"] == own?["psnr_y_db"])
    }
    #expect(try desk.text("results/summary.md").contains("## Files of other encoders"))
    let page = try desk.text("results/report.html")
    #expect(page.contains("\"imported\":true") && page.contains("\"f\":[\"a.heic\"]"))

    // Nothing is left to do, and a sweep keeps the imported files.
    let second = try desk.run(Self.command)
    #expect(second.errors.contains("all 3 files already there") && second.output == first.output)
    let swept = try desk.run([
      "images", "--codec", "jpeg", "--codec", "heic", "--qualities", "0.4...0.7:0.05", "--refine", "off",
      "--metrics", "ssimulacra2,psnr-y", "--images", "none",
    ])
    #expect(swept.output.contains("other’s files need 1.00 times the bytes of heic"))
    #expect(swept.errors.contains(" 0 encodes in"))

    // Both the store and the CSV work as baselines of imported files.
    try copy("results", "before")
    #expect(try desk.run(["check", "--write", "imports.csv"]).status == 0)
    for baseline in ["before", "imports.csv"] {
      let passed = try desk.run(["check", "--baseline", baseline, "--current", "results"])
      #expect(passed.status == 0, "\(baseline): \(passed.output) \(passed.errors)")
    }

    // A changed file counts as another one, and a missing file is no longer a result.
    try copy("kept/a.ppm/heic-q0.7.heic", "others/a.heic")
    try FileManager.default.removeItem(at: desk.folder.url.appending(path: "others/b.heic"))
    #expect(try desk.run(Self.command).errors.contains("2 files imported"))
    let after = try rows().filter { $0["codec"] == "other" }
    #expect(after.map { $0["imported_file"] } == ["a.heic", "c.heic"])
    #expect(after[0]["encoded_bytes"] != imported[0]["encoded_bytes"])
    #expect(after[1] == imported[2])

    for baseline in ["before", "imports.csv"] {
      let failed = try desk.run(["check", "--baseline", baseline, "--current", "results", "--format", "json"])
      #expect(failed.status == 1, "\(baseline): \(failed.errors)")
      let report = try JSONSerialization.jsonObject(with: Data(failed.output.utf8)) as? [String: Any]
      let findings = try #require(report?["regressions"] as? [[String: Any]])
      let others = findings.filter { $0["variant"] as? String == "other" }
      #expect(
        others.contains { $0["quantity"] as? String == "bytes" && $0["quality"] as? String == "a.heic" },
        "\(baseline): \(others)")
      #expect(others.contains { $0["quantity"] as? String == "vanished" }, "\(baseline): \(others)")
    }

    // The results can be their own baseline, and JSON, CSV and comparisons include them.
    let gate = try desk.run(["check", "--baseline", "results/measurements.csv"])
    #expect(gate.status == 0, "\(gate.output) \(gate.errors)")
    let json = try desk.run(["report", "results", "--format", "json"])
    #expect(json.output.contains("\"imported_file\": \"a.heic\"") && json.output.contains("\"bytes_ratio\""))
    #expect(try desk.run(["report", "results", "results/measurements.csv"]).status == 0)

    // A program that does not serve workers imports with those of an installed heicbench.
    let folder = desk.folder.path
    var request = ImportRequest(
      reference: [InputPath(folder + "/images")],
      series: [.init(name: "other", folder: InputPath(folder + "/others"))], output: folder + "/results")
    request.page.images = 0
    request.workers.program = desk.program.executable.path
    #expect(try request.run(cancellation: Cancellation()).known == 2)
  }

  @Test("bytes beside the picture do not count against the encoder, and are reported")
  func metadata() throws {
    try sweep()
    let profile = Array("ICC_PROFILE\0\u{1}\u{1}".utf8) + [UInt8](repeating: 7, count: 3_000)
    let segment = [0xFF, 0xE2, UInt8((profile.count + 2) >> 8), UInt8((profile.count + 2) & 0xFF)] + profile
    for name in ["a", "b", "c"] {
      try copy("kept/\(name).ppm/jpeg-q0.55.jpg", "others/\(name).jpg")
      let file = desk.folder.url.appending(path: "others/\(name).jpg")
      var bytes = [UInt8](try Data(contentsOf: file))
      bytes.insert(contentsOf: segment, at: 2)
      try Data(bytes).write(to: file)
    }
    let result = try desk.run(Self.command)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.contains(" 1.00 times the bytes of jpeg at equal SSIMULACRA2"), "\(result.output)")
    #expect(
      result.output.contains("files have more of these than jpeg’s, by 3,018 bytes (median)"),
      "\(result.output)")
    #expect(!result.output.contains("With profiles, metadata and previews, the ratio is 1.00"))
    let imported = try rows().filter { $0["codec"] == "other" }
    #expect(imported.map { $0["metadata_bytes"] } == ["3018", "3018", "3018"])
    #expect(imported.allSatisfy { $0["imported_making"]?.hasPrefix("profile ") == true })
    #expect(try rows().filter { $0["codec"] == "heic" }.allSatisfy { $0["metadata_bytes"] == "0" })
  }

  @Test("wrong pairs, other sizes and files that are not images are refused by name")
  func refusals() throws {
    try sweep()
    try copy("kept/a.ppm/heic-q0.55.heic", "others/a.heic")
    try copy("kept/c.ppm/heic-q0.55.heic", "others/b.heic")
    try writePicture("others/c.ppm", width: 64, height: 48, seed: 3)
    try writePicture("others/a-cropped.ppm", width: 128, height: 80, seed: 1)
    try writePicture("others/a-turned.ppm", width: 96, height: 128, seed: 1)
    try writePicture("others/stranger.ppm", seed: 1)
    try desk.write("no image", to: "others/b-text.heic")
    let result = try desk.run(Self.command)
    #expect(result.status == 3, "\(result.errors)")
    for (file, reason) in [
      ("b.heic", "shows a different picture"), ("c.ppm", "reduced"), ("a-cropped.ppm", "cropped"),
      ("a-turned.ppm", "turned"), ("stranger.ppm", "no original has its name"), ("b-text.heic", "left out"),
    ] {
      #expect(
        result.errors.contains("other: “\(file)” is left out:") && result.errors.contains(reason),
        "\(file): \(result.errors)")
    }
    #expect(result.errors.contains("1 file imported"))
    let measured = try rows().filter { $0["codec"] == "other" && $0["status"] == "measured" }
    #expect(measured.map { $0["imported_file"] } == ["a.heic"])
    let failed = try rows().filter { $0["codec"] == "other" && $0["status"] == "failed" }
    #expect(failed.allSatisfy { $0["encoded_bytes"] == "" && $0["ssimulacra2"] == "" })
    #expect(
      Set(failed.map { $0["imported_file"] })
        == ["b.heic", "c.ppm", "a-cropped.ppm", "a-turned.ppm", "b-text.heic"])
    let listed = try desk.run(["report", "--failures"])
    for file in ["b.heic", "b-text.heic", "a-cropped.ppm"] {
      #expect(listed.output.contains("other “\(file)”"), "\(listed.output)")
    }
    #expect(listed.output.contains("heicbench score images/b.ppm others/b.heic"), "\(listed.output)")
    #expect(!listed.output.contains("“a.heic”"))
  }

  @Test("without a sweep, the output has scores and the command for the rest")
  func noSweep() throws {
    try writePicture("images/a.ppm", seed: 1)
    try writePicture("others/a-1.ppm", seed: 1)
    let result = try desk.run(Self.command)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("To compare the imported files with JPEG and HEIC"))
    #expect(result.output.contains("heicbench images --output results"))
    // The same picture in another file, so nothing was lost.
    #expect(try rows().map { $0["ssimulacra2"] } == ["100.00000"])
  }

  @Test("impossible names and folders")
  func usage() throws {
    try writePicture("images/a.ppm", seed: 1)
    for (words, text) in [
      (["heic=images"], "is a codec of heicbench"), (["x"], "NAME=FOLDER"), (["a b=images"], "is not a name"),
      (["x=images", "X=images"], "names two folders"),
    ] {
      let result = try desk.run(["import", "--reference", "images"] + words)
      #expect(result.status == 64 && result.errors.contains(text), "\(words): \(result.errors)")
    }
    let missing = try desk.run(["import", "--reference", "images", "x=nowhere"])
    #expect(missing.status == 66, "\(missing.errors)")
  }

  /// Makes an executable script.
  private func script(_ body: String) throws {
    let path = desk.folder.path + "/score"
    try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(filePath: path))
    chmod(path, 0o755)
  }

  @Test("the sweep’s own programs also score files, and no others do", .timeLimit(.minutes(30)))
  func programs() throws {
    try writePicture("images/a.ppm", seed: 1)
    // The script scores the decoded picture by the size of its PNG, which only the same pixels have.
    try script(#"wc -c < "$2""#)
    let metric = ["--metric-command", "mine=\(desk.folder.path)/score {reference} {distorted}"]
    let swept = try desk.run(
      [
        "images", "--codec", "jpeg", "--qualities", "0.3...0.9:0.2", "--refine", "off", "--metrics",
        "ssimulacra2", "--keep-encoded", "kept", "--images", "none", "--quiet",
      ] + metric)
    #expect(swept.status == 0, "\(swept.errors)")
    try copy("kept/a.ppm/jpeg-q0.5.jpg", "others/a.jpg")
    func imported() throws -> [String: String]? { try rows().first { $0["codec"] == "other" } }
    let plain = try desk.run(Self.command)
    #expect(plain.status == 0 && plain.output.contains("have no mine scores"), "\(plain.errors)")
    #expect(try imported()?["mine"] == "")
    let scored = try desk.run(Self.command + metric)
    #expect(scored.status == 0 && !scored.output.contains("have no mine scores"), "\(scored.errors)")
    let own = try rows().first { $0["codec"] == "jpeg" && $0["quality"] == "0.5" }
    let score = try #require(try imported()?["mine"])
    #expect(!score.isEmpty && score == own?["mine"])
    let again = try desk.run(Self.command + metric)
    #expect(again.errors.contains("already there"), "\(again.errors)")
    for (name, reason) in [("other", "have no “other” scores"), ("mine", "“mine” differs from the command")] {
      let stranger = try desk.run(
        Self.command + ["--metric-command", "\(name)=sh \(desk.folder.path)/score {reference} {distorted}"])
      #expect(stranger.status == 64 && stranger.errors.contains(reason), "\(stranger.errors)")
    }
    // A program that fails loses only its score, and is run again next time.
    try script("exit 3")
    let changed = try desk.run(
      [
        "images", "--codec", "jpeg", "--qualities", "0.5", "--refine", "off", "--metrics", "ssimulacra2",
        "--images",
        "none", "--quiet",
      ] + metric)
    #expect(changed.status == 3)
    #expect(try imported().map { $0["mine"] == "" && $0["status"] == "measured" } == true)
    let failed = try desk.run(Self.command + metric)
    #expect(failed.status == 0 && failed.errors.contains("“a.jpg” has no mine, which ended with status 3"))
  }
}
