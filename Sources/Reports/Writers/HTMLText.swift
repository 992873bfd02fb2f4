/// Text as HTML shows it.
enum HTMLText {
  /// The text with the five characters that mean something to HTML replaced, for elements and attributes.
  static func escaped(_ text: String) -> String { replaced(in: text, entity) }

  /// What stands for a character that means something to HTML; nil for any other.
  static func entity(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    default: nil
    }
  }

  /// The text with other characters in place of those that have some.
  static func replaced(in text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if let replacement = replacement(scalar) {
        result += replacement
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A paragraph of a class.
  static func paragraph(_ text: String, class name: String) -> String {
    "<p class=\"\(name)\">\(escaped(text))</p>"
  }
}
