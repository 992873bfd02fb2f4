/// What a corpus walk left aside, by reason: nothing is skipped without being counted.
public struct PassedOver: Sendable, Hashable {
  /// Why a file or folder was left aside.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// Its name begins with a dot.
    case hidden
    /// No reader recognises the contents.
    case notAnImage = "not an image"
    /// A FIFO, socket or device.
    case notRegular = "not a regular file"
    /// The system does not let us read it.
    case unreadable
    /// A listed path that does not exist.
    case missing
    /// A link that leads nowhere.
    case danglingLink = "dangling link"
    /// A link in a circle, or to a folder that was walked already.
    case linkLoop = "link loop"
    /// Met before under the same name: overlapping roots, or a path listed twice.
    case repeated = "the same file again"
    /// The results of an earlier run, which may hold encoded files.
    case resultsFolder = "a results folder"
  }

  /// How many, by reason.
  public private(set) var counts: [Reason: Int] = [:]
  /// The first few names, by reason, for messages.
  public private(set) var examples: [Reason: [String]] = [:]

  /// Counts nothing yet.
  public init() {}

  /// How many in all.
  public var total: Int { counts.values.reduce(0, +) }

  /// The counts under the reasons' names, as a run's manifest keeps them.
  public var countsByName: [String: Int] {
    Dictionary(counts.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
  }

  mutating func count(_ name: String, _ reason: Reason) {
    counts[reason, default: 0] += 1
    if examples[reason, default: []].count < 5 { examples[reason, default: []].append(name) }
  }
}
