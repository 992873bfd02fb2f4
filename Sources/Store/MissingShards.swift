package import Model

/// The shards of a corpus missing from a run.
package struct MissingShards: Sendable, Hashable {
  /// The shards present in the run: `1/2`, or `1,3/4`.
  package let present: String
  /// The missing numbers, from 1; empty if `present` names several divisions of the corpus.
  package let numbers: [Int]
  package let count: Int
}

extension RunManifest {
  /// Nil for a run over the whole corpus.
  package var missingShards: MissingShards? {
    guard let shard else { return nil }
    guard let (numbers, count) = MergedManifest.parse(shard) else {
      return MissingShards(present: shard, numbers: [], count: 0)
    }
    let others = Set(1...count).subtracting(numbers).sorted()
    return others.isEmpty ? nil : MissingShards(present: shard, numbers: others, count: count)
  }
}
