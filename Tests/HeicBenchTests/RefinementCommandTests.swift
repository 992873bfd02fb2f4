import Foundation
import GRDB
import TestSupport
import Testing

/// Points beside the grid, as users meet them.
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
    let result = try desk.run(["baseline", results, "--output", "-"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// Origins in the order of the rows.
  private func origins(_ results: String) throws -> [String] {
    try desk.rows(of: "\(results)/measurements.csv").map { row in
      #expect(row["error"] != nil)
      return try #require(row["origin"])
    }
  }

  @Test("a second run does nothing, and off keeps to the grid")
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

    // Grid first, refinement later: the same points.
    try sweep("later", "--refine", "off")
    #expect(try origins("later") == Array(repeating: "grid", count: 18))
    let third = try sweep("later")
    #expect(third.errors.contains(" \(points.count - 18) encodes in"))
    #expect(third.errors.contains("18 already there"))
    #expect(try deterministic("later") == deterministic("on"))
    #expect(!summary.isEmpty)

    // The grid alone again, in a folder that has more.
    try sweep("later", "--refine", "off")
    #expect(try origins("later") == Array(repeating: "grid", count: 18))
  }

  @Test("a point of an earlier finer grid serves the refinement, and is refined there")
  func reusesEarlierPoints() throws {
    try writeCorpus()
    try sweep("fine", "--qualities", "0.30...0.90:0.02", "--refine", "off")
    let again = try sweep("fine")
    // Of the refinement only what lies beyond the finer grid was missing.
    let refined = try origins("fine").count { $0 == "refined" }
    let reused = try #require(again.errors.firstMatch(of: #/(\d+) already there/#)).1
    #expect(try #require(Int(reused)) > 18 && refined > 0)
    try sweep("on")
    // What the finer grid measured still counts; nothing that the other run has is missing.
    #expect(try origins("fine").count >= origins("on").count)
    // In the grid of a later run they are grid again.
    try sweep("fine", "--qualities", "0.30...0.90:0.02", "--refine", "off")
    #expect(try !origins("fine").contains("refined"))
  }

  @Test("shards merged are the whole run, and a killed run goes on where it was")
  func shardsAndKills() throws {
    try writeCorpus()
    try sweep("whole")
    for index in 1...2 { try sweep("shard-\(index)", "--shard", "\(index)/2") }
    let merged = try desk.run(["merge", "merged", "shard-1", "shard-2"])
    #expect(merged.status == 0, "\(merged.errors)")
    #expect(try deterministic("merged") == deterministic("whole"))

    // A run that ended in the middle of the refinement: some of its points are gone.
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

  @Test("a search's points say so")
  func searchedPoints() throws {
    try writeCorpus()
    let result = try desk.run([
      "images", "--metrics", "ssimulacra2", "--target", "ssimulacra2=70", "--images", "none", "--output", "t",
      "--codec", "jpeg", "--codec", "heic:preset=ultrafast",
    ])
    #expect(result.status == 0, "\(result.errors)")
    #expect(Set(try origins("t")) == ["searched"])
  }

  @Test("one run against the other: points that only one of them needed have not vanished")
  func theGateKnowsThem() throws {
    try writeCorpus()
    try sweep("on")
    try sweep("off", "--refine", "off")
    let baseline = try desk.run(["baseline", "on", "--output", "baseline.csv"])
    #expect(baseline.status == 0, "\(baseline.errors)")
    let check = try desk.run(["check", "--baseline", "baseline.csv", "--current", "off"])
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(!check.output.contains("The run lacks"))
  }
}

/// A default sweep's figures against those of every quality, on photographs.
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
    // HEIC has 51 steps, so that every other quality is each of them; JPEG has every one near the targets.
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
