package import Model

/// The shards of a corpus that a run has not.
package struct MissingShards: Sendable, Hashable {
  /// The shards that the run has: `1/2`, or `1,3/4`.
  package let present: String
  /// The numbers of the others, from 1; empty where `present` names several divisions of the corpus.
  package let numbers: [Int]
  /// How many shards the corpus was divided into.
  package let count: Int
}

extension RunManifest {
  /// The shards of the corpus that the run has not; nil for a run over all of it.
  package var missingShards: MissingShards? {
    guard let shard else { return nil }
    guard let (numbers, count) = MergedManifest.parse(shard) else {
      return MissingShards(present: shard, numbers: [], count: 0)
    }
    let others = Set(1...count).subtracting(numbers).sorted()
    return others.isEmpty ? nil : MissingShards(present: shard, numbers: others, count: count)
  }
}
