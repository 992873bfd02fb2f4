/// A number of bytes as people write it: `500000`, `200kB`, `1.5GiB`.
package struct ByteCount: Sendable, Hashable {
  package let bytes: Int

  private static let units: [(String, Double)] = [
    ("kib", 1024), ("mib", 1_048_576), ("gib", 1_073_741_824), ("tib", 1_099_511_627_776),
    ("kb", 1e3), ("mb", 1e6), ("gb", 1e9), ("tb", 1e12), ("k", 1024), ("m", 1_048_576), ("g", 1_073_741_824),
    ("t", 1_099_511_627_776), ("b", 1), ("", 1),
  ]

  /// Parses a number with an optional unit; nil unless it is at least 1 and below 1e18 bytes.
  package init?(_ argument: String) {
    let text = argument.lowercased()
    guard let (unit, factor) = Self.units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(unit.count)), number > 0, number * factor < 1e18, number * factor >= 1
    else { return nil }
    bytes = Int(number * factor)
  }
}
