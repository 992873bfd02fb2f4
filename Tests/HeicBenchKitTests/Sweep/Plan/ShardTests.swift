import Model
import Pixels
import TestSupport
import Testing
import Workers

@testable import HeicBenchKit

@Suite("Shards")
struct ShardTests {
  static func corpus(_ count: Int, seed: UInt64 = 1) -> [CorpusEntry] {
    var generator = SeededGenerator(seed: seed)
    return (0..<count).map { index in
      let hash = String(generator.next(), radix: 16)
      let side = 1 << Int.random(in: 5...12, using: &generator)
      return CorpusEntry(
        identity: ImageIdentity(name: "image \(index)", contentHash: hash), path: [], fileBytes: 1,
        header: ImageHeader(
          format: "png", width: side, height: side, bitDepth: 8, layout: .rgb, isLossy: false))
    }
  }

  private func parts(of entries: [CorpusEntry], _ count: Int) throws -> [[CorpusEntry]] {
    try (1...count).map { try #require(Shard(index: $0, count: count)).part(of: entries) }
  }

  @Test("parts are disjoint and complete", arguments: [1, 2, 3, 16, 250])
  func partition(count: Int) throws {
    let entries = Self.corpus(200)
    let parts = try parts(of: entries, count)
    #expect(parts.map(\.count).reduce(0, +) == entries.count)
    #expect(Set(parts.joined()) == Set(entries))
  }

  @Test("parts are balanced by pixels")
  func balance() throws {
    let loads = try parts(of: Self.corpus(500), 8).map { part in
      part.map { $0.header?.pixelCount ?? 0 }.reduce(0, +)
    }
    let least = try #require(loads.min())
    let most = try #require(loads.max())
    #expect(Double(most - least) < 0.02 * Double(most))
  }

  @Test("parts do not depend on the order of the images")
  func stability() throws {
    let entries = Self.corpus(300)
    var generator = SeededGenerator(seed: 9)
    let shuffled = entries.shuffled(using: &generator)
    for (part, other) in zip(try parts(of: entries, 5), try parts(of: shuffled, 5)) {
      #expect(Set(part) == Set(other))
      #expect(part.map(\.identity.name) == entries.filter(part.contains).map(\.identity.name))
    }
  }

  @Test("images that cannot be measured still belong to one shard")
  func problems() throws {
    let broken = (0..<10).map { index in
      CorpusEntry(
        identity: ImageIdentity(name: "\(index)", contentHash: "same"), path: [], fileBytes: 1, header: nil,
        problem: Failure(kind: .source, message: "broken"))
    }
    let parts = try parts(of: broken, 4)
    #expect(parts.map(\.count).sorted() == [2, 2, 3, 3])
  }

  @Test("K/N is accepted and anything else refused")
  func parsing() throws {
    #expect(Shard("3/16") == Shard(index: 3, count: 16))
    #expect(Shard("3/16")?.description == "3/16")
    for text in ["0/4", "5/4", "1/0", "3", "/", "1/2/3", "-1/2", "a/b", "", "1/99999999999999999999"] {
      #expect(Shard(text) == nil, "\(text)")
      #expect(throws: HeicBenchError.self) { try Shard.parse(text, environment: [:]) }
    }
  }

  @Test(
    "variables of engines are understood",
    arguments: [
      (["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "4"], "3/4"),
      (["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "3"], "1/4"),
      (
        [
          "SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "13",
          "SLURM_ARRAY_TASK_STEP": "4", "SLURM_ARRAY_TASK_COUNT": "4",
        ], "3/4"
      ),
      (["JOB_COMPLETION_INDEX": "0", "HEICBENCH_SHARDS": "16"], "1/16"),
      (["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "5"], "2/5"),
      (["PARALLEL_SEQ": "8", "HEICBENCH_SHARDS": "8"], "8/8"),
    ])
  func engines(environment: [String: String], expected: String) throws {
    #expect(try Shard.parse("auto", environment: environment).description == expected)
  }

  @Test(
    "incomplete variables are refused",
    arguments: [
      [:], ["JOB_COMPLETION_INDEX": "0"], ["PARALLEL_SEQ": "9", "HEICBENCH_SHARDS": "8"],
      ["CI_NODE_INDEX": "x", "CI_NODE_TOTAL": "5"], ["SLURM_ARRAY_TASK_ID": "-1"],
      [
        "SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "7",
        "SLURM_ARRAY_TASK_COUNT": "3",
      ],
    ])
  func refused(environment: [String: String]) {
    #expect(throws: HeicBenchError.self) { try Shard.detect(in: environment) }
  }
}
