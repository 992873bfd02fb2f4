import Foundation

/// A fingerprint of a file: identity, length and status change time, which the file system sets and no program can.
/// Equal states mean equal content, unless the file changed again within one tick of the file system's clock.
package struct FileState: Sendable, Hashable {
  private var device: UInt64
  private var number: UInt64
  private var bytes: Int64
  /// The status change time, nanoseconds since 1970 on the file system's clock.
  package private(set) var changed: Int64

  init(_ status: stat) {
    #if canImport(Darwin)
      let time = status.st_ctimespec
    #else
      let time = status.st_ctim
    #endif
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    bytes = Int64(status.st_size)
    changed = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }

  /// Parses a `spelling`; nil for anything else.
  package init?(_ spelling: Substring) {
    let parts = spelling.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 4, let device = UInt64(Substring(parts[0])),
      let number = UInt64(Substring(parts[1])),
      let bytes = Int64(Substring(parts[2])), let changed = Int64(Substring(parts[3]))
    else { return nil }
    (self.device, self.number, self.bytes, self.changed) = (device, number, bytes, changed)
  }

  package var spelling: String { "\(device) \(number) \(bytes) \(changed)" }

  /// True if the last change is so old that another one would have a different time on any file system's clock.
  var isSettled: Bool { changed < Int64(Date.now.timeIntervalSince1970 * 1e9) - 2_000_000_000 }
}
