package import Model
import Pixels

/// A common manifest for runs that answer the same question: shards of a sweep, or sweeps of several hosts. Merging
/// is idempotent.
enum MergedManifest {
  struct Refusal: Error {
    let reason: String
  }

  /// The manifest of both runs; the variants of `a` come first.
  static func merge(_ a: RunManifest, _ b: RunManifest) throws(Refusal) -> RunManifest {
    try requireOneQuestion(a, b)
    var merged = a
    merged.metricPrograms = union(a.metricPrograms, b.metricPrograms) { own, _ in own }
    merged.version = union(a.version, b.version)
    merged.started = min(a.started, b.started)
    merged.roots = union(a.roots, b.roots)
    merged.machine = merge(a.machine, b.machine)
    merged.variants = union(a.variants, b.variants)
    merged.qualities = QualityList(a.qualities + b.qualities).qualities
    merged.refinement = union(a.refinement, b.refinement)
    merged.metrics = a.metrics + b.metrics.filter { metric in !a.metrics.contains { $0.id == metric.id } }
    merged.defaults = union(a.defaults, b.defaults) { first, _ in first }
    merged.jobs = max(a.jobs, b.jobs)
    merged.repeats = max(a.repeats, b.repeats)
    let isOneCorpus = areOfOneCorpus(a, b)
    merged.passedOver.merge(b.passedOver) { isOneCorpus ? max($0, $1) : $0 +| $1 }
    merged.passedOverNames = union(a.passedOverNames, b.passedOverNames) { union($0, $1) }
    if a.unread != nil || b.unread != nil {
      merged.unread = (a.unread ?? []).merged(with: b.unread ?? [], areSame: isOneCorpus)
    }
    merged.shard = mergeShards(a.shard, b.shard)
    // Two samples, of one folder or of two, do not make up a single sample.
    merged.sample = a.sample == b.sample ? a.sample : nil
    merged.isFresh = nil
    merged.title = a.title ?? b.title
    if a.builds != nil || b.builds != nil { merged.builds = union(a.builds ?? [], b.builds ?? []) }
    merged.imports = union(a.imports, b.imports)
    merged.settingsAsRun = union(a.settingsAsRun, b.settingsAsRun) { first, _ in first }
    merged.sandbox = SandboxStatus.common([a.sandbox, b.sandbox].compactMap(\.self))
    return merged
  }

  /// True if the runs skipped the same files: shards walk the whole corpus, and a merged run has its parts' roots.
  private static func areOfOneCorpus(_ a: RunManifest, _ b: RunManifest) -> Bool {
    let (own, others) = (Set(a.roots.map(plain)), Set(b.roots.map(plain)))
    return a.shard != nil && b.shard != nil || own.isSubset(of: others) || others.isSubset(of: own)
  }

  /// A root as any of its spellings: `photos` for `./photos/`.
  private static func plain(_ root: String) -> String {
    var plain = root[...]
    if plain.hasPrefix("./"), plain.count > 2 { plain = plain.dropFirst(2) }
    while plain.hasSuffix("/"), plain.count > 1 { plain = plain.dropLast() }
    return String(plain)
  }

  private static func requireOneQuestion(_ a: RunManifest, _ b: RunManifest) throws(Refusal) {
    guard a.preparation == b.preparation else {
      let (one, other) = (b.preparation.canonicalSpelling, a.preparation.canonicalSpelling)
      throw Refusal(reason: "its images were prepared with “\(one)”, the others with “\(other)”")
    }
    guard a.target == b.target else {
      throw Refusal(reason: "it comes from \(question(b)), the others from \(question(a))")
    }
    for (id, program) in b.metricPrograms ?? [:] {
      guard let own = a.metricPrograms?[id], own != program else { continue }
      throw Refusal(
        reason: "its scores of “\(id)” come from a different command or program than the others'")
    }
  }

