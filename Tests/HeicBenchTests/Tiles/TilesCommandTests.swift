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
    "tiles", "photos", "--codec", "jpeg", "--codec", "heic", "--qualities", "0.5",
    "--tile-sizes",
    "64,128", "--viewport", "100x80", "--jobs", "2",
  ]

  /// The lines of tiles.csv as dictionaries; no field of these tests has a comma.
  private func rows(_ desk: ProgramDesk) throws -> [[String: String]] {
    let lines = try desk.text("results/tiles.csv").split(separator: "\n").map(String.init)
    #expect(lines.first == Self.header)
    let names = Self.header.split(separator: ",").map(String.init)
    return lines.dropFirst().map { line in
      let fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return Dictionary(uniqueKeysWithValues: zip(names, fields))
    }
  }

  @Test func everyCutIsAccountedFor() throws {
    let desk = try ProgramDesk()
    try desk.writeImage("photos/a.ppm", width: 260, height: 140)
    try desk.write("no image", to: "photos/b.png")
    let result = try desk.run(Self.measure)
    #expect(result.status == 3, "\(result.errors)")
    let rows = try rows(desk)
    // JPEG files, HEIC files and HEIC in one file, in two sizes, of two pictures.
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
      // One head for all tiles instead of one for each.
      #expect(number(grid, "container_bytes") < number(file, "container_bytes"))
    }
    #expect(try desk.text("results/tiles.md").contains("## Answers"))
    let page = try desk.text("results/tiles.html")
    #expect(page.contains("data:image/svg+xml") && !page.contains("<script") && !page.contains("{{"))
    #expect(try desk.text("results/tiles-viewport.svg").contains("Level: 0 is the picture itself"))

    // The same again measures only what failed, and says the same.
    let before = try desk.text("results/tiles.csv")
    #expect(try desk.run(Self.measure).status == 3)
    #expect(try desk.text("results/tiles.csv") == before)
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
    // A tile that is gone is made again, one that somebody changed is in the way.
    try FileManager.default.removeItem(atPath: desk.folder.url.appending(path: "out/a_files/8/0_0.jpg").path)
    #expect(try desk.run(export).output.contains("1 made"))
    try desk.write("mine", to: "out/a_files/8/0_0.jpg")
    let refused = try desk.run(export)
    #expect(refused.status == 74)
    #expect(try desk.text("out/a_files/8/0_0.jpg") == "mine")
  }

  /// Tiles that were padded before they were encoded become the picture again.
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
    let score = try desk.run(["score", "a.ppm", "p.heic"])
    #expect(score.status == 0, "\(score.errors)")
    try FileManager.default.removeItem(
      atPath: desk.folder.url.appending(path: "out/a/64/a_64_3_1_1.heic").path)
    let lacking = try desk.run(["tiles", "pack", "out/a/64", "q.heic"])
    #expect(lacking.status == 66)
    #expect(lacking.errors.contains("lacks the tile of column 1, row 1"))
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
    #expect(result.errors.contains("tiles cannot be taken"))
  }
}
