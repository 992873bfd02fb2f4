import Foundation
import GRDB
import Model
import TestSupport
import Testing

/// `heicbench decode` as its users run it.
struct DecodeCommandTests {
  private static let header = """
    image,source,codec,settings,build,quality,file_bytes,width,height,route,wanted,delivered_width,\
    delivered_height,cpu_ms,wall_ms,cpu_min_ms,cpu_mad_ms,repeats,timing,peak_mib,predicted_mib,touched_bytes,\
    ssimulacra2,ssimulacra2_aligned,ssimulacra2_ceiling,psnr_y_db,status,error
    """

  private func rows(
    _ desk: ProgramDesk, in folder: String = "results", further columns: String = ""
  ) throws -> [[String: String]] {
    #expect(try desk.text("\(folder)/decodes.csv").hasPrefix(Self.header + columns + "\n"))
    return try desk.rows(of: "\(folder)/decodes.csv")
  }

  @Test func everyRouteOfEveryFileIsAccountedFor() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 260, height: 140)
    try desk.write("no image", to: "photos/b.png")
    let result = try desk.run([
      "decode", "photos", "--sizes", "50,full", "--region", "31x17", "--codec", "jpeg", "--codec",
      "heic:preset=ultrafast", "--repeat", "2", "--jobs", "2",
    ])
    #expect(result.status == 3, "\(result.errors)")
    let rows = try rows(desk)
    // Seven reads of two pictures, each of the source file and from two codecs.
    #expect(rows.count == 7 * 2 * 3)
    #expect(rows.filter { $0["image"] == "b.png" }.allSatisfy { $0["status"] == "failed" })
    let jpeg = rows.filter { $0["image"] == "a.ppm" && $0["codec"] == "jpeg" }
    let byRoute = Dictionary(grouping: jpeg) { "\($0["route"] ?? "") \($0["wanted"] ?? "")" }
    #expect(byRoute["full full"]?.first?["ssimulacra2"].flatMap(Double.init) == 100)
    #expect(byRoute["full 50"]?.first?["delivered_width"] == "50")
    #expect(byRoute["full 50"]?.first?["delivered_height"] == "27")
    #expect(byRoute["scaled 50"]?.first?["status"] == "measured")
    #expect(byRoute["region 31x17"]?.first?["delivered_width"] == "31")
    // The region is too small for SSIMULACRA2, so PSNR-Y shows that nothing is lost.
    #expect(byRoute["region 31x17"]?.first?["psnr_y_db"].flatMap(Double.init) == 100)
    #expect(byRoute["thumbnail 50"]?.first?["status"] == "unsupported")
    #expect(byRoute["thumbnail 50"]?.first?["error"] == "there is no embedded thumbnail")
    let found = rows.filter { $0["image"] == "a.ppm" && $0["source"] == "as-found" }
    #expect(found.count == 7 && found.allSatisfy { $0["codec"] == "pnm" })
    let measured = rows.filter { $0["status"] == "measured" }
    #expect(measured.allSatisfy { $0["repeats"] == "2" && $0["timing"] == "contended" })
    #expect(measured.allSatisfy { ($0["cpu_ms"].flatMap(Double.init) ?? -1) >= 0 })
    #expect(result.output.contains("All, ms") && result.output.contains("results/decode.html"))
    #expect(result.output.contains("so do not compare codecs here"))
    #expect(try desk.text("results/decode.md").contains("## Answers"))
    let json = try JSONSerialization.jsonObject(with: Data(desk.text("results/decode.json").utf8))
    let document = try #require(json as? [String: Any])
    #expect((document["reads"] as? [Any])?.count == rows.count)
    let answer = try #require(document["answer"] as? String)
    #expect(result.output.hasPrefix(answer + "\n"))
    #expect(try desk.text("results/decode.md").contains("\n**\(answer)**\n"))
    let page = try desk.text("results/decode.html").replacing("\u{a0}", with: " ")
    #expect(page.contains("<h1 class=\"answer\">\(answer)</h1>"))
  }

  @Test func reportsShowReads() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 260, height: 140)
    let decode = [
      "decode", "photos", "--sizes", "100,full", "--region", "none", "--codec", "jpeg", "--repeat", "1",
    ]
    let read = try desk.run(decode + ["--at", "42"])
    #expect(read.status == 0, "\(read.errors)")
    let page = try desk.text("results/decode.html")
    // The source file, and its JPEG by both routes.
    #expect(page.components(separatedBy: "src=\"data:image/png").count - 1 == 3)
    #expect(page.components(separatedBy: "src=\"data:image/svg+xml").count - 1 == 2)
    let markdown = try desk.text("results/decode.md")
    // A folder without a sweep has reads to report, at the requested score.
    for name in ["decode.md", "decode.html", "decodes.csv"] { try desk.remove("results/\(name)") }
    let again = try desk.run(["report"])
    #expect(again.status == 0 && again.errors.contains("results/decode.html"), "\(again.errors)")
    #expect(try desk.text("results/decode.md") == markdown)
    #expect(try desk.text("results/decode.html") == page)
    #expect(try desk.run(["report", "--format", "csv"]).output == desk.text("results/decodes.csv"))
    #expect(try desk.run(["report", "--format", "json"]).output.contains("\"honest_score\": 42"))
    // With a sweep in the same folder, the sweep's reports include the reads.
    let sweep = try desk.run(["photos", "--qualities", "0.5", "--codec", "jpeg", "--refine", "off"])
    #expect(sweep.status == 0, "\(sweep.errors)")
    #expect(try desk.text("results/summary.md").contains("## Decoding cost"))
    let report = try desk.text("results/report.html")
    #expect(report.contains("<section id=\"reads\">") && report.contains("full, 100 px: "))
    // Later reads make these reports out of date.
    let more = try desk.run(decode + ["--qualities", "0.3"])
    #expect(more.errors.contains("heicbench report results"), "\(more.errors)")
    #expect(try desk.run(["photos", "--qualities", "0.5", "--codec", "jpeg", "--refine", "off"]).status == 0)
    #expect(try desk.text("results/summary.md").contains("JPEG at quality 0.3"))
  }

  @Test func furtherMetricsScoreWhatScoreScores() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 512, height: 384)
    func thumbnails(_ source: String, _ folder: String, _ options: [String]) throws {
      let made = try desk.run(["thumbnails", source, folder] + options)
      #expect(made.status == 0, "\(made.errors)")
    }
    try thumbnails("a.ppm", "files", ["--size", "512", "--quality", "0.6"])
    // Files on heicbench's list are its own, so it does not read them as pictures.
    try FileManager.default.copyItem(
      at: desk.folder.url.appending(path: "files/a.ppm.jpg"), to: desk.folder.url.appending(path: "a.jpg"))
    // The two pictures that a read compares: the whole file reduced in linear light, and the decoder's reduced size.
    try thumbnails("a.jpg", "whole", ["--size", "512", "--format", "png"])
    try thumbnails("whole/a.jpg.png", "reference", ["--size", "256", "--format", "png"])
    try thumbnails("a.jpg", "scaled", ["--size", "256", "--format", "png"])
    let pair = ["reference/a.jpg.png.png", "scaled/a.jpg.png"]
    let scored = try desk.run(["score"] + pair + ["--format", "csv"])
    let expected = try #require(try ProgramDesk.rows(in: scored.output).first, "\(scored.errors)")
    let decode = [
      "decode", "a.jpg", "--sizes", "256", "--region", "none", "--repeat", "1", "--images", "none",
    ]
    #expect(try desk.run(decode).status == 0)
    let further =
      decode + [
        "--metrics", "ssim,psnr-y,psnr-rgb,ms-ssim", "--metric-command",
        "mine=sh -c \"echo 7\" {reference} {distorted}",
      ]
    let result = try desk.run(further)
    #expect(result.status == 0 && !result.errors.contains("6 of 6"), "\(result.errors)")
    let row = try #require(
      try rows(desk, further: ",ssim,psnr_rgb_db,ms_ssim,mine").first { $0["route"] == "scaled" })
    #expect(row["error"]?.isEmpty == true && row["mine"].flatMap(Double.init) == 7)
    for name in ["ssimulacra2", "psnr_y_db", "ssim", "psnr_rgb_db", "ms_ssim"] {
      let (read, score) = (row[name].flatMap(Double.init), expected[name].flatMap(Double.init))
      #expect(try abs(#require(read) - #require(score)) < 0.001, "\(name)")
    }
    #expect(try desk.text("results/decode.md").contains("MS-SSIM"))
    #expect(try desk.text("results/decode.json").contains("\"ms_ssim\""))
    #expect(try desk.run(further).errors.contains("6 of 6 reads already there"))
  }

  @Test func anEncodeOfASweepIsNotScoredAgain() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 260, height: 140)
    let encodes = ["--codec", "jpeg", "--qualities", "0.5,0.7", "--images", "none"]
    #expect(try desk.run(["a.ppm", "--refine", "off"] + encodes).status == 0)
    // An impossible score shows where it comes from. Another hash means another file.
    try DatabaseQueue(path: desk.folder.path + "/results/heicbench.sqlite").write { db in
      let number = try #require(
        try Int.fetchOne(db, sql: "SELECT id FROM metric WHERE name = 'ssimulacra2'"))
      try db.execute(sql: "UPDATE result SET score_\(number) = 12.5 WHERE way = ''")
      try db.execute(sql: "UPDATE result SET hash = zeroblob(32) WHERE way = '' AND quality = 700")
    }
    let decode = ["decode", "a.ppm", "--sizes", "full", "--region", "none", "--repeat", "1"] + encodes
    func score(_ kind: String, _ options: [String] = []) throws -> Substring? {
      let result = try desk.run(decode + options)
      #expect(result.status == 0, "\(result.errors)")
      return result.output.split(separator: "\n").first { $0.hasPrefix(kind) }?.split(separator: " ").last
    }
    #expect(try score("JPEG at 0.5") == "12.5")
    #expect(try score("JPEG at 0.7").map { $0 != "12.5" } == true)
    #expect(try score("JPEG at 0.5", ["--fresh"]).map { $0 != "12.5" } == true)
  }

  @Test func galleriesArePlayed() throws {
    let desk = try ProgramDesk()
    for seed in 1...5 as ClosedRange<UInt64> {
      try desk.writeImage("photos/\(seed).ppm", width: 260, height: 140, seed: seed)
    }
    try desk.write("no image", to: "photos/bad.png")
    let gallery = ["decode", "--gallery", "photos", "--cell", "100", "--cells", "2x1", "--repeat", "1"]
    let first = try desk.run(gallery)
    #expect(first.status == 3 && first.output.contains("thumbnails cached"), "\(first.errors)")
    #expect(first.output.hasPrefix("A cell of 100 pixels waits "), "\(first.output)")
    #expect(first.output.contains("Charts and tables: results/gallery.html"))
    #expect(try desk.text("results/gallery.json").contains("\"answer\": \"A cell of 100 pixels waits "))
    let table = try desk.text("results/gallery.csv")
    #expect(table.split(separator: "\n").count == 7)
    #expect(try desk.text("results/gallery.md").contains("- “bad.png”"))
    // A replay from the same reads gives the same result.
    let again = try desk.run(gallery)
    #expect(try again.output == first.output && desk.text("results/gallery.csv") == table)
    #expect(try desk.run(gallery + ["--codec", "jpeg"]).status == 64)
    #expect(try desk.run(gallery + ["--cells", "0x4"]).status == 64)
  }

  @Test func gateKnowsReads() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 260, height: 140)
    let decode = [
      "decode", "photos", "--sizes", "100,full", "--region", "none", "--codec", "jpeg", "--images", "none",
    ]
    #expect(try desk.run(decode).status == 0)
    #expect(try desk.run(["check", "--reads", "--write", "reads.csv"]).status == 0)
    let baseline = try desk.text("reads.csv")
    #expect(baseline.split(separator: "\n").first?.hasSuffix(",libraries,host,processor,jobs") == true)
    let passed = try desk.run(["check", "--baseline", "reads.csv"])
    #expect(
      passed.status == 0 && passed.output.contains("gate for reads passed"),
      "\(passed.output)\(passed.errors)")
    #expect(try desk.run(["check", "--baseline", "results"]).status == 0)
    #expect(try desk.run(["check", "--baseline", "results/decodes.csv"]).status == 0)
    // A baseline with less memory than the run needs.
    let lines = baseline.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let peak = try #require(lines[0].split(separator: ",").firstIndex(of: "peak_mib"))
    let lighter = lines.enumerated().map { number, line in
      var cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if number > 0, cells.count > peak, !cells[peak].isEmpty { cells[peak] = "0.0001" }
      return cells.joined(separator: ",")
    }
    try desk.write(lighter.joined(separator: "\n"), to: "lighter.csv")
    let strict = ["check", "--baseline", "lighter.csv", "--threshold", "decode-memory=0", "--format", "json"]
    // The picture is so small that the difference is below the mebibyte that the gate ignores.
    #expect(try desk.run(strict).status == 0)
    let first = try #require(lighter.firstIndex { $0.contains("0.0001") }) + 1
    for broken in ["inf", "1e308", "-1"] {
      try desk.write(lighter.joined(separator: "\n").replacing("0.0001", with: broken), to: "broken.csv")
      for sides in [["reads.csv", "--current", "broken.csv"], ["broken.csv"]] {
        let refused = try desk.run(["check", "--baseline"] + sides)
        #expect(
          refused.status == 74 && refused.errors.contains("line \(first): “\(broken)”"), "\(refused.errors)")
      }
    }
    // A column of memory without values.
    let weightless = lines.enumerated().map { number, line in
      var cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if number > 0, cells.count > peak { cells[peak] = "" }
      return cells.joined(separator: ",")
    }
    try desk.write(weightless.joined(separator: "\n"), to: "weightless.csv")
    let gone = try desk.run(["check", "--baseline", "reads.csv", "--current", "weightless.csv"])
    #expect(gone.status == 1 && gone.output.contains("missing decode-memory"), "\(gone.output)")
    #expect(try desk.run(["check", "--baseline", "reads.csv", "--junit", "gate.xml"]).status == 0)
    #expect(try desk.text("gate.xml").contains("<testsuite name=\"reads\" tests=\"13\" failures=\"0\""))
    let other = try desk.run(["check", "--baseline", "reads.csv", "--threshold", "total-bytes=1"])
    #expect(
      other.status == 1 && other.output.contains("only a sweep has it"), "\(other.output)")
    // Routes that are no longer read, and results without reads.
    #expect(try desk.run(decode + ["--output", "fewer", "--sizes", "full"]).status == 0)
    let fewer = try desk.run(["check", "--baseline", "reads.csv", "--current", "fewer"])
    #expect(fewer.status == 1 && fewer.output.contains("The run lacks "), "\(fewer.output)")
    let strictest = ["check", "--baseline", "reads.csv", "--current", "fewer", "--junit", "gate.xml"]
    let told = try desk.run(strictest, environment: ["GITHUB_ACTIONS": "true"])
    #expect(told.errors.contains("::error title=heicbench reads%3A vanished::"), "\(told.errors)")
    #expect(try desk.text("gate.xml").contains("first for “a.ppm, "))
    try desk.write(lines[0] + "\n", to: "empty.csv")
    #expect(try desk.run(["check", "--baseline", "empty.csv"]).status == 74)
  }

  @Test func aFileThatIsGoneIsNotReadAnyMore() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 60, height: 40)
    try desk.writeImage("photos/b.ppm", width: 60, height: 40, seed: 2)
    let command = ["decode", "photos", "--sizes", "30", "--region", "none", "--images", "none"]
    #expect(try desk.run(command).status == 0)
    let written = try desk.run(["check", "--reads", "--write", "reads.csv"])
    #expect(written.errors.contains("“reads.csv” has 2 images, "), "\(written.errors)")
    // A part says nothing about the others.
    #expect(try desk.run(command + ["--limit", "1"]).status == 0)
    #expect(try Set(rows(desk).map { $0["image"] }) == ["a.ppm", "b.ppm"])
    // The results folder stays, as in a CI cache.
    try desk.remove("photos/b.ppm")
    let second = try desk.run(command)
    #expect(second.errors.contains("“b.ppm” was in an earlier run but not"), "\(second.errors)")
    #expect(try rows(desk).allSatisfy { $0["image"] == "a.ppm" })
    let check = try desk.run(["check", "--baseline", "reads.csv"])
    #expect(check.status == 1 && check.output.contains("The run lacks "), "\(check.output)")
    // A truncated file is a failure with a reason, not another picture.
    try desk.write("P6\n60 40\n255\n123", to: "photos/b.ppm")
    #expect(try desk.run(command).status == 3)
    let cut = try desk.run(["check", "--baseline", "reads.csv"])
    #expect(cut.status == 1 && cut.output.contains("Fails now: "), "\(cut.output)")
    #expect(!cut.output.contains("has a name from the baseline"))
    let accepted = try desk.run(["check", "--reads", "--write", "reads.csv"])
    #expect(accepted.errors.contains("not covered, because they fail: "), "\(accepted.errors)")
    #expect(accepted.errors.contains("b.ppm ("))
  }

  @Test func onlyWhatIsMissingIsRead() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 60, height: 40)
    let command = ["decode", "photos", "--sizes", "30", "--region", "none"]
    #expect(try desk.run(command).status == 0)
    let first = try rows(desk)
    let again = try desk.run(command)
    #expect(again.status == 0)
    #expect(again.errors.contains("5 of 5 reads already there"), "\(again.errors)")
    #expect(try rows(desk) == first, "earlier measurements stay, including their times")
    try desk.writeImage("photos/b.ppm", width: 60, height: 40, seed: 2)
    let more = try desk.run(command + ["--codec", "jpeg"])
    #expect(more.errors.contains("5 of 20 reads already there"), "\(more.errors)")
    #expect(try rows(desk).count == 20)
    let fresh = try desk.run(command + ["--fresh"])
    #expect(!fresh.errors.contains("already"))
    // Only reads that a file supports have times: here the full decode.
    let often = try desk.run(command + ["--repeat", "4"])
    #expect(often.errors.contains("reads already there"), "\(often.errors)")
    let measured = try rows(desk).filter { $0["source"] == "as-found" && $0["status"] == "measured" }
    #expect(!measured.isEmpty && measured.allSatisfy { $0["repeats"] == "4" })
  }

  @Test func shardsComeTogether() throws {
    let desk = try ProgramDesk()
    for name in ["a", "b", "c"] { try desk.writeImage("photos/\(name).ppm", width: 60, height: 40) }
    let command = ["decode", "photos", "--sizes", "30", "--region", "none", "--output"]
    #expect(try desk.run(command + ["whole"]).status == 0)
    for shard in 1...2 {
      #expect(try desk.run(command + ["part\(shard)", "--shard", "\(shard)/2"]).status == 0)
    }
    for _ in 0..<2 {
      let merged = try desk.run(["merge", "results", "part1", "part2"])
      #expect(merged.status == 0, "\(merged.errors)")
    }
    let timeless = [
      "image", "route", "wanted", "ssimulacra2", "psnr_y_db", "touched_bytes", "status", "error",
    ]
    let (all, parts) = (try rows(desk, in: "whole"), try rows(desk))
    #expect(all.map { row in timeless.map { row[$0] } } == parts.map { row in timeless.map { row[$0] } })
    #expect(all.count == 15)
  }

  @Test func theBandwidthThatDecidesIsTold() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 256, height: 192)
    let result = try desk.run([
      "decode", "a.ppm", "--sizes", "full", "--region", "none", "--codec", "jpeg", "--codec", "heic",
      "--qualities", "0.1,0.5,0.98", "--bandwidth", "20",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let line = result.output.split(separator: "\n").first { $0.contains("appears sooner") }
    #expect(line?.contains("with heic") == true, "\(result.output)")
    #expect(line?.contains("over 20 Mbit/s after") == true)
  }

  @Test func whatItDidNotWriteStays() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm")
    let command = ["decode", "a.ppm", "--sizes", "full", "--region", "none", "--output", "results"]
    #expect(try desk.run(command).status == 0)
    #expect(try desk.run(command).status == 0, "its own files are replaced")
    try desk.write("notes of mine", to: "results/decode.md")
    let refused = try desk.run(command)
    #expect(refused.status == 74)
    #expect(
      refused.errors.contains("decode.md") && refused.errors.contains("in the way"), "\(refused.errors)")
    #expect(try desk.text("results/decode.md") == "notes of mine")
  }

  @Test(arguments: [
    (["--sizes", "0"], "--size"), (["--sizes", "320,,full"], "--size"),
    (["--region", "512"], "such as 3x4, or none"),
    (["--gallery", "--cells", "3"], "such as 3x4"),
    (["--qualities", "0.5"], "--qualities needs --codec"), (["--bandwidth", "0"], "--bandwidth"),
  ])
  func wrongUsageIsRefused(arguments: [String], word: String) throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm")
    let result = try desk.run(["decode", "a.ppm"] + arguments)
    #expect(result.status == 64)
    #expect(result.errors.contains(word))
  }

  @Test func nothingToReadIsSaid() throws {
    let desk = try ProgramDesk()
    try desk.write("text", to: "readme.txt")
    #expect(try desk.run(["decode", "."]).status == 66)
  }

  /// A region of a phone's file: only its tiles are decoded, at a fraction of the cost and with identical pixels.
  @Test(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.reason)))
  func aPartOfAPhonesFileCostsAPart() throws {
    let desk = try ProgramDesk()
    let result = try desk.run([
      "decode", "\(SharedFolder.path)/inputs/device/Issue_437_dotnet.heic", "--sizes", "full", "--region",
      "400x300", "--repeat", "1",
    ])
    #expect(result.status == 0, "\(result.errors)")
    let rows = try rows(desk)
    func number(_ route: String, _ name: String) throws -> Double {
      let row = try #require(rows.first { $0["route"] == route })
      return try #require(row[name].flatMap(Double.init))
    }
    #expect(try number("region", "ssimulacra2") == 100)
    #expect(try number("region", "touched_bytes") < number("full", "touched_bytes") / 4)
    #expect(try number("region", "peak_mib") < number("full", "peak_mib") / 4)
    #expect(try abs(number("full", "predicted_mib") / number("full", "peak_mib") - 1) < 0.1)
  }
}
