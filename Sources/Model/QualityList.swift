/// The qualities of a sweep, ascending and without repeats, as `--qualities` spells them.
///
/// The grammar: `0.1...1.0` is a closed range in steps of 0.1, `0.5...0.95:0.05` gives the step, `0.3,0.5`
/// is a list, and ranges and numbers combine with commas.
package struct QualityList: Sendable, Hashable, Codable {
  /// Why a spelling was refused, as a sentence that says what is allowed.
  package struct ParseError: Error, Hashable, CustomStringConvertible {
    /// The sentence.
    package let description: String
  }

  /// The qualities, ascending, each once.
  package let qualities: [Quality]

  /// Sorts the qualities and drops repeats.
  package init(_ qualities: some Sequence<Quality>) {
    self.qualities = Set(qualities).sorted()
  }

  /// Reads the spelling of `--qualities`.
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
      throw refusal(part, "the step after “:” has to be a number from 0.001 to 1")
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
      let reason = "no quality from 0.0 to 1.0 with at most three decimals\(hint)"
      throw refusal(part, text == part ? reason : "“\(text)” is \(reason)")
    }
    return quality
  }

  private static func refusal(_ part: Substring, _ reason: String) -> ParseError {
    ParseError(
      description:
        "“\(part)”: \(reason). Allowed are a range (0.1...1.0), a range with a step (0.5...0.95:0.05), "
        + "a number (0.5), and any of them with commas between.")
  }
}

extension QualityList: CustomStringConvertible {
  /// The qualities with commas between, which parses back to the same list.
  package var description: String { qualities.map(\.description).joined(separator: ",") }
}
