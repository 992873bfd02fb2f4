import Model
import Reports
import Store

/// What reading files or cutting pictures into tiles costs. The results themselves are in their folder.
public struct CostOutcome: Sendable {
  /// The folder of the results.
  public let folder: String
  /// The answers, a sentence each.
  public let sentences: [String]
  /// The answers as a terminal shows them, without the last line's end.
  package let text: String
  /// How many reads or cuts were asked for.
  public let total: Int
  /// How many of them earlier runs had made.
  public let known: Int
  /// How many of them failed.
  public let failed: Int
  /// Whether the run was stopped before all were made.
  public let wasInterrupted: Bool
  /// The names of the pictures that were asked for.
  let pictures: Set<String>

  /// Counts what became of the keys that were asked for.
  /// - Parameters:
  ///   - text: what a terminal shows in place of the sentences.
  ///   - outcomes: what there is by now; of a key that comes more than once the last one counts.
  init<Key: Hashable, Value>(
    _ folder: String, _ sentences: [String], text: String? = nil, known: Int, keys: [Key],
    picture: (Key) -> ImageIdentity,
    outcomes: [(Key, Outcome<Value>)]
  ) {
    let outcomes = Dictionary(outcomes, uniquingKeysWith: { _, last in last })
    (self.folder, self.sentences, self.known, total) = (folder, sentences, known, keys.count)
    self.text = text ?? sentences.joined(separator: "\n")
    failed = keys.count { outcomes[$0]?.failure != nil }
    wasInterrupted = keys.contains { outcomes[$0] == nil }
    pictures = Set(keys.map { picture($0).name })
  }
}

/// What of earlier results a run takes as it is.
public enum Reuse: Sendable, Hashable {
  /// All that is there.
  case all
  /// What has not failed.
  case successes
  /// Nothing: everything is measured again.
  case nothing
}

extension ResultStore.Options {
  /// What a store hands out for a run.
  init(_ reuse: Reuse) { self.init(retryFailed: reuse == .successes, fresh: reuse == .nothing) }
}

extension OutputFolder {
  /// A folder of results, made where there is none, before anything is measured: what is not ours under our names is
  /// in the way.
  static func results(
    at path: String, refusing refuseObstacles: (OwnedFolder) throws -> Void
  ) throws -> OwnedFolder {
    try make(path)
    let files = try ResultsFolder.open(path)
    try refuseObstacles(files)
    return files
  }
}
