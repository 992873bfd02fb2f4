import Foundation
import Store
import TestSupport
import Testing

/// Files from many makers, and malicious files, through reads and tiles: each gives figures or a reason.
@Suite(.enabled(if: SharedFolder.isPresent, Comment(rawValue: SharedFolder.reason)), .timeLimit(.minutes(30)))
struct SharedFilesTests {
  /// Larger files only take longer.
  private static let largest = 24_000
  /// Failures of a worker, which no file may cause.
  private static let losses = ["crash:", "timeout:", "memory:", "broken:"]

  /// Paths below the shared folder.
  private static func files(where isTaken: (URL) -> Bool = { _ in true }) throws -> [String] {
    var files: [String] = []
    for folder in ["inputs", "hostile"] {
      let root = URL(filePath: SharedFolder.path).appending(path: folder)
      let keys: [URLResourceKey] = [.fileSizeKey, .isRegularFileKey]
      let all = try #require(
        FileManager.default.enumerator(at: root, includingPropertiesForKeys: keys)?.allObjects as? [URL])
      for file in all {
        let values = try file.resourceValues(forKeys: Set(keys))
        guard values.isRegularFile == true, values.fileSize ?? .max <= largest, isTaken(file) else {
          continue
        }
        files.append(file.path())
      }
    }
    try #require(files.count > 5)
    return files.sorted()
  }

  /// The files without three quarters of the many from one fuzzer, all of which the test of reads uses.
  private static func fewerFiles() throws -> [String] {
    var found = 0
    return try files { file in
      guard file.lastPathComponent.hasPrefix("fuzz-") else { return true }
      found += 1
      return found % 4 == 0
    }
  }

  private static func rows(_ name: String, _ desk: ProgramDesk) throws -> [[String: String]] {
    try TableCSV.rows(ofFile: desk.folder.url.appending(path: name).path, required: ["image", "status"])
  }

  private static func expectAccounted(_ rows: [[String: String]]) {
    for row in rows {
      let place = "\(row["image"] ?? ""), \(row["route"] ?? "")"
      #expect(["measured", "unsupported", "failed"].contains(row["status"]), "\(place)")
      let reason = row["error"] ?? ""
      #expect(row["status"] == "measured" || !reason.isEmpty, "\(place)")
      #expect(!losses.contains { reason.hasPrefix($0) }, "\(place): \(reason)")
    }
  }

  @Test func readsAreMeasuredOrHaveAReason() throws {
    let desk = try ProgramDesk()
    let files = try Self.files()
    let result = try desk.run(
      ["decode"] + files + [
        "--sizes", "48,full", "--region", "40x30", "--repeat", "1", "--images", "none", "--jobs", "2",
        "--quiet",
      ])
    #expect(result.status == 3, "\(result.errors)")
    let rows = try Self.rows("results/decodes.csv", desk)
    // Two sizes decoded whole, luma and chroma, the reduced size, the thumbnail, a region and a tile; for some formats
    // a gain map.
    #expect(rows.count { $0["route"] != "gain-map" } == files.count * 7)
    Self.expectAccounted(rows)
    #expect(rows.contains { $0["status"] == "measured" })
  }

  @Test func tilesAreMeasuredOrHaveAReason() throws {
    let desk = try ProgramDesk()
    let files = try Self.fewerFiles()
    let result = try desk.run(
      ["tiles"] + files + [
        "--codec", "jpeg", "--qualities", "0.5", "--tile-sizes", "128", "--jobs", "2", "--quiet",
      ])
    #expect(result.status == 3, "\(result.errors)")
    let rows = try Self.rows("results/tiles.csv", desk)
    #expect(rows.count == files.count)
    Self.expectAccounted(rows)
    #expect(rows.contains { $0["status"] == "measured" })
  }

  @Test(arguments: [[], ["--rewrap"]])
  func tilesAreExportedOrAreNot(options: [String]) throws {
    let desk = try ProgramDesk()
    let files = try Self.fewerFiles()
    let result = try desk.run(
      ["tiles", "export"] + files + ["out", "--base-only", "--jobs", "2"] + options)
    #expect(result.status == 3, "\(result.errors)")
    // Each picture has a sentence that says what was made or what is wrong.
    let names = files.map { URL(filePath: $0).lastPathComponent }
    let said = result.output + result.errors
    let silent = names.filter { name in
      !said.contains(name) && !said.contains(URL(filePath: name).deletingPathExtension().lastPathComponent)
    }
    #expect(silent.isEmpty)
    #expect(!Self.losses.contains { said.contains($0) }, "\(said)")
    let page = desk.folder.url.appending(path: "out")
    let left = FileManager.default.enumerator(atPath: page.path)?.compactMap { $0 as? String } ?? []
    #expect(!left.contains { $0.hasSuffix(".partial") }, "nothing is half-written")
  }

  @Test func filesArePackedOrRefused() throws {
    let desk = try ProgramDesk()
    let files = try Self.files { ["heic", "heif", "hif", "avif"].contains($0.pathExtension.lowercased()) }
    let tile = desk.folder.url.appending(path: "tiles/0_0.heic")
    try FileManager.default.createDirectory(
      at: tile.deletingLastPathComponent(), withIntermediateDirectories: true)
    for file in files {
      try? FileManager.default.removeItem(at: tile)
      try Data(contentsOf: URL(filePath: file)).write(to: tile)
      let result = try desk.run(["tiles", "pack", "tiles", "packed.heic"])
      let isThere = FileManager.default.fileExists(
        atPath: desk.folder.url.appending(path: "packed.heic").path)
      #expect((result.status == 0) == isThere, "\(file): \(result.errors)")
      #expect([0, 3, 64, 66].contains(result.status), "\(file): \(result.status)")
      #expect(result.status == 0 || !result.errors.isEmpty, "\(file)")
      if isThere { try desk.remove("packed.heic") }
    }
  }
}
