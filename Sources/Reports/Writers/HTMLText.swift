package enum HTMLText {
  /// The text with the five characters special to HTML replaced, for elements and attributes.
  package static func escaped(_ text: String) -> String { replaced(in: text, entity) }

  /// The entity of a character special to HTML; nil for any other.
  package static func entity(_ scalar: Unicode.Scalar) -> String? {
    switch scalar {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    case "\"": "&quot;"
    case "'": "&#39;"
    default: nil
    }
  }

  /// The text with each character replaced for which `replacement` returns a string.
  package static func replaced(in text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
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

  package static func paragraph(_ text: String, class name: String) -> String {
    "<p class=\"\(name)\">\(escaped(text))</p>"
  }
}
