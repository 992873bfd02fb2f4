import Foundation

/// Makes text from outside safe for terminals and pages: nothing in it can control a terminal, or reorder or hide
/// neighbouring text.
package enum PlainText {
  /// The text on one line: control characters and line breaks become spaces, format characters such as those of writing
  /// direction are dropped, and anything beyond `limit` characters is cut off.
  package static func line(_ text: String, limit: Int = .max) -> String {
    var result = text
    if text.unicodeScalars.contains(where: { isSteering($0) }) {
      result = ""
      for scalar in text.unicodeScalars {
        if !isSteering(scalar) {
          result.unicodeScalars.append(scalar)
        } else if scalar.properties.generalCategory != .format {
          result += " "
        }
      }
    }
    guard limit < .max, result.unicodeScalars.count > limit else { return result }
    return String(String.UnicodeScalarView(result.unicodeScalars.prefix(limit))) + "…"
  }

  /// Multi-line text, filtered as a last guard before output; line breaks and tabs stay.
  package static func block(_ text: String) -> String {
    // Handles most text; the C library scans it quickly even in an unoptimised build.
    if strspn(text, plain) == text.utf8.count { return text }
    guard text.unicodeScalars.contains(where: { isSteering($0) && !isLayout($0) }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { isLayout($0) || !isSteering($0) }))
  }

  /// The visible ASCII characters, and those for layout.
  private static let plain = "\t\n\r" + String(decoding: UInt8(0x20)...0x7e, as: UTF8.self)

  /// True for characters that control instead of showing something. Joiners do not count: some scripts need them, and
  /// they only change the shape of their neighbours.
  static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7f { return scalar.value < 0x20 }
    return switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: scalar.value != 0x200c && scalar.value != 0x200d
    default: false
    }
  }

  private static func isLayout(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\n" || scalar == "\r" || scalar == "\t"
  }
}
