import Model
import Reports
import Store

/// The cost of reading files or cutting pictures into tiles. The results themselves are in `folder`.
public struct CostOutcome: Sendable {
  /// The folder of the results.
  public let folder: String
  /// The answers, a sentence each.
  public let sentences: [String]
  /// The answers as shown on a terminal, without a final newline.
  package let text: String
  /// Number of reads or cuts requested.
  public let total: Int
  /// Number of them that earlier runs had made.
  public let known: Int
  /// Number of them that failed.
  public let failed: Int
  /// True if the run was stopped before all were made.
  public let wasInterrupted: Bool
  /// Names of the requested pictures.
  let pictures: Set<String>

  init(
    _ folder: String, _ sentences: [String], known: Int, total: Int, failed: Int, wasInterrupted: Bool
  ) {
    (self.folder, self.sentences, self.known, self.total) = (folder, sentences, known, total)
    (self.failed, self.wasInterrupted, pictures) = (failed, wasInterrupted, [])
    text = sentences.joined(separator: "\n")
  }

  /// Counts the outcomes of the requested keys.
  /// - Parameters:
  ///   - text: terminal output in place of the sentences.
  ///   - outcomes: all outcomes so far; for a repeated key the last one counts.
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

/// The earlier results that a run keeps.
public enum Reuse: Sendable, Hashable {
  /// All earlier results.
  case all
  /// Results that did not fail.
  case successes
  /// None: everything is measured again.
  case nothing
}

extension ResultStore.Options {
  init(_ reuse: Reuse) { self.init(retryFailed: reuse == .successes, fresh: reuse == .nothing) }
}

extension OutputFolder {
  /// Opens or creates a results folder; throws before anything is measured if foreign files have our names.
  static func results(
    at path: String, refusing refuseObstacles: (OwnedFolder) throws -> Void
  ) throws -> OwnedFolder {
    try make(path)
    let files = try ResultsFolder.open(path)
    try refuseObstacles(files)
    return files
  }
}
