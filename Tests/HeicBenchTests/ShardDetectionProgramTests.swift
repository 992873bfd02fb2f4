import TestSupport
import Testing

/// `--shard auto` with the variables that engines set, from the program's environment to the images measured.
@Suite("--shard auto, run as a program")
struct ShardDetectionProgramTests {
  let desk: ProgramDesk

  init() throws { desk = try ProgramDesk() }

  /// The tests themselves may run on such an engine. An empty variable counts as not set.
  static let none = Dictionary(
    uniqueKeysWithValues: [
      "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX", "SLURM_ARRAY_TASK_STEP",
      "SLURM_ARRAY_TASK_COUNT", "JOB_COMPLETION_INDEX", "CI_NODE_INDEX", "CI_NODE_TOTAL", "PARALLEL_SEQ",
      "HEICBENCH_SHARDS",
    ].map { ($0, "") })

  private func images(_ shard: String, _ environment: [String: String] = [:]) throws -> [String] {
    let result = try desk.run(
      [
        "images", "--codec", "jpeg", "--qualities", "0.5", "--metrics", "none", "--quiet", "--format", "csv",
        "--shard", shard, "--output", "results-\(shard.replacing("/", with: "-"))", "--fresh",
      ], environment: Self.none.merging(environment) { _, new in new })
    #expect(result.status == 0, "\(result.errors)")
    return result.output.split(separator: "\n").dropFirst().map { String($0.prefix { $0 != "," }) }
  }

  @Test("every engine’s second of three tasks measures what --shard 2/3 does")
  func engines() throws {
    for (number, name) in ["a", "b", "c", "d", "e"].enumerated() {
      try desk.writeImage("images/\(name).ppm", width: 40 - 4 * number, seed: UInt64(number))
    }
    let expected = try images("2/3")
    #expect(!expected.isEmpty && expected.count < 5)
    let engines = [
      [
        "SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "3",
        "SLURM_ARRAY_TASK_STEP": "1", "SLURM_ARRAY_TASK_COUNT": "3",
      ],
      ["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "2"],
      ["JOB_COMPLETION_INDEX": "1", "HEICBENCH_SHARDS": "3"],
      ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"],
      ["PARALLEL_SEQ": "2", "HEICBENCH_SHARDS": "3"],
    ]
    for environment in engines { #expect(try images("auto", environment) == expected, "\(environment)") }
  }

  @Test(
    "unusable images alone make a finished shard but no corpus, and no images make neither")
  func unusable() throws {
    try desk.writeImage("images/a.ppm")
    try desk.write("P6 9 9 255", to: "images/b.ppm")
    let settings = ["--codec", "jpeg", "--qualities", "0.5", "--metrics", "none", "--quiet"]
    #expect(try desk.run(["images", "--shard", "2/2", "--output", "part"] + settings).status == 3)
    try desk.write("images/b.ppm\n", to: "part.txt")
    #expect(try desk.run(["--files", "part.txt", "--output", "listed"] + settings).status == 3)
    #expect(try desk.run(["merge", "merged", "part", "listed"]).status == 0)
    #expect(try desk.run(["images/b.ppm", "--output", "whole"] + settings).status == 66)
    try desk.write("", to: "part.txt")
    #expect(try desk.run(["--files", "part.txt", "--output", "none"] + settings).status == 66)
  }

  @Test(
    "missing or wrong values in the environment are usage errors that name the variable",
    arguments: [
      ([String: String](), "JOB_COMPLETION_INDEX"),
      (["PARALLEL_SEQ": "2"], "HEICBENCH_SHARDS"),
      (["JOB_COMPLETION_INDEX": "3", "HEICBENCH_SHARDS": "3"], "JOB_COMPLETION_INDEX is 3"),
      (["CI_NODE_INDEX": "two", "CI_NODE_TOTAL": "3"], "“two”"),
    ])
  func refusals(environment: [String: String], hint: String) throws {
    let all = Self.none.merging(environment) { _, new in new }
    let result = try desk.run(["images", "--shard", "auto"], environment: all)
    #expect(result.status == 64)
    #expect(result.errors.contains(hint), "\(result.errors)")
  }
}
