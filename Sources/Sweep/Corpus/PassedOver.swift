/// What a corpus walk left aside, by reason: nothing is skipped without being counted.
package struct PassedOver: Sendable, Hashable {
  /// Why a file or folder was left aside.
  package enum Reason: String, Sendable, Hashable, CaseIterable {
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
    /// The results of a run of 0.1.0, which may hold encoded files and pictures.
    case resultsFolder = "a results folder"
    /// What heicbench wrote itself: reports, pictures, encoded files.
    case ownFile = "written by heicbench"

    /// So many of them, for a sentence: `2 hidden`, `1 results folder`.
    package func counted(_ count: Int) -> String {
      switch self {
      case .resultsFolder: "\(count) results folder\(count == 1 ? "" : "s")"
      case .danglingLink, .linkLoop: "\(count) \(rawValue)\(count == 1 ? "" : "s")"
      default: "\(count) \(rawValue)"
      }
    }
  }

  /// How many, by reason.
  package private(set) var counts: [Reason: Int] = [:]
  /// Their names, by reason: the first `namesKept` of each.
  package private(set) var names: [Reason: [String]] = [:]

  /// How many names are kept of each reason, so that a folder of millions takes no memory to speak of.
  package static let namesKept = 10_000
  /// How many names of each reason a manifest holds.
  private static let namesInManifest = 100

  /// Counts nothing yet.
  package init() {}

  /// How many in all.
  package var total: Int { counts.values.reduce(0, +) }

  /// The counts under the reasons' names, as a run's manifest keeps them.
  package var countsByName: [String: Int] {
    Dictionary(counts.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: +)
  }

  /// The first names under the reasons' names, as a run's manifest keeps them.
  package var namesByName: [String: [String]] {
    Dictionary(
      names.map { ($0.key.rawValue, Array($0.value.prefix(Self.namesInManifest))) }, uniquingKeysWith: +)
  }

  mutating func count(_ name: String, _ reason: Reason) {
    counts[reason, default: 0] += 1
    if names[reason, default: []].count < Self.namesKept { names[reason, default: []].append(name) }
  }
}
