/// Text as HTML shows it.
enum HTMLText {
  /// The text with the five characters that mean something to HTML replaced, for elements and attributes.
  static func escaped(_ text: String) -> String {
    var result = ""
    result.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A paragraph of a class.
  static func paragraph(_ text: String, class name: String) -> String {
    "<p class=\"\(name)\">\(escaped(text))</p>"
  }
}
