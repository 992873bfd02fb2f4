import Store

/// Images with completed rows, to detect rows that are not contiguous.
///
/// Some sixteen bytes per image replace its name. The probability that two of a million images share the same 64 bits,
/// and so are reported as scattered rows, is three in a hundred million.
package struct SeenImages: Sendable {
  private var digests: Set<Int> = []

  package mutating func insert(name: String, hash: String?) { digests.insert(Self.digest(name, hash)) }

  /// Returns true if the image's rows have ended before.
  package func contains(name: String, hash: String?) -> Bool { digests.contains(Self.digest(name, hash)) }

  private static func digest(_ name: String, _ hash: String?) -> Int {
    var hasher = Hasher()
    hasher.combine(name)
    hasher.combine(hash)
    return hasher.finalize()
  }
}

/// Reason why rows cannot be analysed.
package enum AnalysisError: Error, Sendable, Hashable, CustomStringConvertible {
  /// An image's rows are not contiguous; they must be in plan order or sorted by image.
  case scatteredImage(String)

  package var description: String {
    switch self {
    case .scatteredImage(let image):
      "the rows of “\(image)” do not stand together: sort the rows by image"
    }
  }
}
