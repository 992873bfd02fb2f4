/// Text that Markdown shows unchanged, on code hosts too (GitHub Flavored Markdown 0.29).
package enum MarkdownText {
  /// Prose of unknown origin, escaped so that no character starts markup, a link, a mention or a table cell; line ends
  /// become spaces.
  package static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": result += " "
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      // Code hosts look for mentions after rendering; a word joiner, which has no width, hides the name.
      case "@": result += "@&#8288;"
      case "\\", "`", "*", "_", "[", "]", "|", "~", "#", "!", "{", "}": result += "\\\(scalar)"
      default: result.unicodeScalars.append(scalar)
      }
    }
    // A scheme or `www.` would become a link without any markup.
    return result.replacing("://", with: ":&#8288;//").replacing("www.", with: "www&#8288;.")
  }

  /// A name in a code span that its text cannot end. With `inTable`, pipes are escaped as table cells demand even
  /// inside code (GFM, section 4.10).
  package static func code(_ name: String, inTable: Bool = false) -> String {
    var text = String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 })
    guard !text.isEmpty else { return "" }
    let fence = String(repeating: "`", count: longestRun(of: "`", in: text) + 1)
    // CommonMark strips one space from both ends of a code span, unless it is all spaces.
    let isAllSpaces = text.allSatisfy { $0 == " " }
    let touchesFence = text.hasPrefix("`") || text.hasSuffix("`")
    let losesSpaces = text.hasPrefix(" ") && text.hasSuffix(" ") && !isAllSpaces
    if inTable { text = text.replacing("|", with: "\\|") }
    let padding = touchesFence || losesSpaces ? " " : ""
    return fence + padding + text + padding + fence
  }

  private static func longestRun(of character: Character, in text: String) -> Int {
    var longest = 0
    var current = 0
    for candidate in text {
      current = candidate == character ? current + 1 : 0
      longest = max(longest, current)
    }
    return longest
  }
}
