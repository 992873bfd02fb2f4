import Pixels

/// Files of an image or video format that heicbench does not read.
package struct UnreadFormat: Sendable, Hashable, Codable {
  /// The format's display name, such as `TIFF`.
  package var format: String
  package var files = 0
  package var bytes = 0
  /// The first files found, at most `namesKept`.
  package var names: [String] = []

  private static let namesKept = 100

  package init(_ format: String) { self.format = format }

  package mutating func add(_ name: String, bytes: Int) {
    files += 1
    self.bytes +|= bytes
    if names.count < Self.namesKept { names.append(name) }
  }

  /// Adds the files of a list without common files.
  fileprivate static func + (one: UnreadFormat, other: UnreadFormat) -> UnreadFormat {
    var sum = one
    sum.files +|= other.files
    sum.bytes +|= other.bytes
    sum.names += other.names.prefix(max(0, namesKept - sum.names.count))
    return sum
  }
}

/// Files that a call skipped while searching for images.
package struct SkippedFiles: Sendable, Hashable, Codable {
  package var unread: [UnreadFormat]
  /// Files and folders, by reason.
  package var counts: [String: Int]

  package init(unread: [UnreadFormat], counts: [String: Int]) {
    (self.unread, self.counts) = (unread, counts)
  }
}

extension [UnreadFormat] {
  /// Both lists joined.
  /// - Parameter areSame: True if `other` counts the same files, as the parts of a corpus do.
  package func merged(with other: [UnreadFormat], areSame: Bool = true) -> [UnreadFormat] {
    let all = Dictionary((self + other).map { ($0.format, $0) }) { one, next in
      guard areSame else { return one + next }
      return next.files > one.files ? next : one
    }
    return all.values.sorted { ($1.files, $0.format) < ($0.files, $1.format) }
  }
}
