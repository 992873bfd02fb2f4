import Foundation
import GRDB
import TestSupport
import Testing

/// Shards, merged as users merge them.
@Suite("heicbench merge")
struct MergeCommandTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  private static let sweep = [
    "images", "--codec", "jpeg", "--codec", "heic:preset=ultrafast", "--qualities", "0.3,0.8", "--metrics",
    "psnr-y",
    "--quiet",
  ]

  private func writeCorpus() throws {
    for (number, name) in ["a", "b", "sub/c", "sub/d"].enumerated() {
      try desk.writeImage("images/\(name).ppm", width: 24 + 8 * number, seed: UInt64(number + 1))
    }
  }

  private func sweep(_ output: String, _ more: String...) throws {
    let result = try desk.run(Self.sweep + ["--output", output] + more)
    #expect(result.status == 0, "\(result.errors)")
  }

  /// A run's deterministic columns, in an order that depends on nothing else.
  private func deterministic(_ results: String) throws -> String {
    let result = try desk.run(["check", "--current", results, "--write", "-"])
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  /// Changes a store behind the program's back.
  private func change(_ sql: String, in results: String) throws {
    let database = try DatabaseQueue(path: desk.folder.path + "/\(results)/heicbench.sqlite")
    try database.write { try $0.execute(sql: sql) }
    try database.close()
  }

  @Test("an interrupted shard leaves the merged run unfinished until it is complete")
  func unfinishedShard() throws {
    try writeCorpus()
    for index in 1...2 { try sweep("shard-\(index)", "--shard", "\(index)/2") }
    try change("UPDATE run SET finished = NULL; DELETE FROM result WHERE quality = 800", in: "shard-2")
    let merged = try desk.run(["merge", "merged", "shard-1", "shard-2"])
    #expect(merged.status == 0)
    let phrase = "not finished: 12 of 16 planned encodes"
    #expect(merged.errors.contains(phrase))
    #expect(merged.output.contains("(\(phrase))."), "the verdict")
    #expect(try desk.text("merged/summary.md").contains("(\(phrase))."))
    #expect(try desk.text("merged/report.html").contains("(\(phrase))."))
    #expect(try desk.run(["report", "merged", "--format", "totals"]).output.contains(phrase))
    let json = try desk.run(["report", "merged", "--format", "json"]).output
    #expect(json.contains(#""progress": {"planned": 16, "done": 12, "images": 4, "finished": false}"#))

    let refused = try desk.run(["check", "--current", "merged", "--write", "baseline.csv"])
    #expect(refused.status == 74)
    #expect(refused.errors.contains(phrase) && refused.errors.contains("--force"))
    #expect(try desk.run(["check", "--current", "merged", "--force", "--write", "baseline.csv"]).status == 0)
    let check = try desk.run(["check", "--baseline", "baseline.csv", "--current", "merged"])
    #expect(check.status == 1)
    #expect(check.output.contains("Not passed: the run is not finished"))

    try sweep("shard-2", "--shard", "2/2")
    let whole = try desk.run(["merge", "merged", "shard-1", "shard-2"])
    #expect(!whole.errors.contains("not finished") && !whole.output.contains("not finished"))
    #expect(try desk.run(["check", "--current", "merged", "--write", "baseline.csv"]).status == 0)
  }

  /// The times in a report's JSON.
  private struct TimeTables: Decodable {
    struct Row: Decodable {
      var processor: String?
      var encode_cpu_ms_per_megapixel: Double?
      var encode_cpu_ratio_lower: Double?
      var images: Int?
    }
    struct Analysis: Decodable { var matched_quality, times_by_processor, qualities: [Row] }
    var analysis: Analysis
  }

  private func timeTables(_ results: String, _ judgement: [String]) throws -> TimeTables.Analysis {
    let json = try desk.run(["report", results, "--format", "json"] + judgement)
    return try JSONDecoder().decode(TimeTables.self, from: Data(json.output.utf8)).analysis
  }

  @Test("times of unlike processors are side by side with their own ratios, never pooled")
  func unlikeProcessors() throws {
    for number in 0..<12 {
      try desk.writeImage("images/\(number).ppm", width: 64, height: 48, seed: UInt64(number + 1))
    }
    for index in 1...2 {
      let sweep = [
        "images", "--codec", "jpeg", "--codec", "jpeg:progressive=true", "--qualities", "0.2,0.5,0.8,0.95",
        "--refine", "off", "--metrics", "psnr-y", "--images", "none", "--output", "shard-\(index)",
        "--shard", "\(index)/2",
      ]
      #expect(try desk.run(sweep).status == 0)
    }
    let judgement = ["--headline", "psnr-y", "--at", "38"]
    #expect(try desk.run(["merge", "like", "shard-1", "shard-2"] + judgement).status == 0)
    #expect(try !desk.text("like/summary.md").contains("by processor"))
    try change(
      "UPDATE run SET manifest = json_set(manifest, '$.machine.processor', 'Unlike 9')", in: "shard-2")
    let merged = try desk.run(["merge", "unlike", "shard-1", "shard-2"] + judgement)
    #expect(
      merged.output.contains("Times come from 2 different processors and are not combined"),
      "\(merged.output)")
    #expect(merged.output.contains(" on Unlike 9."))
    let summary = try desk.text("unlike/summary.md")
    #expect(summary.contains("## Time at equal quality, by processor\n"))
    #expect(
      !summary.contains("## Time at equal quality\n") && !summary.contains("## Bytes against encode time"))

    let unlike = try timeTables("unlike", judgement)
    let pooled = (unlike.matched_quality + unlike.qualities).compactMap(\.encode_cpu_ms_per_megapixel)
    #expect(pooled.isEmpty && !unlike.qualities.isEmpty)
    #expect(unlike.times_by_processor.map(\.images) == [6, 6])
    #expect(unlike.times_by_processor.allSatisfy { $0.encode_cpu_ratio_lower != nil })
    for index in 1...2 {
      let own = try #require(
        timeTables("shard-\(index)", judgement).matched_quality.first?.encode_cpu_ms_per_megapixel)
      let found = unlike.times_by_processor.first { ($0.processor == "Unlike 9") == (index == 2) }
      #expect(found?.encode_cpu_ms_per_megapixel == own)
    }
    // Both have the same points and differ only in times.
    let totals = try ["like", "unlike"].map { try desk.run(["report", $0, "--format", "totals"]).output }
    #expect(totals[0] != totals[1] && totals[1].contains("progressive"))
  }

  @Test("tile times of unlike processors are kept apart")
  func unlikeTiles() throws {
    for number in 0..<3 {
      try desk.writeImage("images/\(number).ppm", width: 150, height: 100, seed: UInt64(number + 1))
    }
    for index in 1...2 {
      let tiles = [
        "tiles", "images", "--codec", "jpeg", "--qualities", "0.5", "--tile-sizes", "64", "--viewport",
        "100x80", "--output", "shard-\(index)", "--shard", "\(index)/2",
      ]
      #expect(try desk.run(tiles).status == 0)
    }
    // At least ten times as slow, so that a mean of both differs from either.
    try change(
      """
      UPDATE result SET detail = replace(json_set(detail, '$.timesOrigin.processor', 'Unlike 9'),
        '"cpuNanoseconds":', '"cpuNanoseconds":9')
      """, in: "shard-2")
    let merged = try desk.run(["merge", "unlike", "shard-1", "shard-2"])
    #expect(merged.output.contains("Times from different processors are not pooled"), "\(merged.output)")
    let own = try desk.rows(of: "shard-1/tiles.csv")
    let rows = try desk.rows(of: "unlike/tiles.csv")
    #expect(own.count == 2 && rows.count == 3 && rows.count { $0["processor"] == "Unlike 9" } == 1)
    #expect(own.allSatisfy { $0["processor"] == nil })
    /// The first rows of the viewport's table, by column title.
    func viewports(_ folder: String) throws -> [[String: String]] {
      let table = try desk.text("\(folder)/tiles.md").split(separator: "\n## A viewport of")[1]
      let lines = table.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      }
      return lines.dropFirst(2).prefix(2).map { cells in
        Dictionary(zip(lines[0], cells), uniquingKeysWith: { first, _ in first })
      }
    }
    let (alone, both) = (try viewports("shard-1"), try viewports("unlike"))
    for title in ["CPU (ms)", "Walk, 16 MiB", "Whole, CPU (ms)"] {
      #expect(both[0][title] != nil && both[0][title] == alone[0][title])
    }
    #expect(both[1]["Processor"] == "`Unlike 9`" && both[1]["CPU (ms)"] != both[0]["CPU (ms)"])
  }

  @Test("times of reads come only from the processor that timed the most of them")
  func unlikeReads() throws {
    for number in 0..<3 { try desk.writeImage("images/\(number).ppm", seed: UInt64(number + 1)) }
    for index in 1...2 {
      let decode = [
        "decode", "images", "--sizes", "full", "--region", "none", "--repeat", "1", "--images", "none",
        "--output", "shard-\(index)", "--shard", "\(index)/2",
      ]
      #expect(try desk.run(decode).status == 0)
    }
    func answers(_ folder: String) throws -> NSArray? {
      let json = try JSONSerialization.jsonObject(with: Data(desk.text("\(folder)/decode.json").utf8))
      return (json as? [String: Any])?["answers"] as? NSArray
    }
    let like = try desk.run(["merge", "like", "shard-1", "shard-2"])
    #expect(like.status == 0 && !like.output.contains("not pooled"), "\(like.errors)")
    try change(
      "UPDATE result SET detail = json_set(detail, '$.timesOrigin.processor', 'Unlike 9')", in: "shard-2")
    let unlike = try desk.run(["merge", "unlike", "shard-2", "shard-1"])
    #expect(unlike.output.contains("those timed on Unlike 9 are only in decodes.csv"), "\(unlike.output)")
    let own = try #require(try answers("shard-1"))
    #expect(try answers("unlike") == own && answers("like") != own)
    let (rows, pooled) = (try desk.rows(of: "unlike/decodes.csv"), try desk.rows(of: "like/decodes.csv"))
    #expect(rows.count == pooled.count && pooled.allSatisfy { $0["processor"] == nil })
    #expect(try rows.count { $0["processor"] == "Unlike 9" } == desk.rows(of: "shard-2/decodes.csv").count)
    // A call that finds all reads there reports them in the same way.
    let again = try desk.run([
      "decode", "images", "--sizes", "full", "--region", "none", "--repeat", "1", "--images", "none",
      "--output", "unlike",
    ])
    #expect(again.status == 0 && again.output.contains("not pooled"), "\(again.errors)")
    #expect(try answers("unlike") == own)
  }

  @Test("three merged shards equal the whole run, and merging again changes nothing")
  func shardsAreTheWhole() throws {
    try writeCorpus()
    try sweep("whole")
    for index in 1...3 { try sweep("shard-\(index)", "--shard", "\(index)/3") }
    let merge = ["merge", "merged", "shard-1", "shard-2", "shard-3"]
    let first = try desk.run(merge)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.errors.contains("4 images, 16 encodes added"))
    #expect(!first.errors.contains("of the corpus"))
    let whole = try deterministic("whole")
    #expect(whole.split(separator: "\n").count == 17)
    #expect(try deterministic("merged") == whole)
    for report in ["summary.md", "report.html"] { #expect(try !desk.text("merged/\(report)").isEmpty) }

    let csv = try desk.text("merged/measurements.csv")
    let second = try desk.run(merge)
    #expect(second.status == 0, "\(second.errors)")
    #expect(second.errors.contains("0 encodes added"))
    #expect(second.errors.contains("16 already there"))
    #expect(try desk.text("merged/measurements.csv") == csv)
  }

  @Test("shards may be merged one at a time, and missing ones are named")
  func missingShards() throws {
    try writeCorpus()
    for index in 1...3 { try sweep("shard-\(index)", "--shard", "\(index)/3") }
    let part = try desk.run(["merge", "merged", "shard-3", "shard-1"])
    #expect(part.status == 0, "\(part.errors)")
    #expect(part.errors.contains("shards 1,3/3 of the corpus"))
    let rest = try desk.run(["merge", "merged", "shard-2"])
    #expect(!rest.errors.contains("of the corpus"))
    try sweep("whole")
    #expect(try deterministic("merged") == deterministic("whole"))
  }

  @Test("shard 1/1 is the whole run")
  func onlyShard() throws {
    try writeCorpus()
    try sweep("part", "--shard", "1/1")
    let merged = try desk.run(["merge", "merged", "part"])
    #expect(merged.status == 0 && !merged.errors.contains("only shards"), "\(merged.errors)")
    #expect(try deterministic("merged") == deterministic("part"))
  }

  @Test("the same point with other bytes is refused, with both hosts and the point")
  func conflict() throws {
    try desk.writeImage("images/a.ppm")
    try sweep("one")
    try sweep("other")
    try change("UPDATE result SET bytes = bytes + 1", in: "other")
    try change("UPDATE run SET host = 'far'", in: "other")
    let result = try desk.run(["merge", "merged", "one", "other"])
    #expect(result.status == 74)
    #expect(result.errors.contains("encoded bytes of “a.ppm” with jpeg at 0.3"), "\(result.errors)")
    #expect(result.errors.contains("on host far (“other/heicbench.sqlite”)"))
    #expect(result.errors.contains("(“merged/heicbench.sqlite”)"))
  }

  @Test("a folder without results is an error that leaves nothing behind")
  func missing() throws {
    try desk.writeImage("images/a.ppm")
    try sweep("one")
    let result = try desk.run(["merge", "merged", "one", "nowhere"])
    #expect(result.status == 74)
    #expect(result.errors.contains("nowhere"))
    #expect(!FileManager.default.fileExists(atPath: desk.folder.path + "/merged"))
    #expect(try desk.run(["merge", "merged"]).status == 64)
  }
}
