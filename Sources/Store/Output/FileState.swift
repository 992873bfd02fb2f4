import Foundation
import Model

/// A fingerprint of a file: identity, length and status change time. Equal states mean equal content, unless the file
/// changed again within one tick of the file system's clock.
package struct FileState: Sendable, Hashable {
  package let spelling: String
  /// The status change time, in nanoseconds since 1970 on the file system's clock.
  package let changed: Int64

  init(_ status: FileStatus) {
    changed = status.changedNanoseconds
    spelling = "\(status.identity.device) \(status.identity.inode) \(status.size) \(changed)"
  }

  package init?(_ spelling: Substring) {
    guard spelling.wholeMatch(of: /(-?[0-9]+ ){3}-?[0-9]+/) != nil,
      let changed = spelling.split(separator: " ").last.flatMap({ Int64($0) })
    else { return nil }
    (self.spelling, self.changed) = (String(spelling), changed)
  }

  /// True if the last change is so old that another change would get a different time on any file system's clock.
  var isSettled: Bool { changed < Int64(Date.now.timeIntervalSince1970 * 1e9) - 2_000_000_000 }
}
