import Pixels

/// The range of a number in a request, for the request's own check and for the command's option.
package struct Limit<Number: Comparable & LosslessStringConvertible & Sendable>: Sendable {
  let name: String
  let range: ClosedRange<Number>
  /// The noun before the range, such as `pixels`.
  var noun = "a number"
  /// True if the lower end itself is refused.
  var isOpen = false

  /// Refuses a number outside the range; nil means the default.
  /// - Throws: `HeicBenchError` that says the range.
  func check(_ number: Number?) throws(HeicBenchError) {
    guard let number, !range.contains(number) || isOpen && number == range.lowerBound else { return }
    throw refusal(of: "\(number)")
  }

  package func parse(_ text: String) throws(HeicBenchError) -> Number {
    guard let number = Number(text) else { throw refusal(of: "“\(text)”") }
    try check(number)
    return number
  }

  private func refusal(of text: String) -> HeicBenchError {
    let (least, most) = (Self.plain(range.lowerBound), Self.plain(range.upperBound))
    let words =
      isOpen
      ? "more than \(least), at most \(most)"
      : "from \(least)" + (range.upperBound as? Int == .max ? "" : " to \(most)")
    return HeicBenchError(.usage, "\(name) takes \(noun) \(words), not \(text)")
  }

  private static func plain(_ number: Number) -> String {
    let text = "\(number)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}

package enum Limits {
  package static let bandwidth = Limit(name: "bandwidth", range: 0...1e6, noun: "Mbit/s", isOpen: true)
  static let budget = Limit(name: "budget", range: 0...31_536_000.0, noun: "seconds", isOpen: true)
  static let cache = Limit(name: "cache", range: 0...1 << 50, noun: "bytes")
  package static let cell = Limit(name: "cell", range: 1...4096, noun: "pixels")
  package static let columns = Limit(name: "columns", range: 1...256)
  package static let downscale = Limit(name: "downscale", range: 1...64)
  package static let generations = Limit(name: "generations", range: 2...100)
  static let gridSide = Limit(name: "cells", range: 1...100)
  package static let images = Limit(name: "limit", range: 1...Int.max)
  package static let jobs = Limit(name: "jobs", range: 1...1024)
  package static let megapixels = Limit(name: "max-pixels", range: 0...1e6, noun: "megapixels", isOpen: true)
  /// Peak luminance for which HLG's system gamma is defined (ITU-R BT.2390), cd/m².
  package static let peak = Limit(name: "light", range: 400...2000.0, noun: "cd/m²")
  package static let minutes = Limit(name: "minutes", range: 0...525_600.0, noun: "minutes", isOpen: true)
  package static let repeats = Limit(name: "repeat", range: 1...1000)
  package static let sample = Limit(name: "sample", range: 1...Int.max)
  package static let score = Limit(name: "score", range: 0...100.0, noun: "a score", isOpen: true)
  package static let side = Limit(name: "size", range: 1...65_535, noun: "pixels")
  package static let threshold = Limit(name: "threshold", range: 0...1000.0, noun: "percent", isOpen: true)
  package static let thumbnailSide = Limit(name: "size", range: 1...4096, noun: "pixels")
  package static let tileSide = Limit(name: "tile-size", range: TilePyramid.tileSizes, noun: "pixels")
  package static let timeout = Limit(name: "timeout", range: 0...604_800.0, noun: "seconds", isOpen: true)
  package static let viewMegapixels = Limit(
    name: "max-pixels", range: 0...200.0, noun: "megapixels", isOpen: true)
  /// Luminance of SDR white, cd/m².
  package static let white = Limit(name: "light", range: 10...1000.0, noun: "cd/m²")
}

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
