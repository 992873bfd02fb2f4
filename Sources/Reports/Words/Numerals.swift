import Analysis
import Store

/// Numbers as text, the same in every locale: with a decimal point, and without an exponent for any possible
/// measurement.
package enum Numerals {
  /// The text of `TextBuffer.write(number:decimals:)`: `fixed(2.345, decimals: 2)` is `2.35`.
  package static func fixed(_ value: Double, decimals: Int) -> String {
    var buffer = TextBuffer()
    buffer.write(number: value, decimals: decimals)
    return buffer.text
  }

  /// Like `fixed`, with commas between thousands for readers: `1,234.50`. Infinity is `∞`, and NaN is empty.
  package static func grouped(_ value: Double, decimals: Int) -> String {
    guard value.isFinite else { return value.isNaN ? "" : value < 0 ? "−∞" : "∞" }
    return grouped(fixed(value, decimals: decimals))
  }

  package static func grouped(_ count: Int) -> String { grouped(String(count)) }

  /// Millions of pixels, with as many decimals as a corpus of thumbnails needs: `9.4`, `0.014`.
  package static func megapixels(_ pixels: Int) -> String {
    let value = Double(pixels) / 1e6
    return grouped(value, decimals: value < 0.1 ? 3 : 1)
  }

  /// A count of things: `1 image`, `1,234 images`.
  package static func counted(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Names in a sentence: `jpeg`, `jpeg and heic`, and for more than six `a, b, c, d, e and 91 more`.
  /// - Parameter count: The number of all names, if these are only the first.
  package static func listed(_ names: [String], of count: Int? = nil) -> String {
    let count = count ?? names.count
    let isCut = count > names.count || count > 6
    let shown = isCut ? min(names.count, 5) : count - 1
    guard shown > 0 else { return names.joined() }
    let last = isCut ? "\(count - shown) more" : names[shown]
    return names.prefix(shown).joined(separator: ", ") + " and " + last
  }

  /// Bytes of files: `1.50 GB`, `41.2 MB`, `3.1 kB`, `512 bytes`.
  package static func size(_ bytes: Double) -> String {
    switch bytes {
    case 1e9...: "\(grouped(bytes / 1e9, decimals: 2)) GB"
    case 1e6...: "\(fixed(bytes / 1e6, decimals: 1)) MB"
    case 1e3...: "\(fixed(bytes / 1e3, decimals: 1)) kB"
    default: "\(fixed(bytes, decimals: 0)) bytes"
    }
  }

  /// A time in words: `2.0 hours`, `9.5 minutes`, `40 seconds`.
  package static func duration(_ seconds: Double) -> String {
    switch seconds {
    case 5400...: "\(grouped(seconds / 3600, decimals: 1)) hours"
    case 90...: "\(fixed(seconds / 60, decimals: 1)) minutes"
    default: "\(fixed(seconds, decimals: seconds < 10 ? 1 : 0)) seconds"
    }
  }

  /// A number with a sign even if positive, and a true minus sign: `+3.5`, `−27.1`, `0.0`.
  package static func signed(_ value: Double, decimals: Int) -> String {
    let text = grouped(value, decimals: decimals)
    if text.hasPrefix("−") || !text.contains(where: { ("1"..."9").contains($0) || $0 == "∞" }) { return text }
    return "+" + text
  }

  /// Like `fixed`, with a true minus sign, for sentences: `−27.1`.
  package static func plain(_ value: Double, _ decimals: Int) -> String {
    fixed(value, decimals: decimals).replacing("-", with: "−")
  }

  /// A ratio with two significant digits: `0.15`, `2.4`, `150`.
  package static func ratio(_ value: Double) -> String {
    switch abs(value) {
    case ..<0.0995: plain(value, 3)
    case ..<0.995: plain(value, 2)
    case ..<9.95: plain(value, 1)
    case ..<99.5: plain(value, 0)
    default: grouped(value.isFinite ? roundedToTwoDigits(value) : value, decimals: 0)
    }
  }

  private static func roundedToTwoDigits(_ value: Double) -> Double {
    var unit = 1.0
    while abs(value) / unit >= 99.5 { unit *= 10 }
    return (value / unit).rounded(.toNearestOrAwayFromZero) * unit
  }

  /// A number without needless zeros, up to six decimals: `70`, `72.5`, `0.9985`.
  package static func short(_ value: Double) -> String {
    var text = fixed(value, decimals: 6)
    // The zeros of an exponent count: 1.5e+20.
    while text.contains("."), !text.contains("e"), text.last == "0" || text.last == "." {
      if text.removeLast() == "." { break }
    }
    return text
  }

  /// Like `short`, with a true minus sign, for sentences: `72.5`, `−20`.
  package static func brief(_ value: Double) -> String { short(value).replacing("-", with: "−") }

  private static func grouped(_ plain: String) -> String {
    guard !plain.contains("e") else { return plain }
    let isNegative = plain.hasPrefix("-")
    let parts = plain.drop { $0 == "-" }.split(separator: ".", maxSplits: 1)
    guard let whole = parts.first else { return plain }
    var text = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return (isNegative ? "−" : "") + text + (parts.count == 2 ? "." + parts[1] : "")
  }
}

extension NameList {
  /// The first few names and the number of others.
  var phrase: String { Numerals.listed(first, of: count) }
}
