import Store

/// The images whose rows have come, so that rows that do not stand together are noticed.
///
/// Of each image sixteen bytes or so are kept in place of its name: that two of a million images have the same 64 bits is as likely
/// as three in a hundred million, and would be told as scattered rows.
struct SeenImages: Sendable {
  private var digests: Set<Int> = []

  /// Takes note of an image whose rows have ended.
  mutating func insert(name: String, hash: String?) { digests.insert(Self.digest(name, hash)) }

  /// Whether its rows have ended before.
  func contains(name: String, hash: String?) -> Bool { digests.contains(Self.digest(name, hash)) }

  private static func digest(_ name: String, _ hash: String?) -> Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(hash)
    return hasher.finalize()
  }
}
