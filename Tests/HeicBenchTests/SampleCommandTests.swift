import Foundation
import Model
import Store
import TestSupport
import Testing

/// Samples of a folder, and shards sized by the time that a sample takes.
@Suite("Samples and shards, run as a program")
struct SampleCommandTests {
  let desk: ProgramDesk

  init() throws {
    desk = try ProgramDesk()
    for index in 0..<8 { try desk.writeImage("images/\(index).ppm", seed: UInt64(index)) }
    for index in 0..<4 {
      try desk.writeImage("images/large/\(index).ppm", width: 64, height: 48, seed: UInt64(20 + index))
    }
  }

  private static let sweep = [
    "--codec", "jpeg", "--codec", "jpeg:progressive=true", "--qualities", "0.3,0.8", "--refine", "off",
    "--metrics", "psnr-y",
  ]

  private func sample(_ arguments: String..., output: String) throws -> (
    result: BuiltProgram.Result, images: Set<String>
  ) {
    let result = try desk.run(
      ["images", "--images", "none", "--output", output] + arguments + Self.sweep)
    #expect(result.status == 0, "\(result.errors)")
    return (result, Set(try desk.rows(of: "\(output)/measurements.csv").compactMap { $0["image"] }))
  }

  @Test("a sample is proportional and repeatable, and a larger one includes it")
  func samples() throws {
    let (first, images) = try sample("--sample", "6", output: "six")
    #expect(images.count == 6 && (1...3).contains(images.count { $0.hasPrefix("large/") }))
    #expect(first.output.contains("Intervals are for all 12 images: 6 were drawn evenly"))
    #expect(first.output.contains("All of them would take ") && first.output.contains("of CPU time"))
    let again = try sample("--sample", "6", output: "six")
    #expect(again.result.errors.contains("0 encodes in") && again.images == images)
    let more = try sample("--sample", "9", output: "six")
    #expect(more.images.count == 9 && images.isSubset(of: more.images))
    #expect(more.result.errors.contains("24 already there"))
    #expect(try sample("--sample", "6", "--seed", "3", output: "other").images != images)
    // All images do not count as a sample.
    #expect(try !sample("--sample", "12", output: "all").result.output.contains("drawn"))
    let both = try desk.run(["images", "--sample", "6", "--limit", "6"] + Self.sweep)
    #expect(both.status == 64 && both.errors.contains("--sample and --limit"))
  }

  @Test("shards of a sample are shards of one sweep, and merge into the sample")
  func partsOfASample() throws {
    let (_, images) = try sample("--sample", "6", output: "whole")
    let parts = try (1...2).map {
      try sample("--sample", "6", "--shard", "\($0)/2", output: "part-\($0)").images
    }
    #expect(parts[0].isDisjoint(with: parts[1]) && parts[0].union(parts[1]) == images)
    let merged = try desk.run(["merge", "merged", "part-1", "part-2"])
    #expect(merged.output.contains("Intervals are for all 12 images: 6 were drawn evenly"))
    // Different samples do not add up to one.
    _ = try sample("--sample", "5", "--seed", "9", output: "part-1")
    let mixed = try desk.run(["merge", "mixed", "part-1", "part-2"])
    #expect(mixed.status == 0 && !mixed.output.contains("drawn"))
  }

  @Test("shards by time are printed with a command for one of them")
  func shards() throws {
    let command = [
      "shards", "images", "--minutes", "0.00001", "--sample", "5", "--jobs", "1", "--output", "cut",
    ]
    let result = try desk.run(command + Self.sweep)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.contains("12 images take "))
    #expect(result.output.contains("11 parts of ") && result.output.contains("no shorter than the largest"))
    let words = Self.sweep.joined(separator: " ")
    let line = "heicbench images --jobs 1 \(words) --shard 1/11 --images none --output cut/part-1"
    #expect(result.output.contains("\n  \(line)\n"), "\(result.output)")
    #expect(result.output.contains("\n  heicbench merge cut/merged cut/part-*\n"))
    let part = try desk.run(line.split(separator: " ").dropFirst().map(String.init))
    #expect(part.status == 0, "\(part.errors)")
    #expect(try Set(desk.rows(of: "cut/part-1/measurements.csv").compactMap { $0["image"] }).count == 1)
    // A single long part does not need others.
    let one = try desk.run(["shards", "images", "--minutes", "600", "--output", "cut"] + Self.sweep)
    #expect(one.output.contains("12 images take ") && one.output.contains(": 1 part of "))
    #expect(one.output.contains("--shard 1/1 ") && !one.output.contains("Likewise"))
    for wrong in [["--shard", "1/2"], ["--limit", "3"], ["--minutes", "0"], ["--no-such"]] {
      #expect(try desk.run(["shards", "images", "--output", "wrong"] + wrong).status == 64)
    }
  }

  @Test("a sample that fails says why, and with --retry-failed it is measured again")
  func failingShards() throws {
    let command = [
      "shards", "images", "--sample", "2", "--codec", "null:fault=error", "--qualities", "0.5", "--metrics",
      "none", "--output", "failing",
    ]
    let result = try desk.run(command)
    #expect(result.status == 3, "\(result.errors)")
    #expect(
      result.errors.contains("” with null:fault=error at 0.5: null: requested fault"), "\(result.errors)")
    #expect(result.errors.contains("the sample lacks 2 encodes"), "\(result.errors)")
    #expect(result.errors.contains("“heicbench report failing/sample --failures”"))
    #expect(result.output.isEmpty)
    let again = try desk.run(command + ["--retry-failed"])
    #expect(again.status == 3 && again.errors.contains("the sample lacks 2 encodes"), "\(again.errors)")
  }

  @Test("shards are printed even if a sample has unusable images, which are named")
  func unusableImagesOfASample() throws {
    try desk.writeImage("some/whole.ppm", seed: 1)
    try desk.write("P6\n9 9\n255\n", to: "some/broken.ppm")
    let result = try desk.run(
      ["shards", "some", "--minutes", "600", "--output", "parts", "--retry-failed"] + Self.sweep)
    #expect(result.status == 3, "\(result.errors)")
    #expect(result.errors.contains("failed: “broken.ppm”: "), "\(result.errors)")
    #expect(result.errors.contains("the sample lacks 1 image, "), "\(result.errors)")
    #expect(result.output.contains(": 1 part of ") && !result.output.contains("--retry-failed"))
  }
}