  /// The refinements of both. If their metrics differ, the manifest keeps the first, but the points of both count.
  private static func union(_ a: Refinement?, _ b: Refinement?) -> Refinement? {
    guard let a, let b else { return a ?? b }
    guard a.metric == b.metric else { return a }
    return Refinement(
      metric: a.metric, targets: a.targets + b.targets,
      band: min(a.band.lowerBound, b.band.lowerBound)...max(a.band.upperBound, b.band.upperBound))
  }

  private static func union<Value>(
    _ a: [String: Value]?, _ b: [String: Value]?, _ combine: (Value, Value) -> Value
  ) -> [String: Value]? {
    a?.merging(b ?? [:], uniquingKeysWith: combine) ?? b
  }

  /// The series of both; for a shared name, the first folder is kept.
  private static func union(_ a: [ImportedSeries]?, _ b: [ImportedSeries]?) -> [ImportedSeries]? {
    guard let a, let b else { return a ?? b }
    return a + b.filter { other in !a.contains { $0.name == other.name } }
  }

  private static func question(_ manifest: RunManifest) -> String {
    manifest.target.map { "the search for \($0)" } ?? "a plain sweep"
  }

  private static func merge(_ a: MachineDescription, _ b: MachineDescription) -> MachineDescription {
    guard a != b else { return a }
    return MachineDescription(
      host: union(a.host, b.host), system: union(a.system, b.system),
      processor: union(a.processor, b.processor), cores: max(a.cores, b.cores),
      memoryBytes: max(a.memoryBytes, b.memoryBytes), governor: a.governor == b.governor ? a.governor : nil,
      quotaCores: a.quotaCores == b.quotaCores ? a.quotaCores : nil)
  }

  /// `1/3` and `2/3` give `1,2/3`, and with `1/2` they give `1,2/3, 1/2`; nil, meaning a whole run, if all shards of a
  /// division are present or either run is whole.
  static func mergeShards(_ a: String?, _ b: String?) -> String? {
    guard let a, let b else { return nil }
    var divisions: [(text: String, numbers: Set<Int>, count: Int)] = []
    for text in union(a, b).split(separator: ", ").map(String.init) {
      let part = parse(text)
      if let part, let known = divisions.firstIndex(where: { $0.count == part.count }) {
        divisions[known].numbers.formUnion(part.numbers)
      } else {
        divisions.append((text, part?.numbers ?? [], part?.count ?? 0))
      }
    }
    // A division into a single part, `1/1`, is also whole.
    if divisions.contains(where: { $0.count > 0 && $0.numbers.count == $0.count }) { return nil }
    return divisions.map { text, numbers, count in
      count == 0 ? text : numbers.sorted().map(String.init).joined(separator: ",") + "/\(count)"
    }.joined(separator: ", ")
  }

  /// The numbers and the count of `1,2/3`; nil if malformed.
  static func parse(_ shard: String) -> (numbers: Set<Int>, count: Int)? {
    let parts = shard.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let count = Int(parts[1]), (1...1_000_000).contains(count) else { return nil }
    let numbers = parts[0].split(separator: ",").compactMap { Int($0) }
    return numbers.allSatisfy((1...count).contains) ? (Set(numbers), count) : nil
  }

  private static func union(_ a: String, _ b: String) -> String {
    union(a.split(separator: ", "), b.split(separator: ", ")).joined(separator: ", ")
  }

  private static func union<T: Hashable>(_ a: [T], _ b: [T]) -> [T] {
    var seen: Set<T> = []
    return (a + b).filter { seen.insert($0).inserted }
  }
}

package struct MissingShards: Sendable, Hashable {
  /// The shards present in the run: `1/2`, or `1,3/4`.
  package let present: String
  /// The missing shard numbers, from 1; empty if `present` names several divisions of the corpus.
  package let numbers: [Int]
  package let count: Int
}

extension RunManifest {
  package var missingShards: MissingShards? {
    guard let shard else { return nil }
    guard let (numbers, count) = MergedManifest.parse(shard) else {
      return MissingShards(present: shard, numbers: [], count: 0)
    }
    let others = Set(1...count).subtracting(numbers).sorted()
    return others.isEmpty ? nil : MissingShards(present: shard, numbers: others, count: count)
  }
}
