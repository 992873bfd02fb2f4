import Store

/// Text that Markdown shows unchanged, on code hosts too (GitHub Flavored Markdown 0.29).
package enum MarkdownText {
  /// Prose of unknown origin: no character starts markup, a link, a mention or a table cell; line breaks become spaces.
  static func escaped(_ text: String) -> String {
    var result = ""
    let scalars = text.unicodeScalars
    for (index, scalar) in zip(scalars.indices, scalars) {
      switch scalar {
      case "\n", "\r", "\t": result += " "
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      // Code hosts look for mentions after rendering; a word joiner, which has no width, hides the name.
      case "@" where isLinked(scalars[..<index], scalars[index...].dropFirst()): result += "@&#8288;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!", "{", "}": result += "\\\(scalar)"
      default: result.unicodeScalars.append(scalar)
      }
    }
    // A scheme or `www.` would become a link without any markup.
    return result.replacing("://", with: ":&#8288;//").replacing("www.", with: "www&#8288;.")
  }

  /// True for a mention, which starts a word, and for an email address, which has a dot after the sign: `HEIC@new` is
  /// neither.
  private static func isLinked(
    _ before: Substring.UnicodeScalarView, _ behind: Substring.UnicodeScalarView
  ) -> Bool {
    func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
    guard before.last.map(isOfWord) == true else { return true }
    return behind.prefix { isOfWord($0) || "-_.".unicodeScalars.contains($0) }.split(separator: ".").count > 1
  }

  /// A name in a code span that its text cannot close; with `inTable`, pipes are escaped even there (GFM, section
  /// 4.10).
  package static func code(_ name: String, inTable: Bool = false) -> String {
    var text = String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    guard !text.isEmpty else { return "" }
    let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
    let fence = String(repeating: "`", count: longest + 1)
    let touchesFence = text.hasPrefix("`") || text.hasSuffix("`")
    // CommonMark strips one space from both ends of a code span, unless it is all spaces.
    let losesSpaces = text.hasPrefix(" ") && text.hasSuffix(" ") && text.contains { $0 != " " }
    if inTable { text = text.replacing("|", with: "\\|") }
    let padding = touchesFence || losesSpaces ? " " : ""
    return fence + padding + text + padding + fence
  }
}
