/// The reason that a job's shard cannot be determined from its environment.
package struct ShardError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem and its remedy.
  package let description: String
}

extension Shard {
  /// The variable with the number of shards, for engines that tell a job only its own index.
  package static let countVariable = "HEICBENCH_SHARDS"

  /// Parses `K/N`, or reads the variables of cluster engines for `auto`.
  package static func parse(_ text: String, environment: [String: String]) throws(ShardError) -> Shard {
    if text == "auto" { return try detect(in: environment) }
    guard let shard = Shard(text) else {
      throw ShardError(
        description: "“\(text)” is no shard; write K/N with K from 1 to N, such as 3/16, or auto")
    }
    return shard
  }

  /// The shard of an array job, by its engine's variables.
  ///
  /// In this order: Slurm arrays (`SLURM_ARRAY_TASK_ID`, `_MIN`, `_MAX`, `_STEP`, `_COUNT`), Kubernetes Indexed Jobs
  /// (`JOB_COMPLETION_INDEX`, from 0), parallel jobs of GitLab and others (`CI_NODE_INDEX`, from 1, and
  /// `CI_NODE_TOTAL`), GNU parallel (`PARALLEL_SEQ`, from 1). `HEICBENCH_SHARDS` gives the count for Kubernetes and GNU
  /// parallel, and overrides the others' counts.
  package static func detect(in environment: [String: String]) throws(ShardError) -> Shard {
    let count = try integer(countVariable, environment)
    if let id = try integer("SLURM_ARRAY_TASK_ID", environment) {
      return try slurm(id, count: count, environment)
    }
    if let index = try integer("JOB_COMPLETION_INDEX", environment) {
      return try shard(index, from: 0, count: count, of: "JOB_COMPLETION_INDEX")
    }
    if let index = try integer("CI_NODE_INDEX", environment) {
      let total = try integer("CI_NODE_TOTAL", environment)
      return try shard(index, from: 1, count: count ?? total, of: "CI_NODE_INDEX")
    }
    if let index = try integer("PARALLEL_SEQ", environment) {
      return try shard(index, from: 1, count: count, of: "PARALLEL_SEQ")
    }
    throw ShardError(
      description: "--shard auto finds none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, CI_NODE_INDEX and "
        + "PARALLEL_SEQ in the environment; write --shard K/N")
  }

  /// Array tasks count from MIN in steps of STEP; a sparse array (`--array=1,5,7`) cannot be placed.
  private static func slurm(
    _ id: Int, count: Int?, _ environment: [String: String]
  ) throws(ShardError) -> Shard {
    let first = try integer("SLURM_ARRAY_TASK_MIN", environment) ?? 0
    let step = try integer("SLURM_ARRAY_TASK_STEP", environment) ?? 1
    let last = try integer("SLURM_ARRAY_TASK_MAX", environment)
    let tasks = try integer("SLURM_ARRAY_TASK_COUNT", environment)
    guard step > 0, id >= first, (id - first) % step == 0 else {
      throw ShardError(
        description: "SLURM_ARRAY_TASK_ID \(id) is not on the array’s own steps; use --shard K/N")
    }
    let bySpan = last.flatMap { $0 >= first ? ($0 - first) / step + 1 : nil }
    if let bySpan, let tasks, bySpan != tasks, count == nil {
      throw ShardError(
        description: "the Slurm array has gaps (\(tasks) tasks from \(first) to \(last ?? 0)); "
          + "use a range without gaps such as --array=1-16, or --shard K/N")
    }
    return try shard((id - first) / step, from: 0, count: count ?? tasks ?? bySpan, of: "SLURM_ARRAY_TASK_ID")
  }

  private static func shard(
    _ index: Int, from first: Int, count: Int?, of variable: String
  ) throws(ShardError) -> Shard {
    guard let count else {
      throw ShardError(
        description: "\(variable) says which shard this is, but not of how many: set \(countVariable)")
    }
    guard let shard = Shard(index: index - first + 1, count: count) else {
      throw ShardError(description: "\(variable) is \(index), which is none of \(count) shards")
    }
    return shard
  }

  private static func integer(
    _ name: String, _ environment: [String: String]
  ) throws(ShardError) -> Int? {
    guard let text = environment[name], !text.isEmpty else { return nil }
    // Bounded, so that sums and differences of two such numbers cannot overflow.
    guard let value = Int(text), (0...Int(Int32.max)).contains(value) else {
      throw ShardError(description: "\(name) is “\(text)”, which is no whole number from 0")
    }
    return value
  }
}
