/// An encoder-independent quality from 0.0 to 1.0, as in Apple's ImageIO.
///
/// It is stored in thousandths, so ten steps of 0.1 end at exactly 1.0. Equal qualities of two codecs do not look the
/// same: they are just positions on each encoder's own scale.
public struct Quality: Sendable, Hashable, Comparable {
  package let thousandths: Int

  /// Creates a quality of `thousandths` / 1000; nil outside 0 to 1000.
  package init?(thousandths: Int) {
    guard (0...1000).contains(thousandths) else { return nil }
    self.thousandths = thousandths
  }

  /// Parses a decimal number with at most three decimals, such as `0.85`, `.5` or `1`.
  public init?(_ text: some StringProtocol) {
    guard let thousandths = Self.thousandths(of: text) else { return nil }
    self.init(thousandths: thousandths)
  }

  /// The inverse of `nativeValue(in:)`; nil outside 0 to 100.
  package init?(native: Int) {
    // A number from a store may be too large for the product.
    guard (0...100).contains(native) else { return nil }
    self.init(thousandths: native * 10)
  }

  /// The quality as a number from 0 to 1.
  public var value: Double { Double(thousandths) / 1000 }

  /// The value on a codec's own 0–100 scale: round(100 q), clamped to the accepted range.
  package func nativeValue(in range: ClosedRange<Int>) -> Int {
    min(max((thousandths + 5) / 10, range.lowerBound), range.upperBound)
  }

  /// Orders by quality, ascending.
  public static func < (a: Quality, b: Quality) -> Bool { a.thousandths < b.thousandths }

  /// Parses an unsigned decimal number as thousandths; nil if it is malformed or has more than three decimals.
  static func thousandths(of text: some StringProtocol) -> Int? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), !text.isEmpty, text != "." else { return nil }
    let decimals = parts.count == 2 ? parts[1] : ""
    guard decimals.count <= 3, parts[0].count <= 4 else { return nil }
    let digits = String(parts[0]) + decimals + String(repeating: "0", count: 3 - decimals.count)
    guard digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
    return Int(digits)
  }
}

extension Quality: CustomStringConvertible {
  /// The shortest decimal spelling with at least one decimal: `0.3`, `0.85`, `1.0`.
  public var description: String {
    var decimals = String(String(1000 + thousandths % 1000).dropFirst())
    while decimals.count > 1, decimals.last == "0" { decimals.removeLast() }
    return "\(thousandths / 1000).\(decimals)"
  }
}

extension Quality: ExpressibleByFloatLiteral {
  /// Creates a quality from a literal, rounded to thousandths and clamped to 0 to 1.
  public init(floatLiteral value: Double) {
    thousandths = Int((min(max(value, 0), 1) * 1000).rounded())
  }
}

extension Quality: Codable {
  /// Decodes the decimal spelling, which is stored as text to avoid binary fractions.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let quality = Quality(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "no quality: \(text)")
    }
    self = quality
  }

  /// Encodes the decimal spelling as text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// The qualities of a sweep, ascending and without repeats, as spelled for `--qualities`.
///
/// The grammar: `0.1...1.0` is a closed range in steps of 0.1, `0.5...0.95:0.05` gives the step, `0.3,0.5` is a list,
/// and ranges and numbers combine with commas.
package struct QualityList: Sendable, Hashable, Codable {
  package struct ParseError: Error, Hashable, CustomStringConvertible {
    package let description: String
  }

  package let qualities: [Quality]

  package init(_ qualities: some Sequence<Quality>) {
    self.qualities = Set(qualities).sorted()
  }

  package init(parsing text: String) throws(ParseError) {
    var found: [Quality] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      found += try Self.qualities(in: part)
    }
    self.init(found)
  }

  private static func qualities(in part: Substring) throws(ParseError) -> [Quality] {
    guard let dots = part.firstRange(of: "...") else { return [try quality(part, in: part)] }
    let rest = part[dots.upperBound...].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let lower = try quality(part[..<dots.lowerBound], in: part)
    let upper = try quality(rest[0], in: part)
    let step = rest.count == 2 ? Quality.thousandths(of: rest[1]) ?? 0 : 100
    guard step > 0 else {
      throw refusal(part, "the step after “:” must be a number from 0.001 to 1")
    }
    guard lower <= upper else { throw refusal(part, "a range goes from the lower quality to the higher") }
    return stride(from: lower.thousandths, through: upper.thousandths, by: step).compactMap {
      Quality(thousandths: $0)
    }
  }

  private static func quality(_ text: Substring, in part: Substring) throws(ParseError) -> Quality {
    guard let quality = Quality(text) else {
      let hint =
        Int(text).map { (2...100).contains($0) } == true
        ? "; qualities run from 0 to 1, so for \(text) write \(Quality(native: Int(text) ?? 0)?.description ?? "")"
        : ""
      let reason = "not a quality from 0.0 to 1.0 with at most three decimals\(hint)"
      throw refusal(part, text == part ? reason : "“\(text)” is \(reason)")
    }
    return quality
  }

  private static func refusal(_ part: Substring, _ reason: String) -> ParseError {
    ParseError(
      description:
        "“\(part)”: \(reason). Write a range (0.1...1.0), a range with a step (0.5...0.95:0.05), "
        + "a number (0.5), or several of these, comma-separated.")
  }
}

extension QualityList: CustomStringConvertible {
  package var description: String { qualities.map(\.description).joined(separator: ",") }
}
