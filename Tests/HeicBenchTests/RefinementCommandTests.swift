import Foundation
import GRDB
import TestSupport
import Testing

/// Points beside the grid, as users see them.
@Suite("heicbench --refine")
struct RefinementCommandTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  private static let sweep = [
    "images", "--metrics", "ssimulacra2", "--qualities", "0.3,0.6,0.9", "--images", "none", "--jobs", "2",
    "--codec", "jpeg", "--codec", "heic:preset=ultrafast",
  ]

  private func writeCorpus() throws {
    for (number, name) in ["a", "b", "c"].enumerated() {
      try desk.writeImage("images/\(name).ppm", width: 64 + 16 * number, height: 64, seed: UInt64(number + 1))
    }
  }

  @discardableResult
  private func sweep(_ output: String, _ more: String...) throws -> BuiltProgram.Result {
    let result = try desk.run(Self.sweep + ["--output", output] + more)
    #expect(result.status == 0, "\(result.errors)")
    return result
  }

  private func deterministic(_ results: String) throws -> String {
    let result = try desk.run(["check", "--current", results, "--write", "-"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// Origins, in the order of the rows.
  private func origins(_ results: String) throws -> [String] {
    try desk.rows(of: "\(results)/measurements.csv").map { row in
      #expect(row["error"] != nil)
      return try #require(row["origin"])
    }
  }

  @Test("a second run measures nothing, and off keeps to the grid")
  func resumes() throws {
    try writeCorpus()
    try sweep("on")
    let points = try origins("on")
    #expect(points.count(where: { $0 == "grid" }) == 18)
    #expect(points.contains("refined"))
    let summary = try desk.text("on/summary.md")
    let second = try sweep("on")
    #expect(second.errors.contains(" 0 encodes in"))
    #expect(second.errors.contains("\(points.count) already there"))

    // The grid first and the refinement later give the same points.
    try sweep("later", "--refine", "off")
    #expect(try origins("later") == Array(repeating: "grid", count: 18))
    let third = try sweep("later")
    #expect(third.errors.contains(" \(points.count - 18) encodes in"))
    #expect(third.errors.contains("18 already there"))
    #expect(try deterministic("later") == deterministic("on"))
    #expect(!summary.isEmpty)

    // The grid alone, in a folder that has more points.
    try sweep("later", "--refine", "off")
    #expect(try origins("later") == Array(repeating: "grid", count: 18))
  }

  @Test("the refinement uses points of an earlier finer grid, as refined points")
  func reusesEarlierPoints() throws {
    try writeCorpus()
    try sweep("fine", "--qualities", "0.30...0.90:0.02", "--refine", "off")
    let again = try sweep("fine")
    // Only the refinement's points beyond the finer grid were missing.
    let refined = try origins("fine").count { $0 == "refined" }
    let reused = try #require(again.errors.firstMatch(of: #/(\d+) already there/#)).1
    #expect(try #require(Int(reused)) > 18 && refined > 0)
    try sweep("on")
    // The points of the finer grid still count, so that none of the other run's points are missing.
    #expect(try origins("fine").count >= origins("on").count)
    // A later run with that grid counts them as grid points again.
    try sweep("fine", "--qualities", "0.30...0.90:0.02", "--refine", "off")
    #expect(try !origins("fine").contains("refined"))
  }

  @Test("merged shards equal the whole run, and a killed run resumes where it stopped")
  func shardsAndKills() throws {
    try writeCorpus()
    try sweep("whole")
    for index in 1...2 { try sweep("shard-\(index)", "--shard", "\(index)/2") }
    let merged = try desk.run(["merge", "merged", "shard-1", "shard-2"])
    #expect(merged.status == 0, "\(merged.errors)")
    #expect(try deterministic("merged") == deterministic("whole"))

    // A run that ended in the middle of the refinement lacks some of its points.
    let path = desk.folder.path + "/whole/heicbench.sqlite"
    let before = try deterministic("whole")
    let database = try DatabaseQueue(path: path)
    let gone = try database.write { db in
      try db.execute(sql: "DELETE FROM result WHERE origin = 1 AND image = 1")
      return db.changesCount
    }
    try database.close()
    let resumed = try sweep("whole")
    #expect(gone > 0)
    #expect(!resumed.errors.contains(" 0 encodes in"))
    // The remaining points may have made others unnecessary, but the figures have close brackets again.
    #expect(
      try deterministic("whole").split(separator: "\n").count >= before.split(separator: "\n").count - gone)
  }

  @Test("points of a search are marked as such")
  func searchedPoints() throws {
    try writeCorpus()
    let result = try desk.run([
      "images", "--metrics", "ssimulacra2", "--target", "ssimulacra2=70", "--images", "none", "--output", "t",
      "--codec", "jpeg", "--codec", "heic:preset=ultrafast",
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(Set(try origins("t")) == ["searched"])
  }

  @Test("points that only one of two runs needed do not count as missing")
  func theGateKnowsThem() throws {
    try writeCorpus()
    try sweep("on")
    try sweep("off", "--refine", "off")
    let baseline = try desk.run(["check", "--current", "on", "--write", "baseline.csv"])
    #expect(baseline.status == 0, "\(baseline.errors)")
    let check = try desk.run(["check", "--baseline", "baseline.csv", "--current", "off"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(!check.output.contains("The run lacks"))
  }
}

/// The figures of a default sweep compared with those of every quality, on photographs.
@Suite(.enabled(if: SharedFolder.isPresent, "\(SharedFolder.reason)"))
struct RefinedFigureTests {
  @Test("figures are those of a fine sweep", .timeLimit(.minutes(30)))
  func agreesWithTheFineSweep() throws {
    let desk = try ProgramDesk()
    let photographs = ["kodim23.png"].map { SharedFolder.path + "/corpus/kodak/\($0)" }
    let common = [
      "--downscale", "3", "--at", "70,80,88", "--metrics", "ssimulacra2", "--images", "none", "--codec",
      "jpeg",
      "--codec", "heic:preset=ultrafast", "--output",
    ]
    #expect(try desk.run(photographs + common + ["default"]).status == 0)
    // HEIC has 51 steps, so every other quality hits each of them. JPEG has every quality near the targets.
    let qualities = "0.3...0.7:0.02,0.59...0.63:0.01,0.81...0.84:0.01,0.93...0.97:0.01"
    let fine = photographs + common + ["fine", "--refine", "off", "--qualities", qualities]
    #expect(try desk.run(fine).status == 0)
    for target in [70, 80, 88] {
      let change = try ["default", "fine"].map { try Self.change($0, at: target, desk) }
      #expect(abs(change[0] - change[1]) < 1, "at \(target): \(change)")
    }
  }

  private static func change(_ results: String, at target: Int, _ desk: ProgramDesk) throws -> Double {
    let result = try desk.run(["report", results, "--at", "70,80,88", "--format", "json"])
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
    let analysis = try #require(json["analysis"] as? [String: Any])
    let rows = try #require(analysis["matched_quality"] as? [[String: Any]])
    let row = try #require(rows.first { ($0["target"] as? NSNumber)?.intValue == target })
    #expect((row["images"] as? NSNumber)?.intValue == 1)
    return try #require((row["bytes_change_percent"] as? NSNumber)?.doubleValue)
  }
}
