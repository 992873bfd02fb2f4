import Foundation
import Model
import Store

struct HTMLTable<Row> {
  private let columns: [Column<Row>]

  init(_ columns: [Column<Row>]) { self.columns = columns }

  /// A hidden caption is still read out by screen readers.
  func table(_ rows: [Row], caption: String, isShown: Bool = true) -> String {
    let cells = rows.map { row in columns.map { $0.cell(row) } }
    let shown = columns.indices.filter { index in cells.contains { $0[index] != .empty } }
    var text =
      "<div class=\"scroll\(isShown ? "" : " titled")\" tabindex=\"0\" role=\"region\" aria-label=\"\(HTMLText.escaped(caption))\">"
      + "<table class=\"sortable\"><caption>\(HTMLText.escaped(caption))</caption>"
    text += "<thead><tr>"
    for column in shown.map({ columns[$0] }) {
      text += "<th scope=\"col\"\(number(column))>\(HTMLText.escaped(column.heading))</th>"
    }
    text += "</tr></thead><tbody>"
    for line in cells {
      text += "<tr>" + shown.map { self.cell(line[$0], of: columns[$0]) }.joined() + "</tr>\n"
    }
    return text + "</tbody></table></div>"
  }

  private func number(_ column: Column<Row>) -> String {
    column.alignment == .trailing ? " class=\"number\"" : ""
  }

  private func cell(_ cell: Cell, of column: Column<Row>) -> String {
    let shown = HTMLText.prose(cell.display)
    let number = number(column)
    return switch cell {
    case .code(let name) where column.name == "variant":
      "<td>\(HTMLText.prose(CodecVariant(unchecked: name)?.title ?? name))</td>"
    case .code(let text): "<td\(text.count > 30 ? " class=\"wrap\"" : "")><code>\(shown)</code></td>"
    case .text(let text) where text.count > 20: "<td class=\"wrap\">\(shown)</td>"
    case .number(let value, _), .change(let value, _): "<td\(number) data-value=\"\(value)\">\(shown)</td>"
    case .integer(let count): "<td\(number) data-value=\"\(count)\">\(shown)</td>"
    case .empty: "<td\(number) data-value=\"\"></td>"
    default: "<td\(number)>\(shown)</td>"
    }
  }
}

package enum HTMLText {
  /// The text with the five characters special to HTML replaced, for elements and attributes.
  package static func escaped(_ text: String) -> String { replaced(in: text, entity) }

  /// JSON for a script element: no `<` can end it.
  package static func script(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var rest = try encoder.encode(value)
    var text = ""
    // Searches the data: splitting bytes or characters took 1.6 % of the time of a short sweep.
    while let mark = rest.range(of: Data("<".utf8)) {
      text += String(decoding: rest[..<mark.lowerBound], as: UTF8.self) + "\\u003c"
      rest = rest[mark.upperBound...]
    }
    return text + String(decoding: rest, as: UTF8.self)
  }

  private static let units = ["%", "kB", "MB", "MiB", "ms", "px", "dB"]

  /// Keeps figures on one line with their unit. A regular expression would take longer than the rest of the page.
  static func prose(_ text: String) -> String {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let spaces = zip(words, words.dropFirst()).map { figure, word in
      let follow = units.lazy.filter(word.hasPrefix).map { word.dropFirst($0.count).first }
      let isUnit = follow.contains { !($0?.isLetter ?? false) && !($0?.isNumber ?? false) }
      return isUnit && figure.last?.isWholeNumber == true ? "\u{a0}" : " "
    }
    return escaped(zip(words, spaces + [""]).map { $0 + $1 }.joined())
  }

  /// The anchor of a heading.
  static func anchor(_ heading: String) -> String {
    heading.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
  }

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

  static func replaced(in text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      result += replacement(scalar) ?? String(scalar)
    }
  }

  /// A drawing as an image, which contains its own style and so keeps the page's policy strict.
  static func image(svg: String, title: String) -> String {
    "<img src=\"data:image/svg+xml;base64,\(Data(svg.utf8).base64EncodedString())\" alt=\"\(escaped(title))\">"
  }

  static func paragraph(_ text: String, class name: String) -> String {
    "<p class=\"\(name)\">\(prose(text))</p>"
  }
}
