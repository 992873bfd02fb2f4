import Foundation
import TestSupport
import Testing

/// `heicbench tiles` as its users run it.
struct TilesCommandTests {
  private static let header = """
    image,width,height,codec,settings,build,quality,tile_size,overlap,levels,tiles,whole_bytes,level0_bytes,\
    total_bytes,overhead_percent,matched_overhead_percent,container_bytes,whole_ssimulacra2,level0_ssimulacra2,\
    encode_cpu_ms,viewport_tiles,viewport_bytes,viewport_cpu_ms,viewport_peak_mib,whole_decode_cpu_ms,status,error
    """

  private static let measure = [
    "tiles", "photos", "--codec", "jpeg", "--codec", "heic:preset=ultrafast", "--qualities", "0.5",
    "--tile-sizes",
    "64,128", "--viewport", "100x80", "--jobs", "2",
  ]

  private func rows(_ desk: ProgramDesk) throws -> [[String: String]] {
    #expect(try desk.text("results/tiles.csv").hasPrefix(Self.header + "\n"))
    return try desk.rows(of: "results/tiles.csv")
  }

  @Test func aTitleAndALicenceAreShownAndReplaced() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("map.ppm", width: 100, height: 70)
    let export = ["tiles", "export", "map.ppm", "deep", "--tile-size", "64"]
    #expect(try desk.run(export + ["--title", "Old <b>map</b>", "--licence", "CC BY 4.0"]).status == 0)
    let page = try desk.text("deep/index.html")
    #expect(page.contains("<title>Old &lt;b&gt;map&lt;/b&gt;</title>") && !page.contains("<b>map"))
    #expect(page.contains(#""licence":"CC BY 4.0""#) && page.contains(#"id="licence""#))
    let again = try desk.run(export + ["--title", "Map"])
    #expect(again.status == 0, "\(again.errors)")
    let other = try desk.text("deep/index.html")
    #expect(other.contains("<title>Map</title>") && !other.contains("CC BY 4.0"))
  }

  @Test func everyCutIsAccountedFor() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 260, height: 140)
    try desk.write("no image", to: "photos/b.png")
    let result = try desk.run(Self.measure)
    #expect(result.status == 3, "\(result.errors)")
    let rows = try rows(desk)
    // JPEG files, HEIC files and HEIC in one file, in two sizes, for two pictures.
    #expect(rows.count == 3 * 2 * 2)
    #expect(rows.filter { $0["image"] == "b.png" }.allSatisfy { $0["status"] == "failed" })
    let measured = rows.filter { $0["status"] == "measured" }
    #expect(measured.count == 6)
    func number(_ row: [String: String], _ name: String) -> Int { row[name].flatMap { Int($0) } ?? -1 }
    for row in measured {
      let size = number(row, "tile_size")
      // 5 × 3, 3 × 2, 2 × 1 and 1 tiles of 64; 3 × 2, 2 × 1 and 1 of 128.
      #expect(number(row, "levels") == (size == 64 ? 4 : 3))
      #expect(number(row, "tiles") == (size == 64 ? 24 : 9))
      #expect(number(row, "total_bytes") > number(row, "level0_bytes"))
      #expect(number(row, "container_bytes") > 0)
      #expect(number(row, "container_bytes") < number(row, "level0_bytes"))
    }
    #expect(measured.contains { $0["matched_overhead_percent"].flatMap(Double.init) != nil })
    let grids = measured.filter { $0["settings"]?.contains("grid=") == true }
    #expect(grids.count == 2)
    for grid in grids {
      let file = try #require(
        measured.first {
          $0["codec"] == "heic" && $0["tile_size"] == grid["tile_size"] && $0["settings"] != grid["settings"]
        })
      // One header for all tiles instead of one for each.
      #expect(number(grid, "container_bytes") < number(file, "container_bytes"))
    }
    #expect(try desk.text("results/tiles.md").contains("## Answers"))
    let page = try desk.text("results/tiles.html")
    #expect(page.contains("data:image/svg+xml") && !page.contains("<script") && !page.contains("{{"))
    #expect(try desk.text("results/tiles-viewport.svg").contains("Level: 0 is the picture itself"))

    // The same command measures nothing and prints the same. Failures are tried again on request.
    let before = try desk.text("results/tiles.csv")
    let again = try desk.run(Self.measure)
    #expect(again.status == 3 && again.errors.contains("12 of 12 cuts already there"), "\(again.errors)")
    #expect(try desk.text("results/tiles.csv") == before)
    let retried = try desk.run(Self.measure + ["--retry-failed"])
    #expect(retried.errors.contains("6 of 12 cuts already there"), "\(retried.errors)")
    #expect(try !desk.run(Self.measure + ["--fresh"]).errors.contains("already"))
    // Reports are made from the store.
    try desk.remove("results/tiles.md")
    #expect(try desk.run(["report"]).errors.contains("results/tiles.html"))
    #expect(try desk.text("results/tiles.md").contains("## Answers"))
    #expect(try desk.run(["report", "--format", "csv"]).output == desk.text("results/tiles.csv"))
  }

  @Test func shardsComeTogether() throws {
    let desk = try ProgramDesk()
    for (seed, name) in ["a", "b", "c"].enumerated() {
      try desk.writeImage("photos/\(name).ppm", width: 150, height: 100, seed: UInt64(seed))
    }
    #expect(try desk.run(Self.measure + ["--output", "whole"]).status == 0)
    for shard in 1...2 {
      let part = Self.measure + ["--output", "part\(shard)", "--shard", "\(shard)/2"]
      #expect(try desk.run(part).status == 0)
    }
    for _ in 0..<2 {
      let merged = try desk.run(["merge", "results", "part1", "part2"])
      #expect(merged.status == 0 && merged.errors.contains("tiles.html"), "\(merged.errors)")
    }
    let timeless = { (rows: [[String: String]]) in
      rows.map { row in row.filter { !$0.key.contains("cpu") && !$0.key.contains("peak") } }
    }
    let parts = try rows(desk)
    let whole = try desk.text("whole/tiles.csv")
    try desk.write(whole, to: "results/tiles.csv")
    #expect(try timeless(rows(desk)) == timeless(parts) && parts.count == 18)
  }

  @Test func gateKnowsTiles() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 150, height: 100)
    // Lines are split at commas below, so settings must not contain any.
    let measure = Self.measure.map { $0.replacing(":preset=ultrafast", with: "") }
    #expect(try desk.run(measure).status == 0)
    #expect(try desk.run(["check", "--tiles", "--write", "tiles.csv"]).status == 0)
    for baseline in ["tiles.csv", "results", "results/tiles.csv"] {
      let passed = try desk.run(["check", "--baseline", baseline])
      #expect(
        passed.status == 0 && passed.output.contains("gate for tiles passed")
          && passed.output.contains("6 cuts compared"), "\(passed.output)\(passed.errors)")
    }
    // A baseline with fewer bytes than now, and with a cut that is no longer made.
    let lines = try desk.text("tiles.csv").split(separator: "\n").map(String.init)
    let total = try #require(lines[0].split(separator: ",").firstIndex(of: "total_bytes"))
    var cells = lines[1].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    cells[total] = "100"
    let gone = lines[2].replacing(",64,", with: ",66,").replacing(",128,", with: ",66,")
    try desk.write(
      ([lines[0], cells.joined(separator: ","), gone] + lines[3...]).joined(separator: "\n"), to: "b.csv")
    let check = ["check", "--baseline", "b.csv", "--junit", "gate.xml"]
    let failed = try desk.run(check + ["--format", "json"], environment: ["GITHUB_ACTIONS": "true"])
    #expect(failed.status == 1, "\(failed.output)\(failed.errors)")
    let report = try JSONSerialization.jsonObject(with: Data(failed.output.utf8)) as? [String: Any]
    let tiles = report?["tiles"] as? [String: Any]
    #expect(tiles?["failed"] as? Bool == true && (tiles?["regressions"] as? [Any])?.count == 2)
    #expect(failed.errors.contains("::error title=heicbench tiles%3A bytes::a.ppm"), "\(failed.errors)")
    let junit = try desk.text("gate.xml")
    #expect(junit.contains("<testsuite name=\"tiles\" tests=\"12\" failures=\"2\""), "\(junit)")
    #expect(try desk.run(["check", "--baseline", "tiles.csv", "--threshold", "decode-time=1"]).status == 1)
    #expect(try desk.run(["check", "--tiles", "--reads", "--write", "baseline.csv"]).status == 64)
    #expect(try desk.run(["check", "--reads", "--write", "-"]).status == 74)
  }

  @Test func exportGoesOnAndTouchesOnlyItsOwn() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 200, height: 130)
    let export = ["tiles", "export", "a.ppm", "out", "--tile-size", "64"]
    let first = try desk.run(export)
    #expect(first.status == 0, "\(first.errors)")
    let descriptor = try desk.text("out/a.dzi")
    #expect(descriptor.contains("Width=\"200\""))
    // 200 × 130 down to one pixel: levels 8 to 0 of 4 × 3, 2 × 2, and 1 tile each.
    #expect(first.output.contains("23 made"))
    let again = try desk.run(export)
    #expect(again.output.contains("23 kept"))
    // A missing tile is made again; a changed one is in the way.
    try FileManager.default.removeItem(atPath: desk.folder.url.appending(path: "out/a_files/8/0_0.jpg").path)
    #expect(try desk.run(export).output.contains("1 made"))
    try desk.write("mine", to: "out/a_files/8/0_0.jpg")
    let refused = try desk.run(export)
    #expect(refused.status == 74)
    #expect(try desk.text("out/a_files/8/0_0.jpg") == "mine")
  }

  /// Only the largest level is left of the picture, which the page cannot show.
  @Test func aPageGoesWithItsLastPicture() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 200, height: 130)
    let export = ["tiles", "export", "a.ppm", "out", "--tile-size", "64"]
    let page = desk.folder.path + "/out/index.html"
    #expect(try desk.run(export).status == 0 && FileManager.default.fileExists(atPath: page))
    #expect(try desk.run(export + ["--base-only"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: page))
  }

  private func source(_ desk: ProgramDesk, _ name: String) throws -> String? {
    let set = try JSONSerialization.jsonObject(with: Data(desk.text("out/\(name).tiles.json").utf8))
    return ((set as? [String: Any])?["recipe"] as? [String: Any])?["source"] as? String
  }

  /// A picture's tiles keep their name, whatever else is cut with it or before it.
  @Test func anotherPicturesTilesStay() throws {
    let desk = try ProgramDesk()
    let paths = ["one/a.ppm", "two/a.ppm", "three/a.ppm"]
    for (seed, path) in paths.enumerated() {
      try desk.writeImage(path, width: 150, height: 100, seed: UInt64(seed))
    }
    func export(_ paths: String...) throws -> String {
      let result = try desk.run(["tiles", "export"] + paths + ["out", "--tile-size", "64"])
      #expect(result.status == 0, "\(result.errors)")
      return result.output
    }
    let first = try export(paths[0], paths[1])
    #expect(first.contains("a: 150") && first.contains("a-2: 150"))
    let tiles = try [desk.data("out/a_files/8/0_0.jpg"), desk.data("out/a-2_files/8/0_0.jpg")]
    let sources = [try source(desk, "a"), try source(desk, "a-2")]
    // Alone, the second has the first's name and finds its own tiles; so does a third.
    let second = try export(paths[1])
    #expect(second.contains("a-2: 150") && second.contains("kept") && !second.contains("made"), "\(second)")
    let third = try export(paths[2])
    #expect(third.contains("a-3: 150") && third.contains("made"), "\(third)")
    #expect(try [desk.data("out/a_files/8/0_0.jpg"), desk.data("out/a-2_files/8/0_0.jpg")] == tiles)
    #expect(try [source(desk, "a"), source(desk, "a-2")] == sources && Set(sources).count == 2)
    let all = try export(paths[2], paths[1], paths[0])
    #expect(!all.contains("made") && ["a: ", "a-2: ", "a-3: "].allSatisfy(all.contains), "\(all)")
    // With other options, it replaces its own tiles and no others.
    let other = try desk.run(["tiles", "export", paths[1], "out", "--tile-size", "32"])
    #expect(other.status == 0 && other.output.contains("a-2: 150"), "\(other.output)")
    #expect(try desk.data("out/a_files/8/0_0.jpg") == tiles[0])
  }

  /// File names may have the maximum length, and tiles' names need endings as well.
  @Test func longNamesAreCut() throws {
    let desk = try ProgramDesk()
    let name = String(repeating: "語", count: 83)
    try desk.writeImage("\(name).ppm", width: 150, height: 100)
    for layout in ["dzi", "iiif", "names"] {
      let result = try desk.run(["tiles", "export", "\(name).ppm", layout, "--layout", layout])
      #expect(result.status == 0, "\(layout): \(result.errors)")
    }
  }

  @Test func anAddressMayLackItsSlash() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 20, height: 20)
    let words = ["tiles", "export", "a.ppm", "out", "--layout", "iiif", "--address", "https://h/p"]
    let result = try desk.run(words)
    let info = try JSONSerialization.jsonObject(with: desk.data("out/a/info.json")) as? [String: Any]
    #expect(result.status == 0 && info?["id"] as? String == "https://h/p/a", "\(result.errors)")
  }

  @Test func fullDisksEndTheRun() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 500, height: 500)
    let shell = BuiltProgram(URL(filePath: "/bin/sh"))
    // No file may be longer than 16 blocks of 512 or 1,024 bytes.
    let command = ["-c", "ulimit -f 16; exec \"$0\" \"$@\"", desk.program.executable.path]
    let export = ["tiles", "export", "a.ppm", "out", "--base-only", "--quality", "1"]
    for layout in ["dzi", "iiif"] {
      let result = try shell.run(command + export + ["--layout", layout], in: desk.folder.url)
      #expect(result.status == 74 && result.errors.contains("File too large"), "\(result.errors)")
    }
    let thumbnails = ["thumbnails", "a.ppm", "small", "--format", "png"]
    let result = try shell.run(command + thumbnails, in: desk.folder.url)
    #expect(result.status == 74 && result.errors.contains("File too large"), "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: desk.folder.path + "/small/a.ppm.png"))
  }

  /// Tiles that were padded before they were encoded can be packed into the picture again.
  @Test func exportedTilesPack() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 200, height: 130)
    let export = try desk.run([
      "tiles", "export", "a.ppm", "out", "--tile-size", "64", "--layout", "names", "--codec",
      "heic:preset=ultrafast", "--pad",
    ])
    #expect(export.status == 0, "\(export.errors)")
    let packed = try desk.run(["tiles", "pack", "out/a/64", "p.heic"])
    #expect(packed.status == 0, "\(packed.errors)")
    let again = try desk.run(["tiles", "pack", "out/a/64", "p.heic"])
    #expect(
      again.status == 74 && again.errors.contains("heicbench does not replace your files"), "\(again.errors)")
    let score = try desk.run(["score", "a.ppm", "p.heic"])
    #expect(score.status == 0, "\(score.errors)")
    try FileManager.default.removeItem(
      atPath: desk.folder.url.appending(path: "out/a/64/a_64_3_1_1.heic").path)
    let lacking = try desk.run(["tiles", "pack", "out/a/64", "q.heic"])
    #expect(lacking.status == 66)
    #expect(lacking.errors.contains("lacks the tile in column 1, row 1"))
    #expect(!FileManager.default.fileExists(atPath: desk.folder.url.appending(path: "q.heic").path))
  }

  @Test(arguments: [
    ["tiles", "export", "a.ppm", "out", "--overlap", "1", "--layout", "iiif"],
    ["tiles", "export", "a.ppm", "out", "--tile-size", "8"], ["tiles", "export", "a.ppm"],
    ["tiles", "export", "a.ppm", "out", "--pad"], ["tiles", "a.ppm", "--tile-sizes", "63"],
    ["tiles", "a.ppm", "--codec", "heic:grid=64"], ["tiles", "pack", "a.heic", "b.heic", "c.heic"],
  ])
  func wrongUsageIsSaid(arguments: [String]) throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 20, height: 20)
    #expect(try desk.run(arguments).status == 64)
  }

  @Test func whatIsNoGridIsNotRewrapped() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("a.ppm", width: 20, height: 20)
    let result = try desk.run(["tiles", "export", "a.ppm", "out", "--rewrap"])
    #expect(result.status == 3)
    #expect(result.errors.contains("tiles cannot be reused"))
  }
}
